/**
 * Going through a recorded search, step by step: the tree as it was at each moment, and what happened in words.
 *
 * This file needs no other, so that `zermelo tree --html` can put it into a page of its own. A record is what
 * `tree_record` makes: trace, words, svg, counts, result.
 */

const SLOWEST = 2000; // milliseconds a step
const FASTEST = 60;
const LEAST = 0.62; // the scale at which the small texts of a tree can still be read
const PARTS = "[data-node], [data-under], [data-to-node], [data-to-under]";

/** A step's number as it is drawn: W5 for "win in 5", with a true minus. */
export function drawn(text) {
  return (text ?? "")
    .replace(/\bwin in (\d+)/g, "W$1")
    .replace(/\bloss in (\d+)/g, "L$1")
    .replace(/-/g, "−")
    .replace(/>=/g, "≥")
    .replace(/<=/g, "≤");
}

/** The inequality of a cut-off with the letter of its bound: 5 ≥ 3 = β. */
export function inequality(cut) {
  return `${drawn(cut.inequality)} = ${cut.name === "alpha" ? "α" : "β"}`;
}

/** All nodes of a trace by their numbers, each with its parent's. */
export function nodesOf(trace) {
  const nodes = new Map();
  const add = (node, parent) => {
    nodes.set(node.number, { ...node, parent });
    for (const child of node.children) add(child, node.number);
  };
  for (const root of trace.tree) add(root, null);
  return nodes;
}

/** The search after its first `count` steps: every node's state, the open path, the best successors, and counters. */
export function pictureAt(trace, nodes, count) {
  const picture = { nodes: new Map(), path: [], best: new Map(), visited: 0, leaves: 0, cutoffs: 0 };
  let closed = null;
  for (const step of trace.steps.slice(0, count)) {
    const now = picture.nodes.get(step.node);
    if (step.action === "search") picture.path = [];
    else if (step.action === "enter") {
      if (!now) picture.visited++;
      picture.path.push(step.node);
      picture.nodes.set(step.node, { ...now, state: "open", alpha: step.alpha_text, beta: step.beta_text, value: "" });
    } else if (step.action === "prune") picture.nodes.set(step.node, { state: "pruned" });
    else if (step.action === "leaf" || step.action === "leave") {
      picture.leaves += step.action === "leaf";
      picture.path.pop();
      closed = step.node;
      const sign = step.action === "leave" ? { lower: "≥", upper: "≤" }[step.note] ?? "" : "";
      Object.assign(now, { state: "done", value: sign + drawn(step.value_text), alpha: step.alpha_text, beta: step.beta_text });
    } else {
      Object.assign(now, { value: drawn(step.value_text), alpha: step.alpha_text, beta: step.beta_text });
      if (step.action === "known") closed = childBy(nodes, step.node, step.note.split(" is known: ")[0]);
      if (step.action === "known") picture.nodes.get(closed).known = true;
      if (step.action === "update" && nodes.get(closed)?.parent === step.node) picture.best.set(step.node, closed);
      if (step.action === "cut") {
        picture.cutoffs++;
        now.cut = inequality(step.cut);
      }
    }
  }
  return picture;
}

function childBy(nodes, number, move) {
  return nodes.get(number).children.find((child) => child.move === move).number;
}

/** After which steps to stop: entering a leaf and scoring it is one, and so is a cut-off with all that it cuts off. */
export function stopsOf(steps) {
  const stops = [0];
  steps.forEach((step, index) => {
    const next = steps[index + 1];
    const goesOn = next && ((step.action === "enter" && next.action === "leaf") || next.action === "prune");
    if (!goesOn) stops.push(index + 1);
  });
  return stops;
}

/** What happened up to a stop since the one before it, in words. */
export function wordsAt(record, stops, at) {
  if (at === 0) return "Before the search. Step forward, or press play.";
  const range = record.words.slice(stops[at - 1], stops[at]);
  const steps = record.trace.steps.slice(stops[at - 1], stops[at]);
  return range.filter((_, index) => !(steps[index].action === "enter" && steps[index + 1])).join(" ");
}

// -- the tree on the page ----------------------------------------------------------------------------------------------

/** The tree of a record as a live picture: shows any moment of the search. */
export class Tree {
  /** @param {() => void} [resized]  hears that the tree is drawn in another size, or could be */
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

  /** Draw the tree as wide as there is room, if it can be read so, or in its own size. */
  fit(fits = this.fits) {
    this.fits = fits;
    const scale = fits ? Math.min(1, Math.max(LEAST, this.root.clientWidth / this.width)) : 1;
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

// -- buttons, words and counters -----------------------------------------------------------------------------------------

/** A tree with buttons to go through it: forward, back, to either end, play, and the speed of that. */
export class Stepper {
  /** @param {(node: number | null, at: number) => void} [onNode]  hears which node each step is about, and its number */
  constructor(root, record, { onNode, at = 0 } = {}) {
    this.record = record;
    this.stops = stopsOf(record.trace.steps);
    this.onNode = onNode;
    this.at = 0;
    this.timer = null;
    this.#build(root);
    this.tree = new Tree(this.parts.tree, record, () => this.#zoomed());
    this.go(at);
  }

  /** Show the stop with this number. */
  go(at) {
    this.at = Math.max(0, Math.min(at, this.stops.length - 1));
    const picture = this.tree.show(this.stops[this.at]);
    const { parts } = this;
    parts.words.textContent = wordsAt(this.record, this.stops, this.at);
    parts.words.classList.toggle("cutting", this.#step()?.action === "prune" || this.#step()?.action === "cut");
    parts.place.textContent = `${this.at} / ${this.stops.length - 1}`;
    parts.slider.value = this.at;
    parts.first.disabled = parts.back.disabled = this.at === 0;
    parts.last.disabled = parts.forward.disabled = this.at === this.stops.length - 1;
    parts.path.replaceChildren(...this.#path(picture));
    parts.counts.replaceChildren(...this.#counts(picture));
    this.onNode?.(this.#step()?.node ?? null, this.at);
    if (this.at === this.stops.length - 1) this.pause();
  }

  forward() {
    this.go(this.at + 1);
  }

  back() {
    this.go(this.at - 1);
  }

  play() {
    if (this.at === this.stops.length - 1) this.go(0);
    this.pause();
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
        <button type="button" data-part="fit" hidden title="The tree in its own size, or as wide as there is room">100 %</button>
      </div>
      <p class="words" data-part="words" aria-live="polite"></p>
      <div class="tree" data-part="tree" tabindex="0" role="region" aria-label="The tree; arrow keys step through it"></div>
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
    const names = ["first", "back", "play", "forward", "last", "slider", "place", "speed", "fit", "words", "tree", "path", "counts"];
    this.parts = Object.fromEntries(names.map((name) => [name, part(name)]));
    this.parts.slider.max = this.stops.length - 1;
    this.#listen(root);
  }

  #listen(root) {
    const { parts } = this;
    const halting = (action) => () => (this.pause(), action());
    parts.first.onclick = halting(() => this.go(0));
    parts.back.onclick = halting(() => this.back());
    parts.forward.onclick = halting(() => this.forward());
    parts.last.onclick = halting(() => this.go(this.stops.length - 1));
    parts.play.onclick = () => (this.timer === null ? this.play() : this.pause());
    parts.fit.onclick = () => this.tree.fit(!this.tree.fits);
    parts.slider.oninput = halting(() => this.go(Number(parts.slider.value)));
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  #zoomed() {
    this.parts.fit.hidden = this.tree.roomy;
    this.parts.fit.textContent = this.tree.fits ? "100 %" : "Fit";
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
