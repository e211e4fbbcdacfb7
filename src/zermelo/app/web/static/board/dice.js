/** Dice: an outcome of chance, drawn by its probability, and its animation. */

import { h, s, sleep } from "../lib/dom.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const TUMBLES = 9; // faces shown before the outcome

/** One of the outcomes, each as likely as its `probability` says. */
export function draw(outcomes) {
  const total = outcomes.reduce((sum, outcome) => sum + outcome.probability, 0);
  let left = uniform() * total;
  return outcomes.find((outcome) => (left -= outcome.probability) < 0) ?? outcomes.at(-1);
}

/** A number from 0 up to 1, from the browser's source of true randomness. */
function uniform() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high * 2 ** 21 + (low >>> 11)) / 2 ** 53;
}

/** A die with its pips, or a card with the outcome's text. */
export function face(text) {
  const pips = PIPS[text];
  if (!pips) return h("span", { class: "die card", "aria-label": text }, text);
  const spot = (place) => s("circle", { cx: 11 + 14 * (place % 3), cy: 11 + 14 * Math.floor(place / 3), r: 4.5 });
  return s("svg", { class: "die", viewBox: "0 0 50 50", role: "img", "aria-label": text },
    s("rect", { x: 1.5, y: 1.5, width: 47, height: 47, rx: 10 }), ...pips.map(spot));
}

/** Roll over the board: other faces tumble by, then the outcome lies still. Without motion it lies still at once. */
export async function roll(root, outcomes, outcome, signal) {
  const tray = h("div", { class: "dice", "aria-hidden": "true" });
  root.append(tray);
  place(tray, root);
  try {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) await tumble(tray, outcomes, signal);
    tray.replaceChildren(face(outcome.text));
    tray.classList.add("still");
    await sleep(450, signal);
  } finally {
    tray.remove();
  }
}

/** Over the die of the board, where it has one. */
function place(tray, root) {
  const die = root.querySelector(".picture .die")?.getBoundingClientRect();
  const box = root.getBoundingClientRect();
  if (!die) return;
  const [left, top, width, height] = [die.x - box.x, die.y - box.y, die.width, die.height].map((n) => `${n}px`);
  Object.assign(tray.style, { inset: "auto", left, top, width, height });
}

async function tumble(tray, outcomes, signal) {
  for (let turn = 0; turn < TUMBLES; turn++) {
    tray.replaceChildren(face(outcomes[Math.floor(uniform() * outcomes.length)].text));
    await sleep(40 + 6 * turn, signal);
  }
}
