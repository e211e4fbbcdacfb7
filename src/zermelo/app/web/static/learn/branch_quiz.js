/** A quiz about the whole search: which branches will be cut off? The reader marks them, and each mark is judged with its inequality. */

import { h } from "../lib/dom.js";
import { drawn, inequality, nodesOf } from "./replay.js";
import { TreeView } from "./tree_view.js";

const NODES = ".zt-node[data-node], .zt-node[data-under]";

/** Why the record cannot be asked about, or an empty text. */
export function unfit(record) {
  const drawing = new DOMParser().parseFromString(record.svg, "image/svg+xml");
  if (drawing.querySelector(".zt-more, .zt-unknown")) {
    return "This tree is too large for the quiz: all of it must be seen. Take a smaller depth, or one of the trees above.";
  }
  if (record.trace.tree.length !== 1) return "This algorithm searches more than once; take another one for the quiz.";
  return "";
}

export class BranchQuiz {
  /**
   * @param {string} algorithm  as people call it
   * @param {() => void} reveal  called when the reader wants to see the search
   */
  constructor(root, record, algorithm, reveal) {
    this.record = record;
    this.algorithm = algorithm;
    this.reveal = reveal;
    this.nodes = nodesOf(record.trace);
    this.marked = new Set();
    this.answered = false;
    this.picture = h("div", { class: "tree" });
    this.picture.innerHTML = record.svg;
    this.verdict = h("div", { class: "quiz-verdict", "aria-live": "polite" });
    this.check = h("button", { type: "button", class: "primary", onclick: () => this.answer() }, "Check");
    const show = h("button", { type: "button", onclick: reveal }, "Show the search");
    root.classList.add("stepper", "quiz");
    root.replaceChildren(
      h("p", { class: "words" }, this.question()),
      this.picture,
      h("div", { class: "steps" }, this.check, show),
      this.verdict,
    );
    this.#prepare();
    const svg = this.picture.querySelector("svg");
    const view = new TreeView(this.picture, svg);
    view.refitted = () => view.reveal(svg.querySelector(".zt-node"), true);
  }

  question() {
    return `Which branches will ${this.algorithm} never visit? Successors are tried from left to right. Mark each at its top, then check.`;
  }

  /** Take all that the search has found out of the picture, and let its nodes be marked. */
  #prepare() {
    const svg = this.picture.querySelector("svg");
    for (const part of svg.querySelectorAll(".zt-bound, .zt-cut, .zt-known, .zt-snip, .zt-node:not(.zt-leaf) > .zt-value")) part.remove();
    for (const part of svg.querySelectorAll(".zt-pv, .zt-pruned")) part.classList.remove("zt-pv", "zt-pruned");
    svg.setAttribute("aria-label", "Game tree; mark the branches that will never be visited");
    for (const node of svg.querySelectorAll(NODES)) {
      if (node.dataset.node === String(this.record.trace.tree[0].number)) continue;
      this.#markable(node);
    }
    for (const title of svg.querySelectorAll("title")) title.remove();
  }

  #markable(node) {
    node.setAttribute("role", "button");
    node.setAttribute("tabindex", "0");
    node.setAttribute("aria-pressed", "false");
    node.setAttribute("aria-label", this.#label(node));
    node.addEventListener("click", () => this.toggle(node));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.toggle(node);
    });
  }

  /** A node's name, whether it will be visited or not: its title begins with it. */
  #label(node) {
    const title = node.querySelector("title").textContent;
    const value = node.querySelector(".zt-value")?.textContent;
    const name = title.slice(0, title.lastIndexOf(": "));
    return value ? `${name}, leaf ${value}` : name;
  }

  /** Mark a node, or take the mark away. */
  toggle(node) {
    if (this.answered) return;
    const on = !this.marked.has(node);
    this.marked[on ? "add" : "delete"](node);
    node.setAttribute("aria-pressed", on);
    node.classList.toggle("quiz-marked", on);
  }

  /** What a presenter's remote does: show the answer, then the search. */
  forward() {
    if (this.answered) this.reveal();
    else this.answer();
  }

  /** Say of every mark whether it is right, and which are missing. */
  answer() {
    this.answered = true;
    this.check.disabled = true;
    const found = [...this.marked].map((node) => this.#judge(node));
    const missed = [...this.nodes.values()].filter((node) => node.pruned && !this.#isMarked(node.number));
    for (const node of missed) this.#paint(node.number, "quiz-missed");
    const all = [...found, ...missed.map((node) => ({ right: false, text: `Missed: ${this.#why(node)}` }))];
    const right = all.every((one) => one.right);
    const summary = right
      ? all.length ? "All right." : "Right: nothing is cut off here."
      : `${all.filter((one) => one.right).length} of ${all.length} right.`;
    this.verdict.replaceChildren(
      h("p", { class: right ? "right" : "wrong" }, summary),
      h("ul", {}, all.map((one) => h("li", { class: one.right ? "right" : "wrong" }, one.text))),
    );
  }

  #isMarked(number) {
    return [...this.marked].some((node) => (node.dataset.node ?? node.dataset.under) === String(number));
  }

  #judge(element) {
    const above = element.dataset.under;
    const node = this.nodes.get(Number(above ?? element.dataset.node));
    element.classList.add(node.pruned ? "quiz-right" : "quiz-wrong");
    if (!node.pruned) return { right: false, text: `Wrong: ${node.name} is visited. ${this.#entered(node)}` };
    const inside = above === undefined ? "" : ` It is cut off at its top, ${node.name}.`;
    return { right: true, text: `Right: ${this.#why(node)}${inside}` };
  }

  /** Why a node is never visited: the cut-off at its parent. */
  #why(node) {
    const parent = this.nodes.get(node.parent);
    if (!parent.cut) return `${node.name} is never visited: the probe of ${parent.name} was enough.`;
    const owner = parent.cut.owner === null ? "the window" : parent.cut.owner;
    return `${node.name} is never visited, since ${inequality(parent.cut)} at ${parent.name}; the bound is that of ${owner}.`;
  }

  /** With which bounds a node was entered. */
  #entered(node) {
    const step = this.record.trace.steps.find((one) => one.action === "enter" && one.node === node.number);
    const { alpha_text: alpha, beta_text: beta } = step;
    return `When its turn comes, α = ${drawn(alpha)} and β = ${drawn(beta)}, and ${this.nodes.get(node.parent).name} has not reached a bound.`;
  }

  #paint(number, name) {
    this.picture.querySelector(`.zt-node[data-node="${number}"]`)?.classList.add(name);
  }
}
