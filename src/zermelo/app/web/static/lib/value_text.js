/** Values as text: short labels, words and counts. */

import { h } from "./dom.js";

/** A value in a few characters, as W7, L12, D or +3; W≤9 is a win in nine plies or fewer. */
export function short(value) {
  const [, bound, kind, plies] = value.text.match(/^([<>]= )?(win|loss)(?: in (\d+))?$/) ?? [];
  if (kind) return `${kind === "win" ? "W" : "L"}${bound && plies ? "≤" : ""}${plies ?? ""}`;
  return value.text.startsWith("draw") ? "D" : value.text;
}

/** A value in words. */
export function words(value) {
  return value.text.replace(/^(?:>= win|<= loss) in/, `${value.outcome} in at most`);
}

/** A small coloured label with a value; its full text is a tooltip, and for screen readers. */
export function tag(value) {
  const said = words(value);
  return h("span", { class: `tag ${value.tone}`, role: "img", title: said, "aria-label": said }, short(value));
}

/** The better of two values for the player to move. */
export const better = (a, b) => (!a || b.score > a.score ? b : a);

/** A count as 12,345 or 3.4 M. */
export function count(number) {
  if (number < 1e6) return Math.round(number).toLocaleString("en");
  return number < 1e9 ? `${(number / 1e6).toFixed(1)} M` : `${(number / 1e9).toFixed(2)} G`;
}

/** That the search of a report is interpreted, and why. */
export const slow = ({ interpreted }) =>
  `The rules are interpreted, which is far slower than compiled. ${interpreted}.`;
