/** What the page says: the status line, and sentences on what went wrong. */

import { there } from "../lib/api.js";
import { $, h, put } from "../lib/dom.js";
import { state } from "./page_state.js";

/** Show words in the status line. */
export function showStatus(...words) {
  put($("status"), ...words);
}

/** A message without the game at its beginning, as Python writes it, and without the state: neither helps the reader. */
export function sentence(said) {
  const bare = said.replace(/^[A-Z]\w*\(.*?\): /s, "").replace(/( is not a legal move) in .*\.$/s, "$1 in this position.");
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

const LOOK_SECONDS = 2; // before the page looks again whether a server that was gone is back
let looking;

/** Show a sentence, and a button that tries again; a server that was `unreachable` is tried again as soon as it is back. */
export function notice(said, again, kind = "error", unreachable = false) {
  const retry = again ? h("button", { type: "button", onclick: () => (calm(), again()) }, "Try again") : null;
  put($("notice"), h("span", {}, sentence(said)), meant(said), retry);
  $("notice").dataset.kind = kind;
  $("notice").hidden = false;
  clearInterval(looking);
  if (!retry || !unreachable) return;
  looking = setInterval(async () => {
    if ($("notice").hidden) clearInterval(looking);
    else if (await there() && retry.isConnected && !$("notice").hidden) retry.click();
  }, 1000 * LOOK_SECONDS);
}

/** A button for the game that a message thinks was meant; the page opens it. */
function meant(said) {
  const name = said.match(/did you mean (\w+)\?/)?.[1];
  const entry = state.games.find((game) => game.name === name);
  return entry ? h("button", { type: "button", id: "meant", "data-game": name }, `Open ${entry.title}`) : null;
}

export const calm = () => ($("notice").hidden = true);
export const waiting = (seconds) => notice(`The server is busy; asking again in ${seconds} s.`, null, "passing");
export const gone = (seconds) => notice(`The server cannot be reached; trying again in ${seconds} s.`, null, "passing");
export const recovered = () => $("notice").dataset.kind === "passing" && calm();
