/** Keyboard shortcuts: a letter presses a button, arrows step through the game, and ? lists them all. */

import { $, h } from "./dom.js";

export const KEYS = { h: "hint", u: "undo", r: "redo", n: "new", f: "flip" };
const STEPS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
const NAMES = { "← →": "one move back, or on", "Home End": "to the start, or the last move", "/": "find a game, among all games", "?": "these keys",
  Esc: "end a preview, or take back a click" };
const TYPING = "input, select, textarea, [contenteditable]";
const STEPPED = ".square, [role=tab], .stepper, .tree"; // what has arrow keys of its own

/** Listen to the keys, except in text fields, and name each key in the tooltip of its button; `walk(step)` steps. */
export function listenToKeys(walk) {
  for (const [key, id] of Object.entries(KEYS)) {
    $(id).setAttribute("aria-keyshortcuts", key);
    $(id).title = `${$(id).textContent} (${key})`;
  }
  addEventListener("keydown", (event) => press(event, walk));
}

function press(event, walk) {
  if (event.target.closest?.(`${TYPING}, dialog`) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in STEPS && !event.target.closest?.(STEPPED)) {
    if (walk(STEPS[event.key])) event.preventDefault();
    return;
  }
  if (event.repeat) return;
  if (event.key === "?") return showKeys();
  const field = $("find-game");
  if (event.key === "/" && field?.checkVisibility()) {
    event.preventDefault();
    return field.focus();
  }
  const button = $(KEYS[event.key.toLowerCase()] ?? "");
  if (button?.checkVisibility()) button.click(); // a disabled one ignores it
}

function showKeys() {
  const letters = Object.entries(KEYS).map(([key, id]) => [key, $(id).textContent.toLowerCase()]);
  const rows = [...letters, ...Object.entries(NAMES)].map(([key, does]) =>
    h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, does)));
  const dialog = h("dialog", { id: "keys", "aria-label": "Keys", onclose: () => dialog.remove() }, h("h2", {}, "Keys"),
    h("table", {}, h("tbody", {}, ...rows)), h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")));
  document.body.append(dialog);
  dialog.showModal();
}
