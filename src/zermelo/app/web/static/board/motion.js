/**
 * The last move in motion: a piece glides to its square, a stone falls into its column, what is taken fades, what changes its
 * colour turns over, and seeds are sown one pit after the other. Reduced motion has none of it.
 *
 * Nothing is known of the game: two pictures are compared, that before the move and that after it.
 */

import { s } from "../lib/dom.js";
import { GROUNDS } from "./pointer.js";

const GLIDE = 180; // milliseconds for each step
const FALL = 260;
const FADE = 220;
const TURN = 260;
const PLACE = 140;
const SOW = 70; // between two pits

/**
 * What a move does: the piece that `moves` along squares, and the squares on which one is `placed`, `taken` or `turned`.
 *
 * @param {Map<number, Element>} former  the squares of the picture before the move
 */
export function changes({ last, board }, former, squares) {
  const before = (square) => former.get(square)?.dataset.piece;
  const after = (square) => squares.get(square)?.dataset.piece;
  const all = [...squares.keys()];
  const target = [...last].reverse().find((square) => after(square) && after(square) !== before(square));
  const moves = last.length > 1 && target !== undefined && target !== last[0] && before(last[0]) && !after(last[0])
    ? last.slice(0, last.lastIndexOf(target) + 1) : [];
  const others = all.filter((square) => square !== target);
  return {
    moves,
    placed: target !== undefined && !moves.length && !board.drop ? [target] : [],
    fallen: target !== undefined && !moves.length && board.drop ? [target] : [],
    taken: all.filter((square) => before(square) && (square === target ? moves.length : !after(square) && square !== moves[0])),
    turned: others.filter((square) => before(square) && after(square) && before(square) !== after(square)),
  };
}

/** Whether one position is the other after one more move. */
export function isNext(before, after) {
  const [earlier, later] = [before?.moves, after.moves];
  return before?.game === after.game && later.length === earlier.length + 1 && earlier.every((move, i) => move === later[i]);
}

/** Animate a move on the squares of the picture after it. */
export function animateMove(position, changed, svg, squares, former) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { last, board } = position;
  if (board.steps) return checkers(last, svg, squares, former);
  if (board.kind === "Pits") return sow(last[0], squares, former);
  for (const square of changed.taken) fade(svg, former.get(square));
  for (const square of changed.turned) turn(squares.get(square));
  for (const square of changed.placed) place(squares.get(square));
  for (const square of changed.fallen) fly(svg, squares.get(square), [[0, -Number(squares.get(square).dataset.y)], [0, 0]], FALL, "ease-in");
  if (changed.moves.length) glide(svg, squares, changed.moves);
}

function glide(svg, squares, way) {
  const target = squares.get(way.at(-1));
  const offset = ({ dataset: { x, y } }) => [x - target.dataset.x, y - target.dataset.y];
  const path = way.map((square) => squares.get(square)).filter(Boolean).map(offset);
  fly(svg, target, path, GLIDE * Math.sqrt(path.length - 1), "ease-out");
}

/** Checkers of a stack: for each step, the uppermost one comes from where it was. */
function checkers(last, svg, squares, former) {
  for (let i = 0; i + 1 < last.length; i += 2) {
    const [from, to] = [former.get(last[i]), squares.get(last[i + 1])];
    const stone = to?.querySelector(".zb-top");
    if (!from || !stone) continue;
    fly(svg, to, [[from.dataset.x - to.dataset.x, from.dataset.top - to.dataset.top], [0, 0]], GLIDE + 60 * i, "ease-out", [stone]);
  }
}

/** The pits that have more or fewer seeds than before, in the order of their numbers from the one that is sown. */
function sow(first, squares, former) {
  const order = [...squares.keys()].sort((a, b) => a - b);
  const start = Math.max(0, order.indexOf(first));
  [...order.slice(start), ...order.slice(0, start)]
    .filter((square) => squares.get(square).getAttribute("aria-label") !== former.get(square)?.getAttribute("aria-label"))
    .forEach((square, i) => pulse(squares.get(square), SOW * i));
}

const contents = (square) => [...square.children].filter((part) => !part.matches(`${GROUNDS}, .zb-pit, .zb-store`));

/** Let what stands on a square come along a path of points, seen from it: a copy flies over all other squares. */
function fly(svg, square, path, duration, easing, parts = contents(square)) {
  const copy = s("g", { class: "flying", "aria-hidden": "true" }, ...parts.map((part) => part.cloneNode(true)));
  const turned = square.getAttribute("transform");
  const flying = s("g", turned ? { transform: turned } : {}, copy);
  const lifted = s("g", { "aria-hidden": "true" }, flying);
  svg.append(lifted);
  for (const part of parts) part.style.visibility = "hidden";
  const done = () => {
    lifted.remove();
    for (const part of parts) part.style.visibility = "";
  };
  lifted.animate({ translate: path.map(([x, y]) => `${x}px ${y}px`) }, { duration, easing }).finished.then(done, done);
}

/** What stood on a square of the picture before fades. */
function fade(svg, square) {
  const parts = contents(square).map((part) => part.cloneNode(true));
  const turned = square.getAttribute("transform");
  const ghost = s("g", { class: "flying", "aria-hidden": "true", ...(turned ? { transform: turned } : {}) }, ...parts);
  svg.insertBefore(ghost, svg.querySelector(".overlay"));
  const done = () => ghost.remove();
  ghost.animate({ opacity: [1, 0] }, { duration: FADE, easing: "ease-in" }).finished.then(done, done);
}

const turn = (square) => scaled(square, { scale: ["0 1", "1 1"] }, { duration: TURN, easing: "ease-out" });
const place = (square) => scaled(square, { scale: ["0.6", "1"], opacity: [0.3, 1] }, { duration: PLACE, easing: "ease-out" });
const pulse = (square, delay) => scaled(square, { scale: ["1", "1.25", "1"] }, { duration: 240, delay });

/** Animate what stands on a square about its middle, within a group of its own for as long as that takes. */
function scaled(square, frames, timing) {
  const parts = contents(square);
  if (!parts.length) return;
  const group = s("g", {});
  parts[0].before(group);
  group.append(...parts);
  group.style.transformOrigin = `${square.dataset.x}px ${square.dataset.y}px`;
  const done = () => group.isConnected && group.replaceWith(...group.childNodes);
  group.animate(frames, timing).finished.then(done, done);
}
