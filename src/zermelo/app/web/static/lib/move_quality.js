/** The quality of moves: how much of the win probability each one gives away, and how accurate a player was. */

import { h } from "./dom.js";

/** From the worst: the least loss of win probability, its sign in the list of moves, and its name. */
const MARKS = [[0.2, "??", "blunder"], [0.1, "?", "mistake"], [0.05, "?!", "inaccuracy"]];
export const KINDS = MARKS.map(([, , name]) => name);
const EQUAL = 0.01; // moves that give away less are as good as the best
const STRICTNESS = 4; // a move that gives away 0.1 is 67 % accurate

/** What a move gave away: the win probability of its player before it, less that after it; null where one is unknown. */
export function loss(before, after, player) {
  if (before == null || after == null) return null;
  return Math.max(0, player === 0 ? before - after : after - before);
}

/**
 * The shares before and after a move that may be compared: certain ones, one beside a search that went as far, or else those
 * after which both searches had seen the same plies. Each has its `shares` by depth.
 */
export function compared(before, after) {
  if (!before || !after) return [];
  const [one, other] = [before.shares.length - 1, after.shares.length - 1]; // depths
  const far = (before.proven && (after.proven || other >= before.depth - 1)) || (after.proven && one > after.depth);
  if (far || (one === 0 && other <= 0)) return [before.share, after.share];
  const depth = Math.min(one - 1, other);
  return [before.shares[depth + 1], after.shares[depth]];
}

/** The name of a loss: blunder, mistake or inaccuracy; "" for a move that is none of these. */
export const named = (lost) => found(lost)?.[2] ?? "";

const found = (lost) => (lost === null ? undefined : MARKS.find(([least]) => lost >= least));

/** How good a move is beside the best one, by the shares of the first player after both, for the player who moves. */
export function quality(best, share, player) {
  const lost = loss(best, share, player);
  return named(lost) || (lost < EQUAL ? "best" : "good");
}

/** The sign of a loss in the list of moves; null where there is none. */
export function sign(lost) {
  const mark = found(lost);
  return mark ? h("span", { class: `mark ${mark[2]}`, role: "img", title: mark[2], "aria-label": mark[2] }, mark[1]) : null;
}

/** How accurate moves with these losses are, in percent; null without any. */
export function accuracy(losses) {
  const known = losses.filter((lost) => lost !== null);
  if (!known.length) return null;
  return Math.round((100 * known.reduce((sum, lost) => sum + Math.exp(-STRICTNESS * lost), 0)) / known.length);
}
