/**
 * The stepper: it steps through the trace of a search, with the tree and the words of each step.
 *
 * `zermelo tree --html` puts this file and those that it needs into a page of its own. A record is what `tree_record`
 * makes: trace, words, svg, counts, result.
 */

import { CodeListing } from "./code_listing.js";
import { drawn, stopsOf, wordsAt } from "./replay.js";
import { Tree } from "./search_tree.js";

const SLOWEST = 2000; // milliseconds a step
const FASTEST = 60;

/** A tree with buttons to go through it: forward, back, to either end, play, and the speed of that. */
export class Stepper {
  /**
   * @param {(node: number | null, at: number) => void} [onNode]  called at each step with its node and its number
   * @param {(element: Element) => void} [explain]  marks the terms in a text, so that they explain themselves
   */
  constructor(root, record, { onNode, at = 0, explain = () => {} } = {}) {
    this.record = record;
    this.stops = stopsOf(record.trace.steps);
    this.onNode = onNode;
    this.explain = explain;
    this.at = 0;
    this.timer = null;
    this.#build(root);
    this.tree = new Tree(this.parts.tree, record);
    this.code = new CodeListing(this.parts.code, record.trace.code);
    for (const part of root.querySelectorAll(".legend, .path thead, .path caption")) explain(part);
    this.go(at);
  }

