/** What is drawn over the picture of a board: chosen squares, targets, values of moves, hints and the best move. */

import { s } from "../lib/dom.js";
import { quality } from "../lib/move_quality.js";
import { better } from "../lib/value_text.js";
import { stepsOf } from "./checker_steps.js";
import { landing } from "./clicks.js";
import { arrow, badge, dot, ring, tint } from "./overlay.js";
import { number } from "./pointer.js";

/** The marks of a board; `next` has the moves by the squares that they may go to next. */
export function marksOf(board, next) {
  return new Marks(board).all(next).filter(Boolean);
}

class Marks {
  constructor(board) {
    this.board = board;
  }

  all(next) {
    const marks = this.board.hinted.map((square) => ring(this.#at(square), "hint"));
    const way = (squares) => this.#ways(this.board.position.board.steps ? squares : squares.slice(0, 2));
    marks.push(...way(this.board.hinted));
    const focused = document.activeElement?.closest?.(".square");
    if (this.board.byKeys && focused && this.board.picture.contains(focused)) {
      marks.push(ring(this.#at(number(focused)), "focus"));
    }
    marks.push(...this.board.chosen.map((square) => ring(this.#at(square), "chosen")));
    if (this.board.position.board.steps) marks.push(...this.#ways(this.board.chosen));
    const { over: under } = this.board.pointer;
    const over = under === null ? null : landing(this.board.legal, this.board.position.board, under, this.board.taken);
    for (const [square, moves] of next) marks.push(this.#target(square, moves, square === over));
    for (const [square, twin] of Object.entries(this.board.position.board.alike ?? {})) {
      if (next.has(twin) && !next.has(+square)) marks.push(this.#target(+square, next.get(twin), false));
    }
    if (!this.board.chosen.length) marks.push(...this.#bestMove(way));
    return marks;
  }

  /** An arrow along the best move, or a ring where it has one square alone. */
  #bestMove(way) {
    const arrows = way(this.board.best);
    return arrows.length ? arrows : this.board.best.slice(0, 1).map((square) => ring(this.#at(square), "best"));
  }

  /** An arrow for each step along these squares. */
  #ways(squares) {
    return stepsOf(squares).map(([from, to]) => arrow(tip(this.#at(from), "top"), tip(this.#at(to), "next")));
  }

  #target(square, moves, over) {
    const at = this.#at(square);
    const value = moves.map((move) => this.board.values[move.text]).filter(Boolean).reduce(better, null);
    if (over) return ring(at, "over");
    const leaves = !this.board.chosen.length && moves.every((move) => move.squares.length > 1); // its value stands at the target
    if (value && !leaves) return this.#valued(square, at, value);
    if (this.board.chosen.includes(square)) return ring(within(at), "taken"); // a move may come back to where it began
    const lands = this.board.chosen.length || moves.some((move) => move.squares.length === 1);
    const begins = this.board.position.board.steps && this.board.chosen.length % 2 === 0; // a step: mark the checker that can go
    if (lands && (at.full || begins)) return ring({ ...tip(at, "top"), height: at.size, round: true }, "taken");
    return !lands ? null : this.#free(square) ? dot(tip(at, "next")) : ring(at, "taken");
  }

  /** The value of a move on its square, tinted by how good the move is. */
  #valued(square, at, value) {
    const place = tip(at, "next");
    const best = Object.values(this.board.values).reduce(better, null);
    const mark = badge(place, value, !this.#free(square), this.board.turn, this.board.position.board);
    const { kind, drop } = this.board.position.board;
    const within = drop ? 0.84 : 1; // a hole is smaller than its square
    const ground = { ...at, round: at.round || kind === "Points", width: within * at.width, height: within * at.height };
    return at.next ? mark : s("g", {}, tint(ground, quality(best.share, value.share, value.player)), mark);
  }

  /** Whether nothing stands on a square; a pit or a pile counts its contents, and is marked around them. */
  #free(square) {
    const { piece, next } = this.board.squares.get(square).dataset;
    return !piece && (next || !["Pits", "Piles", "Scores"].includes(this.board.position.board.kind));
  }

  #at(square) {
    const found = this.board.squares.get(square).dataset;
    const [x, y, size, width, height] = ["x", "y", "size", "width", "height"].map((name) => Number(found[name]));
    const { kind, drop } = this.board.position.board;
    const round = (kind === "Pits" || drop) && width === height;
    const full = found.stack > 0 && found.top === found.next; // a stack that grows no higher
    return { x, y, size, width, height, round, full, top: found.top, next: found.next };
  }
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
