/** From clicked squares to moves: the same for every game. */

/**
 * What a click on a square means after the squares chosen so far.
 *
 * @returns {{chosen: number[], ready: object[], playable: boolean}} the squares now chosen, the moves that they say in
 *   full, and whether one of these can be played at once
 */
export function clicked(legal, board, chosen, square) {
  const next = [...chosen, landing(legal, board, square)];
  const found = beginning(legal, next);
  if (found.length) return meant(found, next);
  if (!chosen.length || chosen[0] === square) return { chosen: [], ready: [], playable: false };
  return clicked(legal, board, [], square); // a second thought: begin again here
}

/** The moves whose squares begin with these. */
export function beginning(legal, squares) {
  return legal.filter((move) => move.squares.length && squares.every((square, i) => move.squares[i] === square));
}

/** The squares that may be clicked next, each with the moves that go on there. */
export function targets(legal, chosen) {
  const next = new Map();
  for (const move of beginning(legal, chosen)) {
    const square = move.squares[chosen.length];
    if (square !== undefined) next.set(square, [...(next.get(square) ?? []), move]);
  }
  return next;
}

/** On a board where pieces fall, any square of a column stands for the one where a piece would land. */
export function landing(legal, board, square) {
  if (!board.drop || !board.columns) return square;
  const column = square % board.columns;
  return legal.find((move) => move.squares.length && move.squares[0] % board.columns === column)?.squares[0] ?? square;
}

/** A move of which two squares are clicked and that no other resembles is meant, whatever else it touches. */
function meant(found, chosen) {
  const ready = found.filter((move) => move.squares.length === chosen.length);
  const certain = found.length === 1 && (ready.length === 1 || chosen.length > 1);
  return { chosen, ready: certain ? found : ready, playable: certain };
}
