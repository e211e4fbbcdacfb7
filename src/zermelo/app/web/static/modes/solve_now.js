/** Solve now: the server solves a game that is small enough, and says how far it is. */

import { lines } from "../lib/api.js";
import { h, put } from "../lib/dom.js";
import { count } from "../lib/value_text.js";

const PHASES = { preparing: "Estimating its size", estimating: "Estimating its size", forward: "Finding all positions",
  backward: "Computing their values", writing: "Writing" };

/**
 * The button, and the progress after it is pressed.
 *
 * @param {() => void} solved  called when the solution is there
 */
export function solveNow(page, solved) {
  const root = h("div", { id: "solving" });
  const begin = () => h("button", { type: "button", id: "solve", class: "primary", onclick: run }, "Solve now");
  put(root, begin());

  async function run() {
    const work = new AbortController();
    const stop = h("button", { type: "button", id: "stop-solving", onclick: () => work.abort() }, "Stop");
    try {
      const asking = lines("solve", { game: page.address.game }, { signal: work.signal, waiting: page.waiting });
      for await (const found of asking) {
        if (found.error) throw new Error(found.error);
        if (!root.isConnected) work.abort(); // the reader has gone elsewhere
        if (found.phase === "done") return solved();
        put(root, ...progress(found), stop);
      }
    } catch (error) {
      put(root, begin());
      if (!work.signal.aborted) page.fail(error);
    }
  }

  return root;
}

/** A bar and words; without an estimate the bar only shows that something happens. */
function progress({ phase, states, solved, expected, seconds_left: left }) {
  const done = phase === "backward" ? solved : states;
  const known = expected && phase in PHASES && phase !== "preparing";
  const bar = h("progress", { "aria-label": "Solving", ...(known ? { max: expected, value: Math.min(done, expected) } : {}) });
  const words = [`${PHASES[phase] ?? phase} …`, done ? `${count(done)}${known ? ` of ${count(expected)}` : ""}` : "",
    left ? `${Math.ceil(left)} s left` : ""].filter(Boolean).join(", ");
  return [bar, h("p", { class: "quiet", role: "status" }, words)];
}
