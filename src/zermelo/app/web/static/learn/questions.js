/**
 * Questions about a recorded search: what will it do next?
 *
 * All of them follow from the record, none is drawn by lot, so that a link shows everybody the same question.
 *
 * @typedef {object} Question
 * @property {string} kind     one of KINDS
 * @property {number} before   how many steps are shown with the question
 * @property {number} after    how many are shown with the answer
 * @property {number} node     the node that it is about
 * @property {string} text, hint
 * @property {string[]} choices
 * @property {number} right    the number of the right choice
 */

import { drawn, inequality, pictureAt } from "./replay.js";

/** The kinds of quizzes: in the address, and on the page. */
export const KINDS = [
  ["mixed", "All kinds"],
  ["value", "The value of a node"],
  ["alpha", "α"],
  ["beta", "β"],
  ["next", "The next node"],
  ["cut", "Cut off, or not?"],
  ["branches", "All branches never visited"],
];
const MOST = 10; // questions of a quiz
const CHOICES = 4;
const OVER = "None: the search is over";

/** The questions of a kind about a search that is drawn as a tree. */
export function questionsOf(record, tree, kind) {
  const quiz = new Questions(record, tree);
  const kinds = kind === "mixed" ? Object.keys(ASKING) : [kind];
  const found = kinds.map((name) => spread(quiz.candidates(name), kind === "mixed" ? Math.ceil(MOST / kinds.length) : MOST)
    .map((index) => [name, index]));
  const chosen = spread(found.flat().sort(([, one], [, two]) => one - two), MOST);
  return chosen.map(([name, index]) => ({ kind: name, ...quiz.ask(name, index) })).filter(({ choices }) => choices.length > 1);
}

/** At most `most` items of a list, at equal distances. */
function spread(items, most) {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)]);
}

class Questions {
  constructor(record, tree) {
    this.steps = record.trace.steps;
    this.tree = tree;
    this.nodes = tree.nodes;
    this.bounded = this.steps.some(({ alpha, beta }) => alpha !== null || beta !== null);
  }

  /** The steps that a kind of question can be about, by their indices. */
  candidates(kind) {
    const { fits, balanced } = ASKING[kind];
    const found = [...this.steps.keys()].filter((index) => this.#drawn(this.steps[index]) && fits(this, this.steps[index], index));
    return balanced ? balance(found, (index) => this.steps[index + 1].action === "cut") : found;
  }

  #drawn({ node }) {
    return node >= 0 && this.shown(node);
  }

  ask(kind, index) {
    const step = this.steps[index];
    const question = ASKING[kind].ask(this, step, index);
    const choices = choicesOf(question.answer, question.others, question.sorted);
    return { after: index + 1, node: step.node, ...question, choices, right: choices.indexOf(question.answer) };
  }

  shown(number) {
    return this.tree.shown.has(number);
  }

  /** What a node is called in a question: its name in a typed tree, else the moves that lead to it. */
  name(number) {
    const path = [];
    for (let node = this.nodes.get(number); node.parent !== null; node = this.nodes.get(node.parent)) path.unshift(node);
    const last = path.at(-1);
    if (!last) return this.nodes.get(number).name === "root" || this.nodes.get(number).name.length > 7 ? "the root" : this.nodes.get(number).name;
    return last.name === last.move || last.name.endsWith(`.${last.move}`) ? last.name : `the node after ${path.map(({ move }) => move).join(", ")}`;
  }

  picture(count) {
    return pictureAt({ steps: this.steps }, this.nodes, count);
  }

  /** The step with which a node that is entered by step `index` is left, as an index. */
  leaving(index) {
    const { node } = this.steps[index];
    return this.steps.findIndex((step, at) => at > index && step.node === node && step.action === "leave");
  }

  successors(number) {
    return this.nodes.get(number).children.map((child) => this.nodes.get(child.number));
  }

