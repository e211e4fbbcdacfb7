/**
 * The board: the server's picture with clicks, drags, keys and marks.
 *
 * Squares are clicked, dragged between, or reached with the arrow keys. The chosen squares, the targets and the values of
 * moves are drawn over the picture, at the coordinates of its squares. No rule of any game is known here.
 */

import { h, s } from "../lib/dom.js";
import { sound } from "../lib/sound.js";
import { better, tag } from "../lib/value_text.js";
import { stepsOf } from "./checker_steps.js";
import { beginning, clicked, landing, targets } from "./clicks.js";
import { paintEdges } from "./edges.js";
import { animateMove, changes, isNext } from "./motion.js";
import { arrow, badge, dot, ring, tint, upright } from "./overlay.js";
import { quality } from "../lib/move_quality.js";
import { Pointer, number } from "./pointer.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MANY = 40; // targets that are marked faintly
const OPPOSITE = { start: "end", middle: "middle", end: "start" };

export class Board {
  /**
   * @param {HTMLElement} root
   * @param {(text: string) => void} play  called with the text of the move chosen
   * @param {(message: string) => void} onClick  called after a click: with a message if it starts no move, else with ""
   */
  constructor(root, play, onClick) {
    this.root = root;
    this.play = play;
    this.onClick = onClick;
    this.picture = h("div", { class: "picture" });
    this.chooser = h("div", { class: "chooser", role: "group", "aria-label": "Which move?", hidden: true });
    root.replaceChildren(this.picture, this.chooser);
    this.pointer = new Pointer(this);
    this.squares = new Map();
    this.legal = [];
    this.focused = null;
    this.byKeys = false;
    this.taken = (square) => Boolean(this.squares.get(square)?.dataset.piece);
    this.reset();
    this.#listen();
  }

  reset() {
    this.chosen = [];
    this.values = {};
    this.hinted = [];
    this.best = [];
    this.pointer.drop();
    this.#choose([]);
  }

  /** Show a position. The squares answer only where `enabled`, and to moves that touch no square beyond the board. */
  show(position, { enabled, flip }) {
    const held = this.picture.contains(document.activeElement);
    this.reset();
    const [before, former] = [this.position, this.squares];
    this.position = position;
    this.picture.innerHTML = position.svg;
    this.svg = this.picture.querySelector("svg");
    this.overlay = s("g", { class: "overlay", "aria-hidden": "true" });
    this.svg.append(this.overlay);
    const largest = position.board.turns ? 2.2 : 1.5; // cells of 105 pixels, texts of 22
    this.root.style.maxWidth = `min(var(--board-scale) * ${largest * this.svg.getAttribute("width")}px, var(--board-width))`;
    this.#flip(flip);
    this.#name();
    paintEdges(position.game, this.svg, this.squares);
    const drawn = (move) => move.squares.every((square) => this.squares.has(square));
    this.legal = enabled ? position.legal.filter(drawn) : [];
    this.refresh();
    if (isNext(before, position)) this.#happen(former);
    if (held) this.focus(this.squares.get(this.focused) ?? this.squares.values().next().value);
  }

