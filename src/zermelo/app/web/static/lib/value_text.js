/**
 * Values as text: short labels, words and counts.
 *
 * The server's values are those of the player to move. The page shows all of them as the first player sees them, so that
 * a sign, a W or an L means the same in every list: `seen` turns a value round, and nothing else does.
 */

import { called, name, verb } from "../board/player_names.js";
import { h } from "./dom.js";

const WIN_SCORE = 1_000_000; // of a game won on the spot; values at or beyond DECISIVE are wins
const DECISIVE = 900_000;
const OTHER = { win: "loss", loss: "win", lower: "upper", upper: "lower" };

/** A value as the first player sees it. */
export function seen(value) {
  if (value.player !== 1) return value;
  const turned = (word) => OTHER[word] ?? word;
  return { ...value, player: 0, score: -value.score, outcome: turned(value.outcome), bound: turned(value.bound),
    tone: turned(value.tone) };
}

/**
 * A value in a few characters, as W7, L12, D or +3; W≤9 is a win in nine plies or fewer. Where games end by mate, #4 and −#4
 * are a mate in four moves by the first player and by the second.
 */
export function short(value, board) {
  const { outcome, bound, score } = seen(value);
  if (bound === "unknown") return "?";
  if (outcome === "draw") return "D";
  if (Math.abs(score) < DECISIVE) return number(score);
  if (board?.mates && plies(score)) return `${score > 0 ? "" : "−"}#${movesTo(score)}`;
  return `${score > 0 ? "W" : "L"}${bounded(bound) && plies(score) ? "≤" : ""}${plies(score) || ""}`;
}

/** A value in words; a win is that of the player it is for. */
export function words(value, board) {
  const { outcome, bound, score, repetition } = seen(value);
  if (bound === "unknown") return "unknown";
  if (outcome === "draw") return repetition ? "draw by repetition" : "draw";
  if (Math.abs(score) < DECISIVE) return number(score);
  const winner = name(board, score > 0 ? 0 : 1);
  if (board.mates && plies(score)) return `${winner} mates in ${bounded(bound) ? "at most " : ""}${movesTo(score)}`;
  const soon = plies(score) ? ` in ${bounded(bound) ? "at most " : ""}${plies(score)}` : "";
  return `${winner} ${verb(winner, "win")}${soon}`;
}

const bounded = (bound) => bound === "lower" || bound === "upper";

/** The winner's moves to the end. */
const movesTo = (score) => Math.ceil(plies(score) / 2);

/** Plies to the end; 0 where only the outcome is known. */
const plies = (score) => (Math.abs(score) === DECISIVE ? 0 : WIN_SCORE - Math.abs(score));

/** A number as people write it beside a board: signed, with two places where it is not whole. */
export function number(score) {
  if (score === 0) return "0";
  const size = Math.abs(score);
  const text = Number.isInteger(size) ? String(size) : size.toFixed(2);
  return Number(text) === 0 ? text : `${score > 0 ? "+" : "−"}${text}`;
}

/** A small coloured label with a value; its full text is a tooltip, and for screen readers. */
export function tag(value, board) {
  const said = words(value, board);
  return h("span", { class: `tag ${seen(value).tone}`, role: "img", title: said, "aria-label": said }, short(value, board));
}

/** Whose values the page shows, in a sentence. */
export function convention(board) {
  const [first, second] = [called(board, 0), called(board, 1)];
  const [win, loss] = board.mates ? ["#", "−#"] : ["W", "L"];
  return `All values are seen by ${first}: + and ${win} are good for ${first}, − and ${loss} for ${second}.`;
}

/** The better of two values for the player to move. */
export const better = (a, b) => (!a || b.score > a.score ? b : a);

/** A count as 12,345 or 3.4 M. */
export function count(number) {
  if (number < 1e6) return Math.round(number).toLocaleString("en");
  return number < 1e9 ? `${(number / 1e6).toFixed(1)} M` : `${(number / 1e9).toFixed(2)} G`;
}

/** What has answered: a book, a database, or a search of some depth. */
export function origin({ source, depth, nodes }) {
  if (source === "book") return "from the opening book";
  return source === "database" ? "from the database" : `depth ${depth}, ${count(nodes)} nodes`;
}

/** That the search of a report is interpreted, and why. */
export const slow = ({ interpreted }) =>
  `The rules are interpreted, which is far slower than compiled. ${interpreted}.`;
