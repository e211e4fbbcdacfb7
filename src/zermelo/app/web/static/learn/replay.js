/** Replays the trace of a search: its state after any number of steps. Nothing here is drawn. */

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