  /** Numbers that stand in the tree near a node, as wrong answers. */
  near(picture, ...more) {
    const values = picture.path.flatMap((number) => {
      const { alpha, beta, value } = picture.nodes.get(number);
      return [drawn(alpha), drawn(beta), value];
    });
    return [...more, ...values.reverse(), "−∞", "∞", "0"].map((text) => (text ?? "").replace(/^[≥≤]/, "")).filter(Boolean);
  }
}

/** As many of one sort as of the other. */
function balance(items, isOne) {
  const ones = items.filter(isOne);
  const others = spread(items.filter((item) => !isOne(item)), Math.max(ones.length, 2));
  return [...ones, ...others].sort((one, two) => one - two);
}

/** The right answer among some others: numbers by their size, all else as it comes, without a place of its own. */
function choicesOf(answer, others, sorted) {
  const wrong = [...new Set(others)].filter((text) => text !== answer).slice(0, CHOICES - 1);
  if (sorted) return sorted(answer, wrong);
  return [answer, ...wrong].sort((one, two) => magnitude(one) - magnitude(two) || one.localeCompare(two));
}

const NUMBER = /^(?:exactly|at least|at most) /;

/** Where a number stands among others: W1 is the greatest win, L2 the quickest loss. */
function magnitude(text) {
  const bare = text.replace(NUMBER, "").replace("−", "-");
  if (bare === "∞") return Infinity;
  if (bare === "-∞") return -Infinity;
  const distance = /^([WL])(\d+)$/.exec(bare);
  if (distance) return (distance[1] === "W" ? 1 : -1) * (1e9 - Number(distance[2]));
  return Number(bare) || 0;
}

const said = (step) => `${{ lower: "at least ", upper: "at most " }[step.note] ?? "exactly "}${drawn(step.value_text)}`;

/** How each kind asks: which steps fit, and what is asked before them. */
const ASKING = {
  value: {
    fits: (quiz, step, index) => step.action === "enter" && quiz.leaving(index) >= 0 &&
      quiz.successors(step.node).length > 1 && quiz.successors(step.node).every((child) => quiz.shown(child.number)) &&
      quiz.successors(step.node).every((child) => child.leaf || child.pruned),
    ask(quiz, step, index) {
      const node = { ...quiz.nodes.get(step.node), name: quiz.name(step.node) };
      const leave = quiz.leaving(index);
      const leaves = quiz.successors(step.node).map((child) => quiz.tree.text(child.number)).filter(Boolean);
      const exact = leaves.map((text) => `exactly ${text}`);
      const value = drawn(quiz.steps[leave].value_text);
      const others = [...spread(exact, 2), ...["exactly", "at least", "at most"].map((word) => `${word} ${value}`), ...exact];
      const bounds = quiz.bounded ? ` α = ${drawn(step.alpha_text)} and β = ${drawn(step.beta_text)} here.` : "";
      return { before: index + 1, after: leave + 1, answer: said(quiz.steps[leave]), others,
        text: `The search has entered ${node.name}.${bounds} With which value will it leave?`, hint: VALUE_HINTS[node.kind](quiz.bounded, step) };
    },
  },
  alpha: bound("alpha", "α", "Max", "greatest"),
  beta: bound("beta", "β", "Min", "least"),
  next: {
    fits: (quiz, step, index) => ["leaf", "update", "leave"].includes(step.action) &&
      quiz.steps[index + 1] && !["update", "known"].includes(quiz.steps[index + 1].action) && quiz.nodes.get(step.node).parent !== null,
    ask(quiz, step, index) {
      const entered = quiz.steps.findIndex((one, at) => at > index && one.action === "enter");
      const after = entered < 0 ? quiz.steps.length : entered + 1;
      const name = (number) => quiz.name(number);
      const picture = quiz.picture(index + 1);
      const unseen = picture.path.toReversed().flatMap((number) => quiz.successors(number))
        .filter((child) => !picture.nodes.has(child.number)).map((child) => name(child.number));
      return { before: index + 1, after, answer: entered < 0 ? OVER : name(quiz.steps[entered].node), others: [...unseen, OVER],
        text: "Which node does the search enter next?", sorted: (answer, wrong) => [...new Set([...unseen, OVER])].filter((one) => one === answer || wrong.includes(one)),
        hint: "Depth first: the next successor of the present node, from left to right. If there is none, or the rest is cut off, the search goes back up." };
    },
  },
  cut: {
    balanced: true,
    fits: (quiz, step, index) => quiz.bounded && step.action === "update" && ["max", "min"].includes(quiz.nodes.get(step.node).kind) &&
      ["cut", "enter"].includes(quiz.steps[index + 1]?.action),
    ask(quiz, step, index) {
      const next = quiz.steps[index + 1];
      const node = { ...quiz.nodes.get(step.node), name: quiz.name(step.node) };
      const answers = { beta: "Yes: its value has reached β", alpha: "Yes: its value has reached α", no: "No: another successor must be searched" };
      const most = node.kind === "max" ? "at least" : "at most";
      const [letter, bound, other] = node.kind === "max" ? ["β", step.beta_text, "Min"] : ["α", step.alpha_text, "Max"];
      return { before: index + 1, after: index + 1 + (next.action === "cut"), sorted: () => Object.values(answers), others: Object.values(answers),
        answer: next.cut ? answers[next.cut.name] : answers.no, reason: next.cut ? because(next.cut) :
          `${drawn(step.value_text)} ${node.kind === "max" ? "<" : ">"} ${drawn(bound)} = ${letter}: the search goes on.`,
        text: `${capital(node.name)} is worth ${most} ${drawn(step.value_text)} so far. Is the rest of ${node.name} cut off now, and why?`,
        hint: `Compare ${drawn(step.value_text)} with ${letter} = ${drawn(bound)}, which ${other} has secured elsewhere${bound.includes("∞") ? ": nothing yet" : ""}.` };
    },
  },
};

