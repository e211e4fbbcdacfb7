/** The tree of the game: its variations, who made each move, and what was said of it. */

import { $, h, put } from "../lib/dom.js";
import { GameTree } from "../lib/game_tree.js";
import { here, state } from "./page_state.js";

const turns = new Map(); // who made a move, by the game, its start and the path to the move
const comments = new Map(); // of moves of games that were loaded, by the same keys

const keyOf = (path) => JSON.stringify([state.address.game, state.address.start, path]);

/** The tree of the game, with the moves of a path. */
export function treeWith(path) {
  const tree = new GameTree(state.address.lines);
  for (const line of [state.address.moves, path]) tree.add(line);
  return tree;
}

/** Remember who made the moves of a line, for when another one is shown. */
export function rememberTurns(line) {
  line.history.forEach((turn, ply) => turns.set(keyOf(line.moves.slice(0, ply + 1)), turn));
}

/** Who made the last move of a path: {player, chance}; undefined where that is not known yet. */
export const turnOf = (path) => turns.get(keyOf(path));

/** Remember comments on moves of the game, by the paths to them. */
export function rememberComments(found) {
  for (const { moves, text } of found) comments.set(keyOf(moves), text);
}

export const commentOn = (path) => comments.get(keyOf(path));

/** The comments on moves of the game, each {moves, text}. */
export function allComments() {
  const tree = treeWith(state.address.moves);
  const known = [...comments].map(([key, text]) => [...JSON.parse(key), text]);
  return known.filter(([game, start, moves]) => game === state.address.game && start === state.address.start && tree.find(moves))
    .map(([, , moves, text]) => ({ moves, text }));
}

/** What can be done with the move that led to the position shown; `go` shows another address. */
export function variationButtons(go) {
  const path = here();
  const tree = treeWith(path);
  const promote = () => (tree.promote(path), go({ lines: tree.lines() }, { replace: true }));
  const remove = () => {
    const before = path.slice(0, -1);
    tree.remove(path);
    go({ moves: tree.line(before), at: before.length, lines: tree.lines() });
  };
  const button = (id, text, onclick) => h("button", { type: "button", id, onclick }, text);
  put($("variation"), tree.isMain(path) ? null : button("promote", "Make main line", promote),
    path.length && state.address.mode !== "play" ? button("delete", "Delete from here", remove) : null);
}
