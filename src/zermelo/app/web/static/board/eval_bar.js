/** The evaluation bar beside the board: the first player's win probability. */

import { $ } from "../lib/dom.js";
import { are, called } from "./player_names.js";

/**
 * Draw the bar.
 *
 * @param {number|null|undefined} share  the first player's, from 0 to 1; null is unknown, undefined hides the bar
 * @param {boolean} flip  whether the board is turned round: the bar is filled from the first player's side
 */
export function drawEvalBar(share, board, flip) {
  const bar = $("eval-bar");
  bar.hidden = share === undefined;
  if (share === undefined) return;
  const turned = flip && board.turns && !board.drop;
  bar.classList.toggle("from-top", board.first_on_top !== turned);
  bar.style.setProperty("--share", `${100 * (share ?? 0.5)}%`);
  const words = share === null ? "not judged yet" : share > 0.5 ? "ahead" : share < 0.5 ? "behind" : "level";
  const first = called(board, 0);
  const percent = share === null ? "" : `, ${Math.round(100 * share)} %`;
  bar.setAttribute("aria-label", `Evaluation: ${first} ${are(first)} ${words}${percent}`);
  bar.title = share === null ? "" : `Win probability of ${first}: ${Math.round(100 * share)} %`;
}
