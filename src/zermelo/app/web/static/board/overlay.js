/** What is drawn over a board: rings, dots, values and arrows, at the places that the squares of its picture name. */

import { s } from "../lib/dom.js";
import { seen, short } from "../lib/value_text.js";

/** @typedef {{x: number, y: number, size: number, width: number, height: number, round: boolean}} Place */

/** A ring around a square. */
export function ring(at, kind) {
  const gap = at.size * 0.07;
  const [width, height] = [at.width - gap, at.height - gap];
  const [x, y, rx] = [at.x - width / 2, at.y - height / 2, at.round ? width / 2 : at.size * 0.12];
  return s("rect", { class: `ring ${kind}`, x, y, width, height, rx, "stroke-width": at.size * 0.06 });
}

/** A dot where one can go. */
export function dot(at) {
  return s("circle", { class: "dot", cx: at.x, cy: at.y, r: at.size * 0.1 });
}

/** A value in the middle of a square; small in the lower corner of one that is `taken`, or below what lies in a pit. */
export function badge(at, value, taken, turn, board) {
  const text = short(value, board);
  const [size, way] = [at.size * (taken ? (at.round ? 0.9 : 0.72) : 1), turn === "turned" ? -1 : 1];
  const height = size * 0.36;
  const width = size * Math.max(0.44, 0.24 + 0.16 * text.length);
  const aside = turn === "mirrored" ? -1 : way;
  const x = at.x + (taken && !at.round ? aside * Math.max(0, at.width / 2 - width / 2) : 0);
  const y = at.y + (taken ? way * (at.height / 2 - height / 2) : 0);
  const { tone } = seen(value);
  const corner = { win: height / 2, loss: height * 0.05 }[tone] ?? height * 0.25;
  return s("g", { class: `value ${tone}`, transform: upright(turn, x, y) },
    s("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: corner }),
    s("text", { class: "label", x, y, dy: "0.35em", "font-size": size * 0.25, "text-anchor": "middle" }, text));
}

/** A tint over a square: how good the move there is. */
export function tint(at, quality) {
  const [x, y, rx] = [at.x - at.width / 2, at.y - at.height / 2, at.round ? at.width / 2 : at.size * 0.06];
  return s("rect", { class: `tint ${quality}`, x, y, width: at.width, height: at.height, rx });
}

/** An arrow from one square to another. */
export function arrow(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy, w] = [(to.x - from.x) / length, (to.y - from.y) / length, from.size * 0.16];
  const [x, y] = [to.x - ux * w * 2, to.y - uy * w * 2];
  const head = `M${x - uy * w} ${y + ux * w}L${to.x} ${to.y}L${x + uy * w} ${y - ux * w}Z`;
  return s("g", { class: "arrow" },
    s("line", { x1: from.x, y1: from.y, x2: x, y2: y, "stroke-width": from.size * 0.09 }),
    s("path", { d: head }));
}

/** What keeps a thing at (x, y) upright on a board that is turned round or mirrored; null on one that is not. */
export function upright(turn, x, y) {
  if (!turn) return null;
  return turn === "turned" ? `rotate(180 ${x} ${y})` : `translate(${2 * x} 0) scale(-1 1)`;
}
