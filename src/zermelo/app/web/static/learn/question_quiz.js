/** A quiz of questions with choices, about a recorded search: hints, a score, and the search itself as the answer. */

import { h, put } from "../lib/dom.js";
import { CodeListing } from "./code_listing.js";
import { questionsOf } from "./questions.js";
import { Tree } from "./search_tree.js";

/** Why a search has no question of this kind. */
const NONE = "This search has no such question. Take another kind of question, another algorithm or another tree.";

export class QuestionQuiz {
  /**
   * @param {object} record  a search, as the stepper takes it
   * @param {string} kind  one of KINDS
   * @param {number} at  the question to begin with
   * @param {object} page  asked(at): a question is shown; reveal(): show the search; another(): another tree;
   *   share(button): copy the link; explain(element): mark its terms
   */
  constructor(root, record, kind, at, page) {
    Object.assign(this, { record, page, at: 0, given: [], right: [] });
    this.parts = Object.fromEntries(["question", "choices", "judged", "score", "tree", "code", "buttons"].map((name) =>
      [name, h("div", { class: name })]));
    const { parts } = this;
    parts.judged.setAttribute("aria-live", "polite");
    parts.tree.tabIndex = 0;
    parts.tree.setAttribute("role", "region");
    parts.tree.setAttribute("aria-label", "The tree");
    parts.code.setAttribute("aria-label", "Pseudo-code");
    parts.code.setAttribute("role", "region");
    parts.code.tabIndex = 0;
    root.classList.add("stepper", "quiz");
    root.replaceChildren(h("div", { class: "asked" }, parts.question, parts.choices, parts.judged,
      h("div", { class: "steps" }, parts.buttons, parts.score)), h("div", { class: "study" }, parts.tree, parts.code));
    this.tree = new Tree(parts.tree, record);
    for (const title of parts.tree.querySelectorAll("title")) title.remove(); // which have the values
    this.code = new CodeListing(parts.code, record.trace.code);
    this.questions = questionsOf(record, this.tree, kind);
    root.addEventListener("keydown", (event) => this.#key(event));
    if (this.questions.length) this.ask(Math.max(0, Math.min(at, this.questions.length - 1)));
    else put(root, h("p", { class: "problem" }, NONE));
  }

  get question() {
    return this.questions[this.at];
  }

  /** Show a question; one that was answered already shows its answer too. */
  ask(at) {
    this.at = at;
    const { parts, question } = this;
    this.hinted = false;
    put(parts.question, h("p", { class: "words" }, question.text));
    this.page.explain(parts.question);
    put(parts.choices, question.choices.map((text, index) =>
      h("button", { type: "button", onclick: () => this.answer(index) }, h("kbd", { "aria-hidden": "true" }, index + 1), text)));
    parts.choices.setAttribute("role", "group");
    parts.choices.setAttribute("aria-label", "Answers");
    put(parts.judged);
    this.#show(question.before);
    if (this.given[at] !== undefined) this.#judge();
    this.#buttons();
    this.page.asked(at);
  }

  /** Take an answer; only the first one counts. */
  answer(index) {
    if (this.given[this.at] !== undefined || index >= this.question.choices.length) return;
    this.given[this.at] = index;
    this.right[this.at] = index === this.question.right;
    this.#judge();
    this.#buttons();
    this.parts.buttons.querySelector(".primary").focus();
  }

  hint() {
    if (this.given[this.at] !== undefined) return;
    put(this.parts.judged, h("p", { class: "hint" }, this.question.hint));
    this.page.explain(this.parts.judged);
  }

  /** Show the answer without a guess, then go on: what a presenter's remote does. */
  forward() {
    if (!this.questions.length) return;
    if (this.given[this.at] !== undefined) return this.#next();
    this.given[this.at] = -1;
    this.#judge();
    this.#buttons();
  }

  back() {
    if (this.at > 0) this.#turn(this.at - 1);
  }

  #next() {
    if (this.at + 1 < this.questions.length) this.#turn(this.at + 1);
    else this.#sum();
  }

  first() {
    this.#turn(0);
  }

  last() {
    this.#turn(this.questions.length - 1);
  }

  /** Show another question, and let the keyboard be at its answers. */
  #turn(at) {
    this.ask(at);
    (this.parts.choices.querySelector("button:enabled") ?? this.parts.buttons.querySelector("button")).focus();
  }

  /** The right answer and why; the tree shows what the search does. */
  #judge() {
    const { question, parts } = this;
    const given = this.given[this.at];
    [...parts.choices.children].forEach((button, index) => {
      button.disabled = true;
      button.classList.toggle("right", index === question.right);
      button.classList.toggle("wrong", index === given && index !== question.right);
    });
    const said = given < 0 ? "" : this.right[this.at] ? "Right. " : "Not quite. ";
    const name = given < 0 ? "shown" : this.right[this.at] ? "right" : "wrong";
    put(parts.judged, h("p", { class: name }, h("b", {}, said), `The answer is: ${question.choices[question.right]}. `,
      question.reason ?? "", " ", this.#words()));
    this.page.explain(parts.judged);
    this.#show(question.after);
  }

  /** What the search does at the step asked about. */
  #words() {
    const { after, before } = this.question;
    const from = Math.max(before, after - 2);
    const steps = this.record.trace.steps;
    return this.record.words.slice(from, after).filter((_, index) => ["cut", "leave", "update", "enter"].includes(steps[from + index].action)).at(-1) ?? "";
  }

  #show(count) {
    this.tree.show(count);
    this.tree.point(this.question.node);
    this.code.light(this.record.trace.steps[count - 1]?.line ?? null);
  }

  #buttons() {
    const button = (text, onclick, attributes = {}) => h("button", { type: "button", onclick, ...attributes }, text);
    const answered = this.given[this.at] !== undefined;
    const last = this.at + 1 === this.questions.length;
    put(this.parts.buttons,
      answered ? button(last ? "Finish" : "Next", () => this.#next(), { class: "primary" }) : button("Hint", () => this.hint(), { "aria-keyshortcuts": "h" }),
      this.at ? button("Back", () => this.back()) : null,
      button("Show the search", () => this.page.reveal(this.question.before)),
      button("Share question", (event) => this.page.share(event.currentTarget)));
    put(this.parts.score, `Question ${this.at + 1} of ${this.questions.length}${this.#score()}`);
  }

  #score() {
    const tried = this.right.filter((one) => one !== undefined).length;
    return tried ? ` · ${this.right.filter(Boolean).length} of ${tried} right` : "";
  }

  /** The end of the quiz. */
  #sum() {
    const tried = this.right.filter((one) => one !== undefined).length;
    const right = this.right.filter(Boolean).length;
    const praise = !tried ? "" : right === tried ? " All right." : right * 2 >= tried ? " Well done." : " Watch the search once, then try again.";
    put(this.parts.question, h("p", { class: "words" }, `The quiz is over: ${right} of ${tried} right.${praise}`));
    put(this.parts.choices);
    put(this.parts.judged);
    const again = h("button", { type: "button", onclick: () => (Object.assign(this, { given: [], right: [] }), this.ask(0)) }, "Again");
    const other = h("button", { type: "button", class: "primary", onclick: () => this.page.another() }, "Next tree");
    put(this.parts.buttons, other, again);
    put(this.parts.score);
    other.focus();
  }

  /** Digits answer, and h asks for a hint. */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (/^[1-9]$/.test(event.key)) this.answer(Number(event.key) - 1);
    else if (event.key === "h") this.hint();
  }
}
