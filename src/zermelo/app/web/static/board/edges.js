/** Boards on which players own lines: each line has the colour of its owner, and is clicked anywhere along it. */

import { s } from "../lib/dom.js";

const LINED = ["sim"];

/** Colour the lines of a picture, and let them be clicked; the stones and the names in their middles are hidden. */
export function paintEdges(game, svg, squares) {
  if (!LINED.includes(game.replace(/\(.*$/s, ""))) return;
  const halves = [...svg.querySelectorAll("polyline.zb-line")].map((line) => [line, line.getAttribute("points").split(" ")]);
  for (const square of squares.values()) {
    const { piece, x, y, name } = square.dataset;
    const lines = name.length === 1 ? [] : halves.filter(([, ends]) => ends.includes(`${x},${y}`)).map(([line]) => line);
    if (!lines.length) continue;
    square.classList.add("edge");
    for (const line of lines) {
      if (piece) line.classList.add(piece === "X" ? "edge0" : "edge1");
      if (square.querySelector(".zb-lastring")) line.classList.add("last-edge");
      square.append(s("polyline", { class: "zb-hit edge-hit", points: line.getAttribute("points") }));
    }
  }
  for (const label of svg.querySelectorAll(".zb-name")) if (label.textContent.length > 1) label.remove();
}
