/**
 * The pointer on a board: a click on a square, or a drag from one to another.
 *
 * A piece is carried to where it is let go. Where a move is one square, the pointer may slide, and the square where it
 * is let go counts.
 */

import { h, s } from "../lib/dom.js";

export const GROUNDS = ".zb-cell, .zb-bright, .zb-dark, .zb-hole, .zb-hex, .zb-hit, .zb-point, .zb-lastring, .zb-along, .zb-lastline, title";
const CLICK_SLOP = 6; // pixels a pointer may stray within a click

export class Pointer {
  #down = null; // where it was pressed: {from, travels, x, y}
  #ghost = null; // what it carries

  constructor(board) {
    this.board = board;
    this.over = null; // the square under what is carried
  }

  press(event) {
    const from = number(event.target);
    if (event.button !== 0 || from === null || !this.board.legal.length) return;
    event.preventDefault(); // no selection of text, no drag of the browser's own
    this.#down = { from, travels: this.board.travels(from), x: event.clientX, y: event.clientY };
  }

  move({ clientX, clientY }) {
    const down = this.#down;
    if (!down) return;
    if (!this.#ghost && Math.hypot(clientX - down.x, clientY - down.y) > CLICK_SLOP) this.#lift(down);
    if (!this.#ghost) return;
    this.#ghost.style.translate = `${clientX}px ${clientY}px`;
    this.over = number(document.elementFromPoint(clientX, clientY));
    this.board.refresh();
  }

  release({ clientX, clientY }) {
    const [down, dragged] = [this.#down, this.#ghost !== null];
    this.drop();
    if (!down) return;
    const over = dragged ? number(document.elementFromPoint(clientX, clientY)) : down.from;
    if (over === null || (dragged && down.travels && over === down.from)) return this.board.refresh();
    this.board.focus(this.board.squares.get(over));
    this.board.click(over);
  }

  /** Carry nothing any more. */
  drop() {
    this.#ghost?.remove();
    this.board.squares.get(this.#down?.from)?.classList.remove("lifted");
    this.#down = this.#ghost = this.over = null;
  }

  #lift({ from, travels }) {
    const square = this.board.squares.get(from);
    this.#ghost = h("div", { class: "ghost" });
    this.#ghost.style.width = `${square.getBoundingClientRect().width}px`;
    if (travels && (square.dataset.piece || square.querySelector(".zb-top"))) this.#ghost.append(portrait(square, this.board.svg));
    else this.#ghost.classList.add("hand");
    document.body.append(this.#ghost);
    if (!travels || this.board.holds(from)) return;
    this.board.click(from);
    square.classList.add("lifted");
  }
}

/** The number of the square to which an element belongs; null for none. */
export function number(element) {
  const square = element?.closest?.(".square[data-square]");
  return square ? Number(square.dataset.square) : null;
}

/** A picture of what stands on a square, without its ground; of a stack, the uppermost. */
function portrait(square, svg) {
  const { x, size, top } = square.dataset;
  const y = top ?? square.dataset.y;
  const copy = (square.querySelector(".zb-top") ?? square).cloneNode(true);
  copy.removeAttribute("transform");
  for (const ground of copy.querySelectorAll(GROUNDS)) ground.remove();
  const box = `${x - size / 2} ${y - size / 2} ${size} ${size}`;
  const { sides } = svg.dataset;
  return s("svg", { class: "zermelo-board", "data-sides": sides, viewBox: box }, svg.querySelector("style").cloneNode(true), copy);
}
