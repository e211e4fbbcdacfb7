/** A board that is seen from the other side. */

import { upright } from "./overlay.js";

const OPPOSITE = { start: "end", middle: "middle", end: "start" };

/** Turn a board round, or mirror one on which pieces fall; what stands on it stays upright. Return how it is turned. */
export function turnBoard(picture, svg, { turns, drop, kind }, flip) {
  const turn = flip && turns ? (drop ? "mirrored" : "turned") : "";
  picture.className = `picture ${turn}`;
  if (!turn) return turn;
  if (kind === "Tables") renumber(svg);
  for (const square of svg.querySelectorAll(".square:not([data-stack], :has(.zb-half)), .die")) {
    square.setAttribute("transform", upright(turn, square.dataset.x, square.dataset.y));
  }
  for (const label of svg.querySelectorAll(":scope > text, .hand, [data-stack] text")) {
    const { x, y } = label.dataset; // the middle of a table, which is turned as a whole
    label.setAttribute("transform", upright(turn, x ?? label.getAttribute("x"), y ?? label.getAttribute("y")));
    if (!x) label.setAttribute("text-anchor", OPPOSITE[label.getAttribute("text-anchor")]);
  }
  return turn;
}

/** Number the points of tables as the player counts them who sits below. */
function renumber(svg) {
  const count = svg.querySelectorAll("[data-name^='point ']").length;
  const other = (text) => text.replace(/^(point )?(\d+)/, (_, word, number) => (word ?? "") + (count + 1 - number));
  for (const label of svg.querySelectorAll(":scope > text")) label.textContent = other(label.textContent);
  for (const point of svg.querySelectorAll("[data-name^='point ']")) {
    for (const name of ["data-name", "aria-label"]) point.setAttribute(name, other(point.getAttribute(name) ?? ""));
    const title = point.querySelector("title");
    if (title) title.textContent = other(title.textContent);
  }
}