const VALUE_HINTS = {
  max: (bounded, step) => `Max takes the greatest of the successors' values${bounded ? `, and stops once one has reached β = ${drawn(step.beta_text)}` : ""}.`,
  min: (bounded, step) => `Min takes the least of the successors' values${bounded ? `, and stops once one has reached α = ${drawn(step.alpha_text)}` : ""}.`,
  chance: () => "Weigh each successor's value with its probability, and add them up.",
};

/** Questions about alpha or beta: with which a node is entered, or what it becomes. */
function bound(name, letter, player, extreme) {
  return {
    fits: (quiz, step, index) => quiz.bounded && (step.action === "enter" ? quiz.nodes.get(step.node).children.length > 0 && step[name] !== null :
      step.action === "update" && step[`${name}_text`] !== previous(quiz, index)[`${name}_text`]),
    ask(quiz, step, index) {
      const node = { name: quiz.name(step.node) };
      const before = quiz.picture(index);
      const text = step.action === "enter" ? `The search enters ${node.name} next. What is ${letter} there?` : `The search is back at ${node.name}. What is ${letter} there now?`;
      const last = quiz.steps[index - 1];
      return { before: index, text, answer: drawn(step[`${name}_text`]), others: quiz.near(before, drawn(last?.value_text)),
        hint: `${letter} is the ${extreme} value that ${player} has secured at a node on the path from the root, this one included; ${name === "alpha" ? "−∞" : "∞"} if there is none.` };
    },
  };
}

/** The last step at the same node. */
function previous(quiz, index) {
  for (let at = index - 1; at >= 0; at--) if (quiz.steps[at].node === quiz.steps[index].node) return quiz.steps[at];
  return {};
}

const capital = (text) => text.replace(/^the /, "The ");

/** Whose bound a cut-off is, in a sentence. */
function because(cut) {
  const owner = cut.owner === null ? "It is a bound of the search's window." : `It is a ${cut.reach} cut-off: the bound is that of ${cut.owner}.`;
  return `${inequality(cut)}. ${owner}`;
}
