/** Keys of the page: a letter presses the button of the toolbar that it stands for. */

import { $ } from "./dom.js";

export const KEYS = { h: "hint", u: "undo", r: "redo", n: "new", f: "flip" };

/** Hear the keys wherever nobody types a text, and say on each button which one is its own. */
export function hearKeys() {
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
  if (button?.checkVisibility()) button.click(); // a disabled one hears nothing
}
