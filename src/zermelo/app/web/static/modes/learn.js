/**
 * Learn: a textbook search, step by step, on the position of the page or on a typed tree.
 *
 * `mount(root, context)` gets from the page api(path, params), address, onAddressChange(listener), navigate(address,
 * settings) and remember(settings). A typed tree is a game like any other, so it is in the address, and so are the
 * settings and the step: a link leads to step 16 of alpha-beta with the worst move first.
 */

import { h, options } from "../lib/dom.js";
import { ALGORITHMS, CHANCE, ORDERS, PRESETS, SETTINGS, randomTree, squeezed, treeOf } from "./lessons.js";
import { Quiz, unfit } from "./quiz.js";
import { nodesOf } from "./replay.js";
import { Stepper } from "./stepper.js";

const TO_THE_END = "end"; // a depth
const FITTING = "3"; // the depth of a game's tree, or less where that would not fit

/** Show Learn in `root`; the page calls this once. */
export async function mount(root, context) {
  addStyle("stepper.css");
  addStyle("learn.css");
  const learn = new Learn(root, context);
  context.onAddressChange((address) => learn.visit(address));
  await learn.visit(context.address);
}

function addStyle(file) {
  const href = new URL(file, import.meta.url).href;
  if (![...document.styleSheets].some((sheet) => sheet.href === href)) {
    document.head.append(h("link", { rel: "stylesheet", href }));
  }
}

class Learn {
  constructor(root, context) {
    this.context = context;
    this.fields = {};
    this.boards = new Map();
    this.asked = 0;
    root.classList.add("learn");
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.stage = h("div", { class: "stage-of-learn" });
    this.board = h("figure", { class: "node-board", hidden: true });
    this.quizzing = false;
    this.step = 0;
    root.replaceChildren(this.#sources(), this.#settings(), this.problem, this.stage);
  }

  // -- what is searched ------------------------------------------------------------------------------------------------

  #sources() {
    const presets = PRESETS.map(([, text], index) => [String(index), text]);
    const others = [["position", "The position on the board"], ["typed", "A tree of your own"]];
    this.preset = h("select", { onchange: () => this.#take() }, options([...others, ...presets], "position"));
    this.typed = h("input", { type: "text", spellcheck: "false", autocomplete: "off", placeholder: "A(B(3, 12), C(8, 2))" });
    const random = h("button", { type: "button", onclick: () => this.#open(randomTree()) }, "Random tree");
    return h(
      "form",
      { class: "row sources", onsubmit: (event) => (event.preventDefault(), this.#open(this.typed.value)) },
      h("label", { class: "preset" }, "Search", this.preset),
      h("label", { class: "typed" }, "or type a tree; chance nodes have square brackets", this.typed),
      h("button", { type: "submit" }, "Take this tree"),
      random,
    );
  }

  /** Go to the tree that was chosen, with the algorithm it is there for, or back to the position on the board. */
  #take() {
    const { value } = this.preset;
    if (value === "typed") return this.typed.focus();
    if (value === "position") return this.position && this.context.navigate(this.position);
    const [tree, , algorithm] = PRESETS[Number(value)];
    this.#open(tree, { algorithm });
  }

  #open(tree, settings) {
    const game = `game_tree(${JSON.stringify(tree.trim())})`;
    if (tree.trim()) this.context.navigate({ game, start: "", moves: [] }, settings);
  }

  // -- how it is searched ----------------------------------------------------------------------------------------------

  #settings() {
    const field = (name, label, element) => {
      this.fields[name] = element;
      element.addEventListener("change", () => {
        this.step = 0;
        if (name === "depth") this.fits = false;
        else if (this.fits) this.fields.depth.value = FITTING; // another algorithm may go deeper
        this.search();
      });
      return h("label", { "data-field": name }, label, element);
    };
    const choice = (pairs, selected) => h("select", {}, options(pairs, selected));
    return h(
      "form",
      { class: "row settings", onsubmit: (event) => event.preventDefault() },
      field("algorithm", "Algorithm", choice(ALGORITHMS, "alphabeta")),
      field("depth", "Depth in plies", h("input", { type: "number", min: 0, max: 12, placeholder: "to the end" })),
      field("fail", "Fail", choice([["soft", "soft"], ["hard", "hard"]], "soft")),
      field("cut", "Cut off", choice([["equal", "at equality"], ["beyond", "only beyond"]], "equal")),
      field("order", "Moves are tried", choice(ORDERS, "")),
      field("window", "α, β at the root", h("input", { type: "text", placeholder: "-inf,inf", spellcheck: "false" })),
    );
  }

  /** Two buttons: watch the search, or say first what it will cut off. */
  #modes() {
    const button = (quiz, text) =>
      h("button", { type: "button", "aria-pressed": String(quiz === this.quizzing), onclick: () => this.#turn(quiz) }, text);
    return h("div", { class: "modes", role: "group", "aria-label": "Mode" }, button(false, "Watch"), button(true, "Quiz"));
  }

  #turn(quiz) {
    this.quizzing = quiz;
    this.#remember();
    this.#show();
    this.stage.querySelector('.modes [aria-pressed="true"]')?.focus();
  }

  /** What the settings are where the address does not say; of the tree of a game, as much is shown as fits. */
  #usual() {
    return { algorithm: this.chances ? "star1" : "alphabeta", depth: this.#isGame() ? FITTING : "", fail: "soft", cut: "equal",
      order: "", window: "" };
  }

  #isGame() {
    return treeOf(this.where.game) === null;
  }

  /** The settings and the step as the address has them: empty where they are as usual. */
  #lesson() {
    const usual = this.#usual();
    const usually = (name, value) => value === usual[name] || (name === "depth" && this.fits);
    const text = (name, value) => (usually(name, value) ? "" : value || TO_THE_END);
    const settings = Object.entries(this.fields).map(([name, { value }]) => [name, text(name, value)]);
    const step = this.step ? String(this.step) : "";
    return { ...Object.fromEntries(settings), step, quiz: this.quizzing ? "1" : "" };
  }

