/**
 * Learn: a textbook search, step by step, on the position of the page or on a typed tree.
 *
 * A typed tree is a game like any other, so it is in the address, and so are the settings, the step and the quiz: a link
 * leads to step 16 of alpha-beta with the worst move first.
 */

import { get } from "../lib/api.js";
import { $, h, options } from "../lib/dom.js";
import { sentence } from "../page/notices.js";
import { BranchQuiz, unfit } from "./branch_quiz.js";
import { Glossary } from "./glossary.js";
import { Lecture } from "./lecture.js";
import { LessonForm } from "./lesson_form.js";
import { ALGORITHMS, CHANCE, randomTree, treeOf } from "./lessons.js";
import { NodeBoard } from "./node_board.js";
import { QuestionQuiz } from "./question_quiz.js";
import { KINDS } from "./questions.js";
import { nodesOf, stopsOf } from "./replay.js";
import { Stepper } from "./stepper.js";

const FITTING = "3"; // the depth of a game's tree, or less where that would not fit
const MOST_UNFOLDED = 40; // nodes whose symmetric successors are shown one by one

/** The mode; the page makes it once. */
export async function learn(page) {
  addStyle("stepper.css");
  addStyle("learn.css");
  const learn = new Learn($("learn"), page, await Glossary.load(document.body));
  return { show: () => learn.visit(), halt() {} };
}

function addStyle(file) {
  const href = new URL(file, import.meta.url).href;
  if (![...document.styleSheets].some((sheet) => sheet.href === href)) {
    document.head.append(h("link", { rel: "stylesheet", href }));
  }
}

class Learn {
  constructor(root, page, glossary) {
    Object.assign(this, { page, glossary, asked: 0, step: 0, quiz: "", question: 0, unfold: new Set() });
    this.form = new LessonForm({
      changed: (name) => this.#changed(name),
      open: (tree, settings) => this.#open(tree, settings),
      position: () => this.position && this.#navigate(this.position),
      random: () => this.#open(randomTree()),
    }, glossary);
    this.board = new NodeBoard((path, params) => this.#api(path, params));
    this.lecture = new Lecture(root, { driver: () => this.driver, ended: () => this.#lectured() });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.stage = h("div", { class: "stage-of-learn" });
    root.classList.add("learn");
    this.root = root;
    root.addEventListener("click", ({ target }) => this.#fold(target));
    root.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && this.#fold(event.target) && event.preventDefault());
    root.replaceChildren(this.form.element, this.problem, this.stage, glossary.list());
  }

  // -- what is searched, and how ------------------------------------------------------------------------------------------

  #open(tree, settings) {
    const game = `game_tree(${JSON.stringify(tree.trim())})`;
    if (tree.trim()) this.#navigate({ game, start: "", moves: [] }, settings);
  }

  #navigate(where, settings) {
    const lesson = { ...this.page.address.learn, depth: "", step: "", question: "", unfold: "", ...settings };
    this.page.go({ ...where, mode: "learn", learn: lesson });
  }

  #api(path, params) {
    return get(path, params, { waiting: this.page.waiting });
  }

  #changed(name) {
    this.step = this.question = 0;
    this.unfold.clear();
    if (name === "depth") this.fits = false;
    else if (this.fits) this.form.fields.depth.value = FITTING; // another algorithm may go deeper
    this.search();
  }