  /** Show and sound what the last move has done. */
  #happen(former) {
    const { position, svg, squares } = this;
    const changed = changes(position, former, squares);
    animateMove(position, changed, svg, squares, former);
    sound(heard(position, changed));
  }

  /** Paint the values of moves, by their texts, on the squares they go to. */
  paint(values) {
    this.values = values;
    this.refresh();
  }

  /** Draw an arrow along the best move. */
  point(squares) {
    this.best = squares.filter((square) => this.squares.has(square));
    this.refresh();
  }

  /** Point out the squares of a move. */
  hint(squares) {
    this.hinted = squares;
    this.refresh();
  }

  /** Turn the board round, or mirror one on which pieces fall; what stands on it stays upright. */
  #flip(flip) {
    const { turns, drop } = this.position.board;
    this.turn = flip && turns ? (drop ? "mirrored" : "turned") : "";
    this.picture.className = `picture ${this.turn}`;
    if (!this.turn) return;
    if (this.position.board.kind === "Tables") this.#renumber();
    for (const square of this.svg.querySelectorAll(".square:not([data-stack]), .die")) {
      square.setAttribute("transform", upright(this.turn, square.dataset.x, square.dataset.y));
    }
    for (const label of this.svg.querySelectorAll(":scope > text, .hand, [data-stack] text")) {
      const { x, y } = label.dataset; // the middle of a table, which is turned as a whole
      label.setAttribute("transform", upright(this.turn, x ?? label.getAttribute("x"), y ?? label.getAttribute("y")));
      if (!x) label.setAttribute("text-anchor", OPPOSITE[label.getAttribute("text-anchor")]);
    }
  }

  /** Number the points of tables as the player counts them who sits below. */
  #renumber() {
    const count = this.svg.querySelectorAll("[data-name^='point ']").length;
    const other = (text) => text.replace(/^(point )?(\d+)/, (_, word, number) => (word ?? "") + (count + 1 - number));
    for (const label of this.svg.querySelectorAll(":scope > text")) label.textContent = other(label.textContent);
    for (const point of this.svg.querySelectorAll("[data-name^='point ']")) {
      for (const name of ["data-name", "aria-label"]) point.setAttribute(name, other(point.getAttribute(name) ?? ""));
      const title = point.querySelector("title");
      if (title) title.textContent = other(title.textContent);
    }
  }

  #name() {
    const found = [...this.svg.querySelectorAll(".square[data-square]")];
    this.squares = new Map(found.map((square) => [Number(square.dataset.square), square]));
    this.svg.setAttribute("role", this.squares.size ? "group" : "img");
    for (const square of found) {
      square.setAttribute("role", "button");
      square.setAttribute("tabindex", "-1");
    }
    const first = this.squares.get(this.focused) ?? found[0];
    first?.setAttribute("tabindex", "0");
  }

  // -- choosing ------------------------------------------------------------------------------------------------------

  #listen() {
    const { picture } = this;
    // the focus ring is for the keyboard: scripts set the focus after clicks, too
    document.addEventListener("pointerdown", () => (this.byKeys = false), true);
    document.addEventListener("keydown", () => (this.byKeys = true), true);
    picture.addEventListener("pointerdown", (event) => this.pointer.press(event));
    picture.addEventListener("pointermove", (event) => this.pointer.move(event));
    picture.addEventListener("pointerup", (event) => this.pointer.release(event));
    picture.addEventListener("pointercancel", () => this.pointer.drop());
    picture.addEventListener("keydown", (event) => this.#key(event));
    picture.addEventListener("focusin", () => this.refresh());
    picture.addEventListener("focusout", () => this.refresh());
  }

  /** A click on a square: it starts a move, continues one, or plays it. */
  click(square) {
    const before = this.chosen;
    const { chosen, ready, playable } = clicked(this.legal, this.position.board, before, square, this.taken);
    this.chosen = chosen;
    this.hinted = [];
    if (playable) return this.#done(ready[0].text);
    this.onClick(chosen.length || before.includes(square) ? "" : this.#message(square, before));
    this.#choose(ready);
    this.refresh();
  }

  /** The message on a click that starts no move. */
  #message(square, before) {
    const [name] = (this.squares.get(square).getAttribute("aria-label") ?? "this square").split(":");
    if (!this.legal.length) return "";
    if (!this.legal.some((move) => move.squares.includes(square))) return `No move touches ${name}.`;
    return before.length ? "Choose a square that is marked." : `No move begins at ${name}.`;
  }

  #done(text) {
    this.chosen = [];
    this.#choose([]);
    this.refresh();
    this.play(text);
  }

  #choose(moves) {
    const button = (move) => {
      const value = this.values[move.text];
      const go = () => this.#done(move.text);
      return h("button", { type: "button", onclick: go }, move.text, value ? tag(value, this.position.board) : null);
    };
    this.chooser.replaceChildren(...moves.map(button));
    this.chooser.hidden = !moves.length;
    if (moves.length) this.chooser.firstChild.focus();
  }

  /** Whether something goes from this square to another. */
  travels(square) {
    return beginning(this.legal, this.position.board, [square]).some((move) => move.squares.length > 1);
  }

  /** Whether a piece is chosen already, so that it need only be carried. */
  holds(square) {
    const { chosen } = this;
    return this.position.board.steps ? chosen.length % 2 && chosen.at(-1) === square : chosen.includes(square);
  }

  // -- the keyboard --------------------------------------------------------------------------------------------------

  #key(event) {
    const square = event.target.closest?.(".square");
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in ARROWS) this.focus(this.#beside(square, ARROWS[event.key]));
    else if (event.key === "Enter" || event.key === " ") this.click(number(square));
    else if (event.key === "Escape") this.#cancel();
    else return;
    event.preventDefault();
  }

  #cancel() {
    this.chosen = [];
    this.#choose([]);
    this.refresh();
  }

  /** The nearest square in a direction, as the reader sees the board. */
  #beside(square, [dx, dy]) {
    const here = middle(square);
    let [best, nearest] = [square, Infinity];
    for (const other of this.squares.values()) {
      const [x, y] = [middle(other).x - here.x, middle(other).y - here.y];
      const along = x * dx + y * dy;
      const distance = along + 2.5 * Math.abs(x * dy + y * dx);
      if (along > 2 && distance < nearest) [best, nearest] = [other, distance];
    }
    return best;
  }

  focus(square) {
    if (!square) return;
    for (const other of this.squares.values()) other.setAttribute("tabindex", other === square ? "0" : "-1");
    this.focused = number(square);
    square.focus({ preventScroll: true });
  }

  // -- what is drawn over the picture --------------------------------------------------------------------------------

  refresh() {
    if (!this.svg) return;
    const next = targets(this.legal, this.position.board, this.chosen);
    for (const [square, element] of this.squares) {
      const reachable = next.has(landing(this.legal, this.position.board, square, this.taken));
      element.classList.toggle("open", reachable);
      element.classList.toggle("travels", this.travels(square));
    }
    this.picture.classList.toggle("carries", this.legal.some((move) => move.squares.length > 1));
    this.overlay.classList.toggle("many", !this.chosen.length && next.size > MANY);
    this.overlay.replaceChildren(...this.#marks(next).filter(Boolean));
  }

  #marks(next) {
    const marks = this.hinted.map((square) => ring(this.#at(square), "hint"));
    const way = (squares) => this.#ways(this.position.board.steps ? squares : squares.slice(0, 2));
    marks.push(...way(this.hinted));
    const focused = document.activeElement?.closest?.(".square");
    if (this.byKeys && focused && this.picture.contains(focused)) {
      marks.push(ring(this.#at(number(focused)), "focus"));
    }
    marks.push(...this.chosen.map((square) => ring(this.#at(square), "chosen")));
    if (this.position.board.steps) marks.push(...this.#ways(this.chosen));
    const { over: under } = this.pointer;
    const over = under === null ? null : landing(this.legal, this.position.board, under, this.taken);
    for (const [square, moves] of next) marks.push(this.#target(square, moves, square === over));
    if (!this.chosen.length) marks.push(...this.#bestMove(way));
    return marks;
  }

  /** An arrow along the best move, or a ring where it has one square alone. */
  #bestMove(way) {
    const arrows = way(this.best);
    return arrows.length ? arrows : this.best.slice(0, 1).map((square) => ring(this.#at(square), "best"));
  }

  /** An arrow for each step along these squares. */
  #ways(squares) {
    return stepsOf(squares).map(([from, to]) => arrow(tip(this.#at(from), "top"), tip(this.#at(to), "next")));
  }

  #target(square, moves, over) {
    const at = this.#at(square);
    const value = moves.map((move) => this.values[move.text]).filter(Boolean).reduce(better, null);
    if (over) return ring(at, "over");
    const leaves = !this.chosen.length && moves.every((move) => move.squares.length > 1); // its value stands at the target
    if (value && !leaves) return this.#valued(square, at, value);
    if (this.chosen.includes(square)) return ring(within(at), "taken"); // a move may come back to where it began
    const lands = this.chosen.length || moves.some((move) => move.squares.length === 1);
    const begins = this.position.board.steps && this.chosen.length % 2 === 0; // a step: mark the checker that can go
    if (lands && (at.full || begins)) return ring({ ...tip(at, "top"), height: at.size, round: true }, "taken");
    return !lands ? null : this.#free(square) ? dot(tip(at, "next")) : ring(at, "taken");
  }

  /** The value of a move on its square, tinted by how good the move is. */
  #valued(square, at, value) {
    const place = tip(at, "next");
    const best = Object.values(this.values).reduce(better, null);
    const mark = badge(place, value, !this.#free(square), this.turn, this.position.board);
    const { kind, drop } = this.position.board;
    const within = drop ? 0.84 : 1; // a hole is smaller than its square
    const ground = { ...at, round: at.round || kind === "Points", width: within * at.width, height: within * at.height };
    return at.next ? mark : s("g", {}, tint(ground, quality(best.share, value.share, value.player)), mark);
  }

  /** Whether nothing stands on a square; a pit or a pile counts its contents, and is marked around them. */
  #free(square) {
    return !this.squares.get(square).dataset.piece && !["Pits", "Piles"].includes(this.position.board.kind);
  }

  #at(square) {
    const found = this.squares.get(square).dataset;
    const [x, y, size, width, height] = ["x", "y", "size", "width", "height"].map((name) => Number(found[name]));
    const { kind, drop } = this.position.board;
    const round = (kind === "Pits" || drop) && width === height;
    const full = found.stack > 0 && found.top === found.next; // a stack that grows no higher
    return { x, y, size, width, height, round, full, top: found.top, next: found.next };
  }
}

/** The sound of a move. */
function heard({ board, history }, { moves, taken, turned, fallen }) {
  if (history.at(-1)?.chance) return "place"; // the dice have sounded already
  if (board.kind === "Pits") return "sow";
  if (taken.length || turned.length) return "capture";
  return fallen.length ? "drop" : moves.length || board.steps ? "move" : "place";
}

/** Where on a stack the uppermost checker lies, or the next would; elsewhere the middle of a square. */
function tip(at, end) {
  return { ...at, y: Number(at[end] ?? at.y) };
}

/** A place inside another, so that its ring is seen beside the other's. */
function within(at) {
  const gap = at.size * 0.2;
  return { ...at, width: at.width - gap, height: at.height - gap };
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
