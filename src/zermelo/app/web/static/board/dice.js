/** Dice: an outcome of chance, drawn by its probability, and its animation. */

import { h, s, sleep } from "../lib/dom.js";
import { sound } from "../lib/sound.js";

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

/** A die with its pips, two or more of them, or a card with the outcome's text. */
export function face(text) {
  if (/^[1-6]{2,4}$/.test(text)) return h("span", { class: "pair", role: "img", "aria-label": text }, ...[...text].map(face));
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
  sound("dice");
  try {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) await tumble(tray, outcomes, signal);
    tray.replaceChildren(face(outcome.text));
    tray.classList.add("still");
    await sleep(450, signal);
  } finally {
    tray.remove();
  }
}

/** Over the dice of the board, where it has some. */
function place(tray, root) {
  const dice = [...root.querySelectorAll(".picture .die")].map((die) => die.getBoundingClientRect());
  const box = root.getBoundingClientRect();
  if (!dice.length) return;
  const [left, top] = [Math.min(...dice.map((die) => die.left)), Math.min(...dice.map((die) => die.top))];
  const [right, bottom] = [Math.max(...dice.map((die) => die.right)), Math.max(...dice.map((die) => die.bottom))];
  const [x, y, width, height] = [left - box.x, top - box.y, right - left, bottom - top].map((n) => `${n}px`);
  Object.assign(tray.style, { inset: "auto", left: x, top: y, width, height });
  tray.classList.add("placed");
}

async function tumble(tray, outcomes, signal) {
  for (let turn = 0; turn < TUMBLES; turn++) {
    tray.replaceChildren(face(outcomes[Math.floor(uniform() * outcomes.length)].text));
    await sleep(40 + 6 * turn, signal);
  }
}
