/**
 * The numbers of moves: by pairs where people count so, as 1. e4 e5 in chess and checkers, else one by one. What chance does
 * has no number.
 */

const PAIRED = ["pgn", "pdn"]; // notations that number pairs

/**
 * How the moves of a game are numbered; `line` is a position with its whole history.
 *
 * @returns {{pairs: boolean, full: (turn: number) => string, brief: (turn: number) => string, at: (ply: number) => string}}
 *   whether a number stands for a move of each player; the number of a player's turn, as 3. or 3…; the same where it follows
 *   the turn before it; and the number of the turn at a ply of the line
 */
export function numbering({ board, formats, history }) {
  const pairs = board.mates || formats.some((name) => PAIRED.includes(name));
  const late = history[0]?.player === 1 ? 1 : 0; // the second player began
  const second = (turn) => (turn + late) % 2 === 0;
  const full = (turn) => (pairs ? `${Math.ceil((turn + late) / 2)}${second(turn) ? "…" : "."}` : `${turn}.`);
  return {
    pairs,
    full,
    brief: (turn) => (pairs && second(turn) ? "" : full(turn)),
    at: (ply) => full(history.slice(0, ply).filter(({ chance }) => !chance).length),
  };
}
