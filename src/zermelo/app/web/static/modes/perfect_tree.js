/** The tree of perfect play: the best moves, the best replies, and so on, as a list to open and to click. */

import { h } from "../lib/dom.js";
import { tag } from "../lib/value_text.js";

const OPEN_PLIES = 2; // of the tree that are open at first

/** @param {object[]} moves  each with its text, player, value, and the moves that follow it */
export function perfectTree(page, moves, board, path = []) {
  const item = (move) => {
    const way = [...path, move.text];
    const button = h("button", { type: "button", class: "step", onclick: () => page.preview(way) }, move.text, " ", tag(move.value, board));
    if (!move.moves.length) return h("li", {}, button);
    return h("li", {}, button, h("details", { open: path.length < OPEN_PLIES - 1 },
      h("summary", { "aria-label": `After ${move.text}` }), perfectTree(page, move.moves, board, way)));
  };
  return h("ul", { class: "perfect" }, ...moves.map(item));
}
