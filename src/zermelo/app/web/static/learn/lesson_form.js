/** The form of Learn: which tree is searched, by which algorithm, with which settings. */

import { h, options } from "../lib/dom.js";
import { ALGORITHMS, ORDERS, PRESETS, SETTINGS, squeezed } from "./lessons.js";

const TO_THE_END = "end"; // a depth in the address
const TERMS = { algorithm: "alpha-beta", depth: "ply", fail: "fail-soft", cut: "cut-off", order: "move ordering", window: "window",
  symmetry: "symmetric" };

const DRAWING = { nodes: ["boards", "boards"], symmetry: ["fold", "fold"] }; // parameters of the API, and when they are true

export class LessonForm {
  /**
   * @param {object} page  changed(name): a setting has another value; open(tree, settings); position(): back to the board;
   *   random(): a random tree
   * @param {Glossary} glossary
   */
  constructor(page, glossary) {
    this.page = page;
    this.glossary = glossary;
    this.fields = {};
    this.element = h("details", { class: "setup", open: true }, h("summary", {}, "Tree and settings"),
      h("div", {}, this.#sources(), this.#settings()));
  }

  #sources() {
    const presets = PRESETS.map(([, text], index) => [String(index), text]);
    const others = [["position", "The position on the board"], ["typed", "A tree of your own"]];
    this.preset = h("select", { onchange: () => this.#take() }, options([...others, ...presets], "position"));
    this.typed = h("input", { type: "text", spellcheck: "false", autocomplete: "off", placeholder: "A(B(3, 12), C(8, 2))" });
    return h(
      "form",
      { class: "row sources", onsubmit: (event) => (event.preventDefault(), this.page.open(this.typed.value)) },
      h("label", { class: "preset" }, "Search", this.preset),
      h("label", { class: "typed" }, "or type a tree; chance nodes have square brackets", this.typed),
      h("button", { type: "submit" }, "Take this tree"),
      h("button", { type: "button", onclick: () => this.page.random() }, "Random tree"),
    );
  }

  /** Go to the tree that was chosen, with the algorithm it is there for, or back to the position on the board. */
  #take() {
    const { value } = this.preset;
    if (value === "typed") return this.typed.focus();
    if (value === "position") return this.page.position();
    const [tree, , algorithm] = PRESETS[Number(value)];
    this.page.open(tree, { algorithm });
  }

  #settings() {
    const field = (name, label, element) => {
      this.fields[name] = element;
      element.id = `lesson-${name}`;
      element.addEventListener("change", () => this.page.changed(name));
      return h("div", { "data-field": name }, h("span", { class: "named" }, h("label", { for: element.id }, label),
        TERMS[name] ? this.glossary.button(TERMS[name], "?", { "aria-label": `What is: ${TERMS[name]}` }) : null), element);
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
      field("nodes", "Nodes show", choice([["boards", "boards"], ["shapes", "shapes only"]], "boards")),
      field("symmetry", "Symmetric", choice([["fold", "folded"], ["show", "one by one"]], "fold")),
    );
  }

  /** What the API is asked for; fields that the algorithm does not have are hidden, and those of boards at a typed tree. */
  params(game) {
    const algorithm = this.fields.algorithm.value;
    const params = { algorithm, depth: this.fields.depth.value };
    for (const [name, element] of Object.entries(this.fields)) {
      const used = ["algorithm", "depth"].includes(name) || SETTINGS[algorithm].includes(name) || (game && name in DRAWING);
      element.closest("[data-field]").hidden = !used;
      if (SETTINGS[algorithm].includes(name)) params[name] = element.value;
      if (game && name in DRAWING) params[DRAWING[name][0]] = element.value === DRAWING[name][1];
    }
    return params;
  }

  /** The settings as the address has them: empty where they are as usual; `fits` says that the depth was chosen for the reader. */
  lesson(usual, fits) {
    const usually = (name, value) => value === usual[name] || (name === "depth" && fits);
    const text = (name, value) => (usually(name, value) ? "" : value || TO_THE_END);
    return Object.fromEntries(Object.entries(this.fields).map(([name, { value }]) => [name, text(name, value)]));
  }

  /** Set the settings as the address has them. Return sentences on those that cannot be: they are as usual. */
  set(lesson, usual) {
    const problems = [];
    for (const [name, element] of Object.entries(this.fields)) {
      const wanted = lesson[name];
      element.value = wanted === TO_THE_END ? "" : wanted || usual[name];
      const refused = element.selectedIndex === -1 || (name === "depth" && wanted && wanted !== TO_THE_END && !/^(\d|1[0-2])$/.test(wanted));
      if (!refused) continue;
      element.value = usual[name];
      problems.push(`${name}=${wanted} is unknown here, so that ${usual[name] || "the usual one"} is taken.`);
    }
    return problems;
  }

  /** Show which tree is searched; null is the position on the board. */
  show(tree) {
    this.typed.value = tree ?? "";
    const preset = PRESETS.findIndex(([text]) => squeezed(text) === squeezed(tree ?? ""));
    this.preset.value = tree === null ? "position" : preset < 0 ? "typed" : String(preset);
  }
}
