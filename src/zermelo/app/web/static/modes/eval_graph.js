/** The first player's win probability over the game, as a curve. */

import { are, called, short } from "../board/player_names.js";
import { s } from "../lib/dom.js";

const [WIDTH, HEIGHT, PAD, EDGE] = [400, 130, 10, 20]; // EDGE is for the words above and below the curve
const GUTTER = 46; // on the right, for the word at the line, which no dot may cover

/**
 * @param {(number|null)[]} shares  for each ply, from 0 (lost for the first player) to 1 (won); null where unknown
 * @param {string[]} marks  for each ply, the mark of the move that led to it: "", or inaccuracy, mistake, blunder
 * @param {number} at  the ply shown
 * @param {{sides: string[]|null}} board  which may name the players
 * @param {(ply: number) => void} go
 */
export function graph(shares, marks, at, board, go) {
  const step = (WIDTH - PAD - GUTTER) / Math.max(shares.length - 1, 1);
  const point = (ply) => [PAD + ply * step, EDGE + (1 - shares[ply]) * (HEIGHT - 2 * EDGE)];
  const known = [...shares.keys()].filter((ply) => shares[ply] !== null);
  const line = known.map((ply, i) => `${i ? "L" : "M"}${point(ply).map((n) => n.toFixed(1)).join(" ")}`).join("");
  const dots = known.map((ply) => {
    const [cx, cy] = point(ply);
    return s("circle", { class: `${marks[ply]} ${ply === at ? "here" : ""}`.trim(), cx, cy, r: ply === at ? 6 : marks[ply] ? 5 : 3.5 });
  });
  const svg = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said(shares, board) },
    s("line", { class: "zero", x1: 0, x2: WIDTH - GUTTER + PAD, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    label(better(board, 0), 12), label("level", HEIGHT / 2 + 3, WIDTH - 3, "end"), label(better(board, 1), HEIGHT - 6),
    s("line", { class: "now", x1: PAD + at * step, x2: PAD + at * step, y1: 0, y2: HEIGHT }),
    s("path", { class: "area", d: area(line, known, point) }), s("path", { class: "curve", d: line }), ...dots);
  svg.addEventListener("pointerdown", (event) => {
    const box = svg.getBoundingClientRect();
    const ply = Math.round((((event.clientX - box.x) / box.width) * WIDTH - PAD) / step);
    go(Math.max(0, Math.min(shares.length - 1, ply)));
  });
  return svg;
}

/** What a height means. */
function label(text, y, x = 6, anchor = "start") {
  return s("text", { class: "label", x, y, "text-anchor": anchor, "aria-hidden": "true" }, text);
}

function area(line, known, point) {
  if (known.length < 2) return "";
  return `${line}L${point(known.at(-1))[0]} ${HEIGHT / 2}L${point(known[0])[0]} ${HEIGHT / 2}Z`;
}

const better = (board, player) => `${short(board, player)} ${are(short(board, player))} better`;

function said(shares, board) {
  const known = shares.filter((share) => share !== null).length;
  const what = `Win probability over ${shares.length - 1} moves, ${known} of ${shares.length} positions known`;
  return `${what}; up is better for ${called(board, 0)}`;
}