  /** Show the stop with this number. */
  go(at) {
    this.at = Math.max(0, Math.min(at, this.stops.length - 1));
    const picture = this.tree.show(this.stops[this.at]);
    const { parts } = this;
    parts.words.textContent = wordsAt(this.record, this.stops, this.at);
    this.explain(parts.words);
    this.code.light(this.#step()?.line ?? null);
    parts.words.classList.toggle("cutting", this.#step()?.action === "prune" || this.#step()?.action === "cut");
    parts.place.textContent = `${this.at} / ${this.stops.length - 1}`;
    parts.slider.value = this.at;
    parts.first.disabled = parts.back.disabled = this.at === 0;
    parts.last.disabled = parts.forward.disabled = this.at === this.stops.length - 1;
    parts.path.replaceChildren(...this.#path(picture));
    parts.counts.replaceChildren(...this.#counts(picture));
    this.explain(parts.counts);
    this.onNode?.(this.#step()?.node ?? null, this.at);
    if (this.at === this.stops.length - 1) this.pause();
  }

  forward() {
    this.go(this.at + 1);
  }

  back() {
    this.go(this.at - 1);
  }

  first() {
    this.go(0);
  }

  last() {
    this.go(this.stops.length - 1);
  }

  /** Go on by itself, or stop doing so. */
  play() {
    if (this.timer !== null) return this.pause();
    if (this.at === this.stops.length - 1) this.go(0);
    this.#button(true);
    const beat = () => {
      this.timer = setTimeout(beat, this.#pause());
      this.forward();
    };
    this.timer = setTimeout(beat, this.#pause());
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.#button(false);
  }

  #step() {
    return this.record.trace.steps[this.stops[this.at] - 1];
  }

  #pause() {
    const share = Number(this.parts.speed.value) / 100;
    return SLOWEST * (FASTEST / SLOWEST) ** share;
  }

  #button(playing) {
    this.parts.play.textContent = playing ? "Pause" : "Play";
    this.parts.play.setAttribute("aria-pressed", playing);
  }

  #build(root) {
    root.classList.add("stepper");
    root.innerHTML = `
      <div class="steps" role="group" aria-label="Steps of the search">
        <button type="button" data-part="first" aria-label="To the beginning" title="To the beginning (Home)">|◀</button>
        <button type="button" data-part="back" aria-label="Back" title="Back (←)">◀</button>
        <button type="button" data-part="play" class="primary" title="Play or pause (space)">Play</button>
        <button type="button" data-part="forward" aria-label="Forward" title="Forward (→)">▶</button>
        <button type="button" data-part="last" aria-label="To the end" title="To the end (End)">▶|</button>
        <input type="range" data-part="slider" min="0" aria-label="Step">
        <output data-part="place"></output>
        <label class="speed">Speed <input type="range" data-part="speed" min="0" max="100" value="35"></label>
      </div>
      <p class="words" data-part="words" aria-live="polite"></p>
      <div class="study">
        <div class="tree" data-part="tree" tabindex="0" role="region" aria-label="The tree; arrow keys step through it, plus and minus zoom"></div>
        <div class="code" data-part="code" tabindex="0" role="region" aria-label="Pseudo-code"></div>
      </div>
      <ul class="legend"><li><b class="up">△</b> Max moves</li><li><b class="down">▽</b> Min moves</li>
        <li><b class="round">○</b> chance</li><li><b>□</b> leaf</li><li><b>━</b> principal variation</li>
        <li><b>┄</b> never visited</li></ul>
      <div class="figures">
        <table class="path"><caption>Open nodes</caption>
          <thead><tr><th scope="col">node</th><th scope="col">α</th><th scope="col">β</th><th scope="col">value</th></tr></thead>
          <tbody data-part="path"></tbody></table>
        <table class="counts"><caption>What it takes</caption><tbody data-part="counts"></tbody></table>
      </div>`;
    const part = (name) => root.querySelector(`[data-part="${name}"]`);
    const names = ["first", "back", "play", "forward", "last", "slider", "place", "speed", "words", "tree", "code", "path",
      "counts"];
    this.parts = Object.fromEntries(names.map((name) => [name, part(name)]));
    this.parts.slider.max = this.stops.length - 1;
    this.#listen(root);
  }

  #listen(root) {
    const { parts } = this;
    const halting = (action) => () => (this.pause(), action());
    parts.first.onclick = halting(() => this.first());
    parts.back.onclick = halting(() => this.back());
    parts.forward.onclick = halting(() => this.forward());
    parts.last.onclick = halting(() => this.last());
    parts.play.onclick = () => this.play();
    parts.slider.oninput = halting(() => this.go(Number(parts.slider.value)));
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const press = { ArrowRight: "forward", ArrowLeft: "back", Home: "first", End: "last" }[event.key];
    const space = event.key === " " && !event.target.matches("button");
    if (!press && !space) return;
    event.preventDefault();
    this.parts[press ?? "play"].click();
  }

  #path(picture) {
    return picture.path.map((number) => {
      const { name, kind } = this.tree.nodes.get(number);
      const { alpha, beta, value } = picture.nodes.get(number);
      return row([`${name} (${kind})`, drawn(alpha), drawn(beta), value]);
    });
  }

  #counts(picture) {
    const { counts } = this.record;
    const of = (number, all) => (all === null ? String(number) : `${number} of ${all}`);
    const lines = [
      row(["nodes visited", of(picture.visited, counts.all_nodes)]),
      row(["leaves visited", of(picture.leaves, counts.all_leaves)]),
      row(["cut-offs", String(picture.cutoffs)]),
    ];
    if (counts.full === null) return [...lines, row(["the whole tree", "too large to count"])];
    const full = row(["leaves of the full tree, ", short(counts.full)]);
    full.firstChild.append(power("b", "d"), " = ", power(short(counts.branching), counts.depth));
    lines.push(row(["nodes saved in the end", of(counts.saved, counts.all_nodes)]), full);
    if (counts.minimal !== null) lines.push(row(["leaves of the minimal tree", short(counts.minimal)]));
    return lines;
  }
}

function power(base, exponent) {
  const parts = document.createDocumentFragment();
  const raised = document.createElement("sup");
  raised.textContent = exponent;
  parts.append(base, raised);
  return parts;
}

function row([head, ...cells]) {
  const line = document.createElement("tr");
  const first = document.createElement("th");
  first.scope = "row";
  first.textContent = head;
  line.append(first);
  for (const text of cells) line.insertCell().textContent = text;
  return line;
}

/** A figure of the lectures, in few digits. */
function short(number) {
  return Number.isInteger(number) ? String(number) : number.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** A stepper that the arrow keys reach from anywhere on a page of its own. */
export function alone(root, record) {
  const stepper = new Stepper(root, record);
  document.addEventListener("keydown", (event) => {
    if (!root.contains(event.target)) root.querySelector(".tree").dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true }));
  });
  return stepper;
}
