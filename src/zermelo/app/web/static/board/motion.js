/** The last move in motion: a piece glides to its square, a stone falls into its column. Reduced motion has none. */

import { s } from "../lib/dom.js";
import { GROUNDS } from "./pointer.js";

const GLIDE = 180; // milliseconds
const FALL = 260;

/** Animate the move that led from one position to the next, on the squares of the next one's picture. */
export function animateMove(before, after, svg, squares) {
  if (!before || !isNext(before, after) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { last, board } = after;
  const target = squares.get(board.drop ? last[0] : last[1]);
  if (!target?.dataset.piece || board.steps) return;
  const source = squares.get(last[0]);
  if (board.drop && last.length === 1) fly(svg, target, 0, -Number(target.dataset.y), FALL, "ease-in");
  else if (source && source !== target && !source.dataset.piece) {
    fly(svg, target, source.dataset.x - target.dataset.x, source.dataset.y - target.dataset.y, GLIDE, "ease-out");
  }
}

function isNext(before, after) {
  const [earlier, later] = [before.moves, after.moves];
  return before.game === after.game && later.length === earlier.length + 1 && earlier.every((move, i) => move === later[i]);
}

/** Let what stands on a square come from (x, y) beyond it: a copy flies over all other squares. */
function fly(svg, square, x, y, duration, easing) {
  const parts = [...square.children].filter((part) => !part.matches(GROUNDS));
  const copy = s("g", { class: "flying", "aria-hidden": "true" }, ...parts.map((part) => part.cloneNode(true)));
  const turn = square.getAttribute("transform");
  const flying = s("g", turn ? { transform: turn } : {}, copy);
  const place = s("g", { "aria-hidden": "true" }, flying);
  svg.append(place);
  for (const part of parts) part.style.visibility = "hidden";
  const done = () => {
    place.remove();
    for (const part of parts) part.style.visibility = "";
  };
  place.animate({ translate: [`${x}px ${y}px`, "0px 0px"] }, { duration, easing }).finished.then(done, done);
}
