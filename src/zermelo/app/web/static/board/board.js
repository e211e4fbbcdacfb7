/**
 * The board: the server's picture with clicks, drags, keys and marks.
 *
 * Squares are clicked, dragged between, or reached with the arrow keys. The chosen squares, the targets and the values of
 * moves are drawn over the picture, at the coordinates of its squares. No rule of any game is known here.
 */

import { h, s } from "../lib/dom.js";
import { sound } from "../lib/sound.js";
import { tag } from "../lib/value_text.js";
import { beginning, clicked, landing, targets } from "./clicks.js";
import { marksOf } from "./marks.js";
import { animateMove, changes, isNext } from "./motion.js";
import { Pointer, number } from "./pointer.js";
import { turnBoard } from "./turning.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MANY = 40; // targets that are marked faintly

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

  /** Show no position. */
  clear() {
    this.reset();
    this.position = this.svg = null;
    this.squares = new Map();
    this.picture.replaceChildren();
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
    const [width, height] = ["width", "height"].map((name) => Number(this.svg.getAttribute(name)));
    this.root.style.maxWidth = `min(var(--board-scale) * ${largest * width}px, var(--board-width), var(--board-height) * ${width / height})`;
    this.turn = turnBoard(this.picture, this.svg, position.board, flip);
    this.#name();
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
    if (event.key in ARROWS) this.focus(beside(square, this.squares, ARROWS[event.key]));
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
    this.overlay.replaceChildren(...marksOf(this, next));
  }
}

/** The sound of a move. */
function heard({ board, history }, { moves, taken, turned, fallen }) {
  if (history.at(-1)?.chance) return "place"; // the dice have sounded already
  if (board.kind === "Pits") return "sow";
  if (taken.length || turned.length) return "capture";
  return fallen.length ? "drop" : moves.length || board.steps ? "move" : "place";
}

/** The nearest of some squares in a direction, as the reader sees the board. */
function beside(square, squares, [dx, dy]) {
  const here = middle(square);
  let [best, nearest] = [square, Infinity];
  for (const other of squares.values()) {
    const [x, y] = [middle(other).x - here.x, middle(other).y - here.y];
    const along = x * dx + y * dy;
    const distance = along + 2.5 * Math.abs(x * dy + y * dx);
    if (along > 2 && distance < nearest) [best, nearest] = [other, distance];
  }
  return best;
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
