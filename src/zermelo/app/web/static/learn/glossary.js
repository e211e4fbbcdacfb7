/**
 * The glossary: terms in the text become buttons whose tooltip explains them, by mouse, finger and keyboard.
 *
 * The explanations are in `glossary.json`. A tooltip can be pointed at, and Escape closes it (WCAG 1.4.13).
 */

import { h } from "../lib/dom.js";

const SKIPPED = "button, a, label, select, textarea, svg, .code, .no-terms";
const HIDING_DELAY = 150; // milliseconds in which the pointer may go from the term to its tooltip

export class Glossary {
  /** Fetch the glossary, whose texts are hidden in `root` until they are asked for. */
  static async load(root) {
    const response = await fetch(new URL("glossary.json", import.meta.url));
    return new Glossary(root, response.ok ? await response.json() : []); // without it, the page has no tooltips
  }

  constructor(root, entries) {
    this.entries = entries;
    this.names = new Map(entries.flatMap((entry) => [entry.term, ...entry.also].map((name) => [name.toLowerCase(), entry])));
    const names = [...this.names.keys()].sort((one, two) => two.length - one.length);
    this.pattern = new RegExp(`(?<![\\p{L}\\d-])(${names.join("|")})(?![\\p{L}\\d-])`, "giu");
    this.tips = new Map(entries.map((entry) => [entry, this.#tip(entry)]));
    root.append(h("div", { class: "tips" }, [...this.tips.values()]));
    addEventListener("keydown", (event) => event.key === "Escape" && this.shown && (event.stopImmediatePropagation(), this.#hide()), true);
    addEventListener("scroll", () => this.shown && this.#place(), { capture: true, passive: true });
  }

  #tip(entry) {
    const tip = h("div", { role: "tooltip", id: `term-${entry.term.toLowerCase().replace(/\W+/g, "-")}`, hidden: true },
      h("b", {}, entry.term), " ", entry.text);
    tip.addEventListener("mouseenter", () => clearTimeout(this.hiding));
    tip.addEventListener("mouseleave", () => this.#hideSoon());
    return tip;
  }

  /** Make the terms in an element explain themselves, each where it first occurs. */
  mark(element) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(SKIPPED)) texts.push(walker.currentNode);
    const seen = new Set();
    for (const text of texts) this.#markText(text, seen);
  }

  #markText(text, seen) {
    const parts = [];
    let done = 0;
    for (const found of text.data.matchAll(this.pattern)) {
      const entry = this.names.get(found[0].toLowerCase());
      if (seen.has(entry)) continue;
      seen.add(entry);
      parts.push(text.data.slice(done, found.index), this.button(entry.term, found[0]));
      done = found.index + found[0].length;
    }
    if (parts.length) text.replaceWith(...parts, text.data.slice(done));
  }

  /** A term that shows its tooltip; `text` is how it stands in the sentence. */
  button(term, text = term, attributes = {}) {
    const entry = this.names.get(term.toLowerCase());
    if (!entry) return document.createTextNode(text);
    const tip = this.tips.get(entry);
    const show = () => this.#show(button, tip);
    const button = h("button", { type: "button", class: "term", "aria-describedby": tip.id, onmouseenter: show, onfocus: show,
      onclick: show, onmouseleave: () => this.#hideSoon(), onblur: () => this.#hide(), ...attributes }, text);
    return button;
  }

  /** All terms with their explanations, as a list. */
  list() {
    const sorted = [...this.entries].sort((one, two) => one.term.localeCompare(two.term, "en", { sensitivity: "base" }));
    return h("details", { class: "glossary no-terms" }, h("summary", {}, "Glossary"),
      h("dl", {}, sorted.flatMap((entry) => [h("dt", {}, [entry.term, ...entry.also.filter((name) => name.length === 1)].join(", ")), h("dd", {}, entry.text)])));
  }

  #show(button, tip) {
    this.#hide();
    Object.assign(this, { shown: tip, at: button });
    tip.hidden = false;
    this.#place();
  }

  /** Put the tooltip below its term, or above it where there is no room. */
  #place() {
    const { shown: tip, at: button } = this;
    if (!button.isConnected) return this.#hide();
    const [term, box] = [button.getBoundingClientRect(), tip.getBoundingClientRect()];
    const above = term.bottom + box.height + 8 > innerHeight && term.top > box.height + 8;
    tip.style.left = `${Math.max(8, Math.min(term.left, innerWidth - box.width - 8))}px`;
    tip.style.top = `${above ? term.top - box.height - 4 : term.bottom + 4}px`;
  }

  #hideSoon() {
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => this.#hide(), HIDING_DELAY);
  }

  #hide() {
    clearTimeout(this.hiding);
    if (this.shown) this.shown.hidden = true;
    this.shown = null;
  }
}
