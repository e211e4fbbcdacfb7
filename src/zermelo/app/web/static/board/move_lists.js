/** The legal moves as buttons, and the moves played as a list to click through, with the variations in it. */

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
export function priced(root, values, board) {
  for (const button of root.querySelectorAll("[data-move]")) {
    const value = values[button.dataset.move];
    button.querySelector(".tag")?.remove();
    if (value) button.append(tag(value, board));
  }
}

/**
 * The moves of a game, the one that led to the position shown marked.
 *
 * @param {GameTree} tree
 * @param {string[]} here  the path to the position shown
 * @param {object} how  go(path) shows a position; numbers are those of `numbering`; turn(path) says who made its last move,
 *   where that is known; note(path) is what stands behind it, or null; said(path) is a comment on it, or null
 */
export function played(root, tree, here, { go, numbers, turn, note, said }) {
  const current = JSON.stringify(here);
  const button = (path, ...inside) => {
    const mark = JSON.stringify(path) === current ? "step" : null;
    const known = path.length ? turn(path) : null;
    const who = !known ? null : known.chance ? "chance" : `side${known.player}`;
    return h("button", { type: "button", class: who, "aria-current": mark, onclick: () => go(path) }, ...inside);
  };
  const decided = (path) => (turn(path)?.chance ? 0 : 1);
  const item = (path, turns, fresh) => { // after this number of turns of the players
    const number = !decided(path) ? "" : fresh ? numbers.full(turns) : numbers.brief(turns);
    return h("li", { class: numbers.brief(turns) ? "ahead" : "reply" },
      button(path, number ? h("small", {}, `${number} `) : null, path.at(-1), note?.(path) ?? null), said?.(path) ?? null);
  };
  const branch = (path, turns, fresh) => [item(path, turns, fresh), ...after(path, turns)];
  const after = (path, before, fresh = false) => {
    const [main, ...others] = (tree.find(path)?.next ?? []).map((child) => [...path, child.text]);
    if (!main) return [];
    const turns = before + decided(main);
    const asides = others.map((other) => h("li", { class: "variation" }, h("ol", {}, ...branch(other, before + decided(other), true))));
    return [item(main, turns, fresh), ...asides, ...after(main, turns, others.length > 0)];
  };
  const list = h("ol", { class: numbers.pairs ? "played pairs" : "played" }, h("li", { class: "begin" }, button([], "Start")), ...after([], 0, true));
  root.replaceChildren(list);
  const shown = list.querySelector("[aria-current]");
  if (shown) list.scrollTop = shown.offsetTop - list.clientHeight / 2;
}

const percent = (probability) => `${(100 * probability).toFixed(probability < 0.1 ? 1 : 0)} %`;
