/** The board of one node of a search, beside the tree. */

import { h } from "../lib/dom.js";

const LOOKING_DELAY = 120; // milliseconds that a node must stay chosen before its board is asked for

export class NodeBoard {
  /** @param {(path: string, params: object) => Promise<object>} api */
  constructor(api) {
    this.api = api;
    this.element = h("figure", { class: "node-board", hidden: true });
    this.known = new Map();
  }

  clear() {
    clearTimeout(this.timer);
    this.element.hidden = true;
    this.wanted = null;
  }

  /** Show the position after the moves that lead to a node. */
  look(where, path) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#fetch(where, path), LOOKING_DELAY);
  }

  async #fetch(where, path) {
    const question = { ...where, moves: [where.moves, ...path].filter(Boolean).join(" ") };
    const key = (this.wanted = JSON.stringify(question));
    if (!this.known.has(key)) this.known.set(key, this.api("position", question));
    try {
      const position = await this.known.get(key);
      if (this.wanted === key) this.#draw(position, path); // no other node was chosen in the meantime
    } catch {
      this.known.delete(key); // the step is in words all the same
    }
  }

  #draw(position, path) {
    this.element.innerHTML = position.svg;
    this.element.querySelector("svg").setAttribute("role", "img");
    for (const square of this.element.querySelectorAll(".square")) { // which are no buttons here
      for (const name of ["role", "tabindex", "aria-label"]) square.removeAttribute(name);
    }
    this.element.append(h("figcaption", {}, path.join(" ") || "the position searched"));
    this.element.hidden = false;
  }
}
