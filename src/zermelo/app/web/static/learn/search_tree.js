/** The tree of a search, drawn as it is after any step. */

import { drawn, nodesOf, pictureAt } from "./replay.js";

const MIN_SCALE = 0.62; // the scale at which the small texts of a tree can still be read
const PARTS = "[data-node], [data-under], [data-to-node], [data-to-under]";

/** The tree of a record as a live picture: shows any moment of the search. */
export class Tree {
  /** @param {() => void} [resized]  called when the size of the tree changes */
  constructor(root, record, resized = () => {}) {
    this.record = record;
    this.resized = resized;
    this.nodes = nodesOf(record.trace);
    root.innerHTML = record.svg;
    this.root = root;
    this.svg = root.querySelector("svg");
    this.width = Number(this.svg.getAttribute("width"));
    this.fits = true;
    new ResizeObserver(() => this.fit()).observe(root);
    this.shown = new Map();
    this.parts = new Map(); // nodes, lines and what lies below a cut, by number
    for (const part of this.svg.querySelectorAll(PARTS)) {
      const { node, under, toNode, toUnder } = part.dataset;
      const number = Number(node ?? under ?? toNode ?? toUnder);
      if (node !== undefined) this.shown.set(number, part);
      this.parts.set(number, [...(this.parts.get(number) ?? []), part]);
    }
  }

  /** Show the search after `count` steps; at the end of the trace, what was never visited is known as well. */
  show(count) {
    const { trace } = this.record;
    const picture = pictureAt(trace, this.nodes, count);
    const over = count === trace.steps.length;
    const step = trace.steps[count - 1];
    const now = step && step.node >= 0 ? this.visible(step.node) : null;
    const line = new Set(trace.tree.flatMap((root) => principal(root.number, picture.best, this.nodes)));
    for (const [number, parts] of this.parts) {
      const unseen = { state: over && this.nodes.get(number).pruned ? "pruned" : "future" };
      const seen = picture.nodes.get(number) ?? unseen;
      for (const part of parts) mark(part, seen.state, line.has(number));
      const element = this.shown.get(number);
      element?.classList.toggle("zt-now", number === now);
      if (element) write(element, seen);
    }
    this.now = this.shown.get(now ?? trace.tree[0].number);
    this.#reveal();
    return picture;
  }

  /** What stands in a node; of a leaf, that is its value. */
  text(number) {
    return this.shown.get(number)?.querySelector(".zt-value")?.textContent ?? "";
  }

  /** Ring a node, without any step: a question is about it. */
  point(number) {
    for (const element of this.svg.querySelectorAll(".zt-asked")) element.classList.remove("zt-asked");
    this.shown.get(this.visible(number))?.classList.add("zt-asked");
  }

  /** Draw the tree as wide as there is room, if it can be read so, or in its own size. */
  fit(fits = this.fits) {
    this.fits = fits;
    const scale = fits ? Math.min(1, Math.max(MIN_SCALE, this.root.clientWidth / this.width)) : 1;
    this.svg.style.width = `${scale * this.width}px`;
    this.svg.style.height = "auto";
    if (this.now) this.#reveal(true);
    this.resized();
  }

  /** Whether there is room for the tree in its own size. */
  get roomy() {
    return this.width <= this.root.clientWidth;
  }

  /** The node itself, or the nearest above it that the picture has. */
  visible(number) {
    while (number !== null && !this.shown.has(number)) number = this.nodes.get(number).parent;
    return number;
  }

  /** Scroll the picture, and not the page, until the node at hand is in view. */
  #reveal(centred = false) {
    const box = this.now.getBoundingClientRect();
    const frame = this.root.getBoundingClientRect();
    if (centred || box.left < frame.left + 60 || box.right > frame.right - 90) {
      this.root.scrollLeft += (box.left + box.right) / 2 - (frame.left + frame.right) / 2;
    }
  }
}

function mark(part, state, best) {
  for (const name of ["pruned", "future", "open"]) part.classList.toggle(`zt-${name}`, state === name);
  part.classList.toggle("zt-pv", best);
}

function write(element, seen) {
  const leaf = element.classList.contains("zt-leaf");
  const put = (name, text, index = 0) => {
    const label = element.querySelectorAll(`.zt-${name}`)[index];
    if (label) label.textContent = text;
  };
  const visited = seen.state === "open" || seen.state === "done";
  if (!leaf) put("value", visited ? seen.value : "");
  const bounds = visited ? [drawn(seen.alpha), drawn(seen.beta)] : ["", ""];
  if (leaf) put("bound", visited ? `(${bounds.join(", ")})` : "");
  else bounds.forEach((text, index) => put("bound", text && `${"αβ"[index]} ${text}`, index));
  put("cut", seen.cut ?? "");
  put("known", seen.known ? "known" : "");
}

function principal(number, best, nodes) {
  const line = [];
  while (number !== undefined && (line.length || best.has(number))) {
    line.push(number);
    number = nodes.get(number).kind === "chance" ? undefined : best.get(number);
  }
  return line;
}
