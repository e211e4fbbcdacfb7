/** The server's API: answers, streams, and errors that are sentences. */

import { sleep } from "./dom.js";

const MAX_RETRIES = 20; // of a request that a busy server declines
const RECONNECT_SECONDS = 2; // before a live analysis that was declined or cut short is asked for again
const UNREACHABLE = "The server does not answer; start it again with zermelo serve.";

/** A sentence for the reader, and the status the server gave it; 0 where no server answered. */
export class ApiError extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

/** A part of the page that is fetched when it is first needed, as `import()` promises it. */
export const part = (importing) =>
  importing.catch(() => {
    throw new ApiError("This part of the page could not be loaded; is zermelo serve still running?", 0);
  });

/**
 * The answer to a GET as JSON. A busy server is asked again when it says; `waiting(seconds)` is called then.
 *
 * @param {string} path  as "position" or "/api/position"
 */
export async function get(path, params = {}, { signal, waiting } = {}) {
  return (await answer(path, params, signal, waiting)).json();
}

/** The reports of a stream of JSON lines, one after the other. */
export async function* lines(path, params, { signal, waiting } = {}) {
  const response = await answer(path, params, signal, waiting);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(gone);
    const parts = (rest + (value ?? "")).split("\n");
    rest = done ? "" : parts.pop();
    for (const part of parts) if (part.trim()) yield JSON.parse(part);
    if (done) return;
  }
}

async function answer(path, params, signal, waiting) {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== "" && value != null));
  const url = `${path.startsWith("/") ? path : `/api/${path}`}?${query}`;
  for (let attempt = 0; ; attempt++) {
    const response = await reach(url, signal);
    if (response.status !== 503 || attempt === MAX_RETRIES) return accepted(response);
    const seconds = Number(response.headers.get("Retry-After")) || 1;
    waiting?.(seconds);
    await sleep(seconds * 1000, signal);
  }
}

const reach = (url, signal) => fetch(url, { signal }).catch(gone);

function gone(error) {
  throw error.name === "AbortError" ? error : new ApiError(UNREACHABLE, 0);
}

/** Whether a server is there at all, which a socket that was closed does not tell. */
export const there = () => fetch("/icon.svg", { method: "HEAD", cache: "no-store" }).then(() => true, () => false);

async function accepted(response) {
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  const detail = Array.isArray(body.detail) ? body.detail.map((one) => one.msg).join("; ") : body.detail;
  throw new ApiError(detail || `The server answered with status ${response.status}.`, response.status);
}

/** A live analysis over a WebSocket: a connection for each question, so that no answer comes to another one. */
export class Live {
  #socket = null;

  /** Ask about a position; `listener` has report(report), error(sentence), waiting(seconds), gone(seconds) and done(). */
  ask(question, listener) {
    this.stop();
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/analyze`);
    let over = false;
    this.#socket = socket;
    const mine = () => this.#socket === socket;
    const again = (seconds) => setTimeout(() => mine() && this.ask(question, listener), 1000 * seconds);
    socket.onopen = () => socket.send(JSON.stringify(question));
    socket.onmessage = ({ data }) => {
      const { report, error, retry_after: later } = JSON.parse(data);
      if (!mine()) return;
      over = !report;
      if (report) listener.report(report);
      else if (later) listener.waiting(later), again(later);
      else if (error) listener.error(error);
      else listener.done();
    };
    socket.onclose = async () => {
      if (over || !mine()) return;
      const busy = await there();
      if (!mine()) return;
      if (busy) listener.waiting(RECONNECT_SECONDS);
      else listener.gone(RECONNECT_SECONDS);
      again(RECONNECT_SECONDS);
    };
  }

  /** End the search; the listener is not called any more. */
  stop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}