  /** Set the settings as the address has them; what there is not is as usual. */
  #set(lesson) {
    const usual = this.#usual();
    for (const [name, element] of Object.entries(this.fields)) {
      element.value = lesson[name] === TO_THE_END ? "" : lesson[name] || usual[name];
      if (element.selectedIndex === -1) element.value = usual[name];
    }
    this.fits = this.#isGame() && !lesson.depth; // the server chooses a depth that can be shown
    this.step = Math.trunc(Number(lesson.step)) || 0;
    this.quizzing = lesson.quiz === "1";
  }

  #remember() {
    this.context.remember(this.#lesson());
  }

  /** The page shows another position, or the address has other settings. */
  async visit({ game, start, moves, chances, lesson }) {
    const where = { game, start, moves: [].concat(moves ?? []).join(" ") };
    const same = (one, two) => JSON.stringify(one) === JSON.stringify(two);
    if (same(where, this.where) && same(lesson, this.#lesson())) return;
    this.where = where;
    const tree = treeOf(game);
    this.chances = tree === null ? chances : tree.includes("[");
    this.#set(lesson);
    if (tree === null) this.position = { game, start, moves };
    this.typed.value = tree ?? "";
    const preset = PRESETS.findIndex(([text]) => squeezed(text) === squeezed(tree ?? ""));
    this.preset.value = tree === null ? "position" : preset < 0 ? "typed" : String(preset);
    await this.search();
  }

  /** Ask the server for the search, and show it. */
  async search() {
    const number = ++this.asked;
    const algorithm = this.fields.algorithm.value;
    const params = { ...this.where, algorithm, depth: this.fields.depth.value, fit: this.fits };
    for (const [name, element] of Object.entries(this.fields)) {
      const label = element.closest("label");
      if (!["algorithm", "depth"].includes(name)) label.hidden = !SETTINGS[algorithm].includes(name);
      if (SETTINGS[algorithm].includes(name)) params[name] = element.value;
    }
    this.#remember();
    this.stage.setAttribute("aria-busy", "true");
    try {
      const record = await this.context.api("tree", params);
      if (number !== this.asked) return;
      this.record = record;
      if (this.fits && record.depth !== null) this.fields.depth.value = record.depth;
      this.problem.hidden = true;
      this.#show();
    } catch (error) {
      if (number === this.asked) this.#refuse(error, algorithm);
    } finally {
      if (number === this.asked) this.stage.removeAttribute("aria-busy");
    }
  }

  /** A sentence; where only chance was in the way, the algorithm that copes with it instead. */
  #refuse(error, algorithm) {
    if (/chance moves/.test(error.message) && !CHANCE.includes(algorithm)) {
      this.fields.algorithm.value = algorithm === "alphabeta" ? "star1" : "expectiminimax";
      return this.search();
    }
    this.stepper?.pause();
    this.stage.replaceChildren();
    this.problem.textContent = error.message;
    this.problem.hidden = false;
  }

  #show() {
    if (!this.record) return;
    this.stepper?.pause();
    const inside = h("div", {});
    this.stage.replaceChildren(this.#modes(), inside);
    this.board.hidden = true;
    this.looked = null;
    if (this.quizzing) return this.#ask(inside);
    this.nodes = nodesOf(this.record.trace);
    this.stepper = new Stepper(inside, this.record, { at: this.step, onNode: (node, at) => this.#stepped(node, at) });
    inside.querySelector(".figures").append(this.board);
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

  #ask(inside) {
    const why = unfit(this.record);
    if (why) inside.append(h("p", { class: "problem" }, why));
    else new Quiz(inside, this.record, Object.fromEntries(ALGORITHMS)[this.record.result.algorithm], () => this.#turn(false));
  }

  // -- the board of a node -----------------------------------------------------------------------------------------------

  /** Show the board of the node that a step is about, or that was clicked; a typed tree has none. */
  #look(number) {
    if (treeOf(this.where.game) !== null || number === null || number < 0) return;
    clearTimeout(this.looking);
    this.looking = setTimeout(() => this.#fetchBoard(number), 120);
  }

  async #fetchBoard(number) {
    const path = [];
    for (let at = number; at !== null; at = this.nodes.get(at).parent) path.unshift(this.nodes.get(at).move);
    const moves = [this.where.moves, ...path].filter(Boolean).join(" ");
    const key = JSON.stringify({ ...this.where, moves });
    this.looked = key;
    if (!this.boards.has(key)) this.boards.set(key, this.context.api("position", { ...this.where, moves }));
    try {
      const position = await this.boards.get(key);
      if (this.looked !== key) return; // another node was chosen in the meantime
      const caption = h("figcaption", {}, path.join(" ") || "the position searched");
      this.board.innerHTML = position.svg;
      this.board.querySelector("svg").setAttribute("role", "img");
      for (const square of this.board.querySelectorAll(".square")) { // which are no buttons here
        for (const name of ["role", "tabindex", "aria-label"]) square.removeAttribute(name);
      }
      this.board.append(caption);
      this.board.hidden = false;
    } catch {
      this.boards.delete(key); // the step is in words all the same
    }
  }
}
