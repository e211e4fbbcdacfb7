/** The numbers of moves: by pairs where people count so, as 1. e4 e5 in chess and checkers, else one by one. */

const PAIRED = ["pgn", "pdn"]; // notations that number pairs

/**
 * How the moves of a game are numbered; `line` is a position with its whole history.
 *
 * @returns {{pairs: boolean, full: (ply: number) => string, brief: (ply: number) => string}} whether a number stands for a
 *   move of each player; the number of a ply, as 3. or 3…; and the same where it follows the move before it
 */
export function numbering({ board, formats, history }) {
  const pairs = board.mates || formats.some((name) => PAIRED.includes(name));
  const late = history[0]?.player === 1 ? 1 : 0; // the second player began
  const second = (ply) => (ply + late) % 2 === 0;
  const full = (ply) => (pairs ? `${Math.ceil((ply + late) / 2)}${second(ply) ? "…" : "."}` : `${ply}.`);
  return { pairs, full, brief: (ply) => (pairs && second(ply) ? "" : full(ply)) };
}
