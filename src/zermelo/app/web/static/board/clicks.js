/** From clicked squares to moves: the same for every game. */

import { follow, leftOf } from "./checker_steps.js";

/**
 * What a click on a square means after the squares chosen so far.
 *
 * @returns {{chosen: number[], ready: object[], playable: boolean}} the squares now chosen, the moves that they say in
 *   full, and whether one of these can be played at once
 */
export function clicked(legal, board, chosen, square, taken) {
  const next = [...chosen, landing(legal, board, square, taken)];
  const found = matching(legal, board, next);
  if (found.length) return meant(found, board, next);
  if (board.steps) return elsewhere(legal, board, chosen, square);
  if (!chosen.length || chosen[0] === square) return { chosen: [], ready: [], playable: false };
  return clicked(legal, board, [], square, taken); // a second thought: begin again here
}

/** A second thought where a move is made of steps: take a click back, begin this step elsewhere, or all of them. */
function elsewhere(legal, board, chosen, square) {
  if (chosen.at(-1) === square) return { chosen: chosen.slice(0, -1), ready: [], playable: false };
  for (const before of [chosen.slice(0, chosen.length - (chosen.length % 2)), []]) {
    const found = matching(legal, board, [...before, square]);
    if (found.length) return meant(found, board, [...before, square]);
  }
  return { chosen: [], ready: [], playable: false };
}

/** The moves whose squares begin with these; where a move is made of steps, those that have them. */
export function beginning(legal, board, squares) {
  return matching(legal, board, squares).map(([move]) => move);
}

/** The squares that may be clicked next, each with the moves that go on there. */
export function targets(legal, board, chosen) {
  const next = new Map();
  for (const [move, left] of matching(legal, board, chosen)) {
    for (const square of board.steps ? follow(left, chosen) : left.slice(0, 1)) {
      next.set(square, [...(next.get(square) ?? []), move]);
    }
  }
  return next;
}

/**
 * On a board where pieces fall, any square of a column stands for the one where a piece would land, unless a move begins at
 * it: a piece that is popped out is clicked itself. `taken(square)` says whether something stands there. So does the first
 * of equal piles for the others.
 */
export function landing(legal, board, square, taken = () => false) {
  if (board.alike?.[square] >= 0 && !legal.some((move) => move.squares[0] === square)) return board.alike[square];
  if (!board.drop || !board.columns || legal.some((move) => move.squares[0] === square)) return square;
  const falls = ({ squares: [first] }) => first % board.columns === square % board.columns && !taken(first);
  return legal.find((move) => move.squares.length && falls(move))?.squares[0] ?? square;
}

/** The moves that go on from these squares, each with what is left of it: squares, or steps. */
function matching(legal, board, squares) {
  if (board.steps) return leftOf(legal, squares);
  const begun = legal.filter((move) => move.squares.length && squares.every((square, i) => move.squares[i] === square));
  return begun.map((move) => [move, move.squares.slice(squares.length)]);
}

/** A move of which two squares are clicked and that no other resembles is meant, unless it is made of steps. */
function meant(found, board, chosen) {
  const said = found.filter(([, left]) => !left.length);
  const certain = found.length === 1 && (said.length === 1 || (chosen.length > 1 && !board.steps));
  return { chosen, ready: (certain ? found : said).map(([move]) => move), playable: certain };
}
