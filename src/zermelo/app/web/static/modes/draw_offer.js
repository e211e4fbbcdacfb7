/** Draw offers: when the engine agrees. */

const LATE = 20; // plies after which a level game may be given up as a draw
const LEVEL = 0.02; // how far from one half a win probability is level

/**
 * Whether the engine agrees to a draw.
 *
 * @param {{share: number, exact: boolean}} value  of the position, the share of the first player
 * @param {number} engine  which player the engine is
 */
export function agrees({ share, exact }, engine, plies) {
  const own = engine === 0 ? share : 1 - share;
  if (exact) return own <= 0.5;
  return own < 0.5 - LEVEL || (own <= 0.5 + LEVEL && plies >= LATE);
}