  /** What the settings are where the address does not say; of the tree of a game, as much is shown as fits. */
  #usual() {
    return { algorithm: this.chances ? "star1" : "alphabeta", depth: this.#isGame() ? FITTING : "", fail: "soft", cut: "equal",
      order: "", window: "", nodes: "boards", symmetry: "fold" };
  }

  #isGame() {
    return treeOf(this.where.game) === null;
  }

  /** The settings, the step and the question as the address has them: empty where they are as usual. */
  #lesson() {
    const step = this.step ? String(this.step) : "";
    const question = this.quiz && this.question ? String(this.question + 1) : "";
    return { ...this.form.lesson(this.#usual(), this.fits), unfold: [...this.unfold].join(","), step, quiz: this.quiz, question,
      lecture: this.lecture.on ? "1" : "" };
  }

  #set(lesson) {
    const problems = this.form.set(lesson, this.#usual());
    this.fits = this.#isGame() && !this.form.lesson(this.#usual(), false).depth; // the server chooses a depth that can be shown
    this.step = Math.max(0, Math.trunc(Number(lesson.step))) || 0;
    this.question = Math.max(0, Math.trunc(Number(lesson.question)) - 1) || 0;
    this.quiz = KINDS.some(([kind]) => kind === lesson.quiz) ? lesson.quiz : lesson.quiz ? KINDS[0][0] : "";
    if (lesson.quiz && this.quiz !== lesson.quiz) problems.push(`There is no quiz ${lesson.quiz}, so that it asks all kinds of questions.`);
    this.unfold = new Set(lesson.unfold.split(",").filter((number) => /^\d{1,4}$/.test(number)).slice(0, MOST_UNFOLDED));
    if (lesson.lecture === "1") this.lecture.begin(false);
    else this.lecture.end();
    for (const name of ["step", "question"]) {
      if (lesson[name] && !/^\d+$/.test(lesson[name])) problems.push(`${name}=${lesson[name]} is no number, so that it is the first one.`);
    }
    return problems;
  }

  #remember() {
    this.page.remember(this.#lesson());
  }

  /** The page shows another position, or the address has other settings. */
  async visit() {
    const { game, start, at, learn: lesson } = this.page.address;
    const moves = this.page.address.moves.slice(0, at);
    const chances = Boolean(this.page.position?.chances);
    const where = { game, start, moves: moves.join(" ") };
    const same = (one, two) => JSON.stringify(one) === JSON.stringify(two);
    const known = (given) => Object.fromEntries(Object.keys(this.#lesson()).map((name) => [name, given[name] ?? ""]));
    if (same(where, this.where) && same(known(lesson), this.#lesson())) return;
    this.where = where;
    const tree = treeOf(game);
    this.chances = tree === null ? chances : tree.includes("[");
    this.warnings = this.#set(lesson);
    if (tree === null) this.position = { game, start, moves };
    this.form.show(tree);
    this.root.dataset.game = game.replace(/\(.*$/s, "");
    await this.search();
  }

  /** Ask the server for the search, and show it. */
  async search() {
    const number = ++this.asked;
    const params = { ...this.where, ...this.form.params(this.#isGame()), fit: this.fits };
    if (params.fold) params.unfold = [...this.unfold].join(",");
    this.#remember();
    this.stage.setAttribute("aria-busy", "true");
    try {
      const record = await this.#api("tree", params);
      if (number !== this.asked) return;
      this.record = record;
      if (this.fits && record.depth !== null) this.form.fields.depth.value = record.depth;
      this.#warn();
      this.#show();
    } catch (error) {
      if (number === this.asked) this.#refuse(error, params.algorithm);
    } finally {
      if (number === this.asked) this.stage.removeAttribute("aria-busy");
    }
  }

  /** Say once what the address had that could not be used. */
  #warn() {
    this.problem.textContent = this.warnings?.join(" ") ?? "";
    this.problem.hidden = !this.problem.textContent;
    this.warnings = [];
  }

  /** A sentence; where only chance was in the way, the algorithm that copes with it instead. */
  #refuse(error, algorithm) {
    if (/chance moves/.test(error.message) && !CHANCE.includes(algorithm)) {
      this.form.fields.algorithm.value = algorithm === "alphabeta" ? "star1" : "expectiminimax";
      return this.search();
    }
    this.stepper?.pause();
    this.stage.replaceChildren();
    this.problem.textContent = sentence(error.message);
    this.problem.hidden = false;
  }

  // -- watching, or a quiz ------------------------------------------------------------------------------------------------

  /** Two buttons: watch the search, or say first what it will do; and which kind of question. */
  #modes() {
    const button = (quiz, text) => h("button", { type: "button", "aria-pressed": String(Boolean(quiz) === Boolean(this.quiz)),
      onclick: () => this.#turn(quiz) }, text);
    const kinds = h("select", { "aria-label": "Kind of question", onchange: () => this.#turn(kinds.value) },
      options(KINDS, this.quiz || KINDS[0][0]));
    const lecture = h("button", { type: "button", class: "lecture-button", title: "Full screen, in large type, for a presenter's remote",
      onclick: () => this.#present() }, this.lecture.on ? "End lecture" : "Lecture");
    return h("div", { class: "modes", role: "group", "aria-label": "Mode" }, button("", "Watch"), button(kinds.value, "Quiz"),
      this.quiz ? kinds : null, this.lecture.on ? h("h1", {}, this.#title()) : null, lecture);
  }

  /** What the lecture is about. */
  #title() {
    const algorithm = Object.fromEntries(ALGORITHMS)[this.record.result.algorithm];
    return this.#isGame() ? `${algorithm} · ${document.title.split(" · ")[0]}` : algorithm;
  }

  /** Begin the lecture, or end it. */
  #present() {
    if (this.lecture.on) return this.lecture.end();
    this.lecture.begin(true);
    this.#lectured();
    this.stage.querySelector(".tree")?.focus();
  }

  /** The lecture has begun, or ended: the address says so, and all is drawn in its new size. */
  #lectured() {
    this.#remember();
    this.#show();
  }

  /** Watch the search (an empty text), or begin a quiz of this kind. */
  #turn(quiz) {
    const again = document.activeElement?.matches(".modes select") ? ".modes select" : '.modes [aria-pressed="true"]';
    Object.assign(this, { quiz, question: 0 });
    this.#remember();
    this.#show();
    this.stage.querySelector(again)?.focus();
  }

  #show() {
    if (!this.record) return;
    this.stepper?.pause();
    const inside = h("div", {});
    this.stage.replaceChildren(this.#modes(), inside);
    this.board.clear();
    this.driver = null;
    if (this.quiz) return this.#ask(inside);
    this.nodes = nodesOf(this.record.trace);
    this.driver = this.stepper = new Stepper(inside, this.record, { at: this.step, onNode: (node, at) => this.#stepped(node, at),
      explain: (element) => this.glossary.mark(element) });
    inside.querySelector(".figures").append(this.board.element);
    inside.addEventListener("click", ({ target }) => {
      const node = target.closest?.(".zt-node[data-node]");
      if (node) this.#look(Number(node.dataset.node));
    });
  }

  #stepped(node, at) {
    this.step = at;
    this.#remember();
    this.#look(node);
  }

  /** Show the board of the node that a step is about, or that was clicked; a typed tree has none. */
  #look(number) {
    if (!this.#isGame() || number === null || number < 0) return;
    const path = [];
    for (let at = number; at !== null; at = this.nodes.get(at).parent) path.unshift(this.nodes.get(at).move);
    this.board.look(this.where, path.filter(Boolean));
  }

  /** Show the symmetric siblings of a mark that was clicked, or fold them again. Return whether it was such a mark. */
  #fold(target) {
    const parent = target.closest?.(".zt-fold")?.dataset.fold;
    if (parent === undefined) return false;
    if (!this.unfold.delete(parent) && this.unfold.size < MOST_UNFOLDED) this.unfold.add(parent);
    this.search().then(() => this.stage.querySelector(`.zt-fold[data-fold="${parent}"]`)?.focus());
    return true;
  }

  #ask(inside) {
    const why = this.quiz === "branches" ? unfit(this.record) : "";
    if (why) return inside.append(h("p", { class: "problem" }, why));
    const algorithm = Object.fromEntries(ALGORITHMS)[this.record.result.algorithm];
    if (this.quiz === "branches") this.driver = new BranchQuiz(inside, this.record, algorithm, () => this.#turn(""));
    else this.driver = new QuestionQuiz(inside, this.record, this.quiz, this.question, {
      asked: (at) => ((this.question = at), this.#remember()),
      reveal: (count) => {
        this.step = Math.max(0, stopsOf(this.record.trace.steps).findIndex((stop) => stop >= count));
        this.#turn("");
      },
      another: () => this.#open(randomTree()),
      share: this.page.share,
      explain: (element) => this.glossary.mark(element),
    });
  }
}
