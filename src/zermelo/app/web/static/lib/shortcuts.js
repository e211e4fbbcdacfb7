/** Keyboard shortcuts: a letter presses a button of the toolbar. */

import { $ } from "./dom.js";

export const KEYS = { h: "hint", u: "undo", r: "redo", n: "new", f: "flip" };

/** Listen to the keys, except in text fields, and name each key in the tooltip of its button. */
export function listenToKeys() {
  for (const [key, id] of Object.entries(KEYS)) {
    $(id).setAttribute("aria-keyshortcuts", key);
    $(id).title = `${$(id).textContent} (${key})`;
  }
  addEventListener("keydown", press);
}

function press(event) {
  const typing = event.target.closest?.("input, select, textarea, [contenteditable]");
  if (typing || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = $(KEYS[event.key.toLowerCase()] ?? "");
  if (button?.checkVisibility()) button.click(); // a disabled one ignores it
}
