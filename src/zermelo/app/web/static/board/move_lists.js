/** The legal moves as buttons, and the moves played as a list to click through. */

import { h } from "../lib/dom.js";
import { tag } from "../lib/value_text.js";

/** The legal moves, or the outcomes of chance, as buttons: the way for keyboards and for games without a board. */
export function legal(root, position, { enabled, play }) {
  const held = root.contains(document.activeElement);
  const buttons = position.legal.map((move) => {
    const chance = move.probability == null ? null : h("small", {}, percent(move.probability));
    return h("button", { type: "button", disabled: !enabled, "data-move": move.text, onclick: () => play(move.text) },
      move.text, chance);
  });
  const heading = h("h2", {}, position.chance ? "Outcomes of chance" : "Legal moves");
  root.hidden = !buttons.length;
  root.replaceChildren(heading, h("div", { class: "buttons" }, ...buttons));
  if (held && enabled) buttons[0]?.focus();
}

/** Write the values of moves on their buttons, which stay where they are. */
export function priced(root, values) {
  for (const button of root.querySelectorAll("[data-move]")) {
    const value = values[button.dataset.move];
    button.querySelector(".tag")?.remove();
    if (value) button.append(tag(value));
  }
}

/** The moves of the game, the one that led to the position shown marked; `go(n)` shows the position after n of them. */
export function played(root, history, at, { go, values }) {
  const item = (turn, ply) => {
    const who = turn.chance ? "chance" : `side${turn.player}`;
    const value = values?.(ply + 1);
    return h("li", {}, h("button", { type: "button", class: who, "aria-current": here(ply + 1),
      "aria-label": `${ply + 1}. ${turn.text}`, onclick: () => go(ply + 1) },
    h("small", {}, `${ply + 1}`), turn.text, value ? tag(value) : null));
  };
  const here = (ply) => (ply === at ? "step" : null);
  const start = h("button", { type: "button", "aria-current": here(0), onclick: () => go(0) }, "Start");
  const list = h("ol", { class: "played" }, h("li", {}, start), ...history.map(item));
  root.replaceChildren(list);
  list.scrollTop = list.querySelector("[aria-current]").offsetTop - list.clientHeight / 2;
}

const percent = (probability) => `${(100 * probability).toFixed(probability < 0.1 ? 1 : 0)} %`;
