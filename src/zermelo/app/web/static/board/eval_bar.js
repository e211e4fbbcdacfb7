/** The evaluation bar beside the board: how far the first player is ahead. */

import { $ } from "../lib/dom.js";
import { are, called } from "./player_names.js";

/** Draw the bar for a share from -1 (lost for the first player) to 1 (won); null is unknown, undefined hides the bar. */
export function drawEvalBar(share, board) {
  const bar = $("eval-bar");
  bar.hidden = share === undefined;
  if (share === undefined) return;
  bar.style.setProperty("--share", `${50 + 50 * (share ?? 0)}%`);
  const words = share === null ? "not judged yet" : share > 0 ? "ahead" : share < 0 ? "behind" : "level";
  const first = called(board, 0);
  bar.setAttribute("aria-label", `Evaluation: ${first} ${are(first)} ${words}`);
}

/** The value of a player to move as a share of the bar: from -1 (lost for the first player) to 1 (won). */
export function share(value, player) {
  const seen = { win: 1, draw: 0, loss: -1 }[value.outcome] ?? squashed(value.score);
  return player === 0 ? seen : -seen;
}

/** Estimates have any unit: expectations lie between -1 and 1 already, points are squeezed. */
function squashed(score) {
  if (!Number.isInteger(score) && Math.abs(score) <= 1) return score * 0.95;
  return (0.95 * score) / (Math.abs(score) + 4);
}
