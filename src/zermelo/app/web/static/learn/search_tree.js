/** The tree of a search, drawn as it is after any step. */

import { drawn, nodesOf, pictureAt } from "./replay.js";
import { TreeView } from "./tree_view.js";

const PARTS = "[data-node], [data-under], [data-to-node], [data-to-under]";

/** The tree of a record as a live picture: shows any moment of the search. */
export class Tree {
  constructor(root, record) {
    this.record = record;
    this.nodes = nodesOf(record.trace);
    root.innerHTML = record.svg;
    this.svg = root.querySelector("svg");
    this.view = new TreeView(root, this.svg);
    this.view.refitted = () => this.now && this.view.reveal(this.now, true);
    this.shown = new Map();
    this.folded = new Map(); // from symmetric siblings to the node that stands for them
    this.parts = new Map(); // nodes, lines and what lies below a cut, by number
    for (const part of this.svg.querySelectorAll(PARTS)) {
      const { node, under, toNode, toUnder } = part.dataset;
      const number = Number(node ?? under ?? toNode ?? toUnder);
      if (node !== undefined) this.shown.set(number, part);
      for (const folded of part.dataset.folds?.split(" ") ?? []) this.folded.set(Number(folded), number);
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
    this.view.reveal(this.now, count === 0);
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

  /** The node itself, the one that it is folded behind, or the nearest above it that the picture has. */
  visible(number) {
    while (number !== null && !this.shown.has(number)) number = this.folded.get(number) ?? this.nodes.get(number).parent;
    return number;
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
