/** Statistics of a solution: outcomes by stage and by distance as bars, the longest wins and zugzwangs as small boards. */

import { h, s } from "../lib/dom.js";
import { count, tag } from "../lib/value_text.js";

const [WIDTH, HEIGHT] = [400, 110];
const TONES = ["win", "draw", "loss"];

/**
 * @param {string} name  of the game, whose boards have colours of their own
 * @param {(state: string) => void} go  shows a position
 */
export function statisticsPanel(found, board, name, go) {
  const { states, positions, outcomes, stages, distances, longest, zugzwang } = found;
  const total = positions > states ? `${count(states)} states, ${count(positions)} with their mirror images` : `${count(states)} states`;
  const shares = Object.entries(outcomes).filter(([name]) => name !== "states")
    .map(([name, number]) => `${name} ${(100 * number / states).toFixed(1)} %`).join(", ");
  const plies = [...new Set(distances.map((one) => one.plies))].sort((a, b) => a - b);
  const at = (ply, outcome) => distances.find((one) => one.plies === ply && one.outcome === outcome)?.states ?? 0;
  return [
    h("p", {}, `${total}. For the player to move: ${shares || "an expectation each"}.`),
    ...chart("Outcomes by stage of the game", "stage", stages.map((one) => [one.stage, TONES.map((tone) => one[tone])])),
    ...chart("Wins and losses by plies to the end", "plies", plies.map((ply) => [ply, [at(ply, "win"), 0, at(ply, "loss")]])),
    ...boards("Farthest from the end", longest, board, name, go),
    zugzwang.found ? h("p", { class: "quiet" }, `In ${zugzwang.found} of ${zugzwang.examined} positions the player to move would rather pass.`) : null,
    ...boards("Zugzwang", zugzwang.examples, board, name, go),
  ];
}

/** Stacked bars, one for each of the rows [label, [wins, draws, losses]]. */
function chart(title, unit, rows) {
  if (rows.length < 2) return [];
  const most = Math.max(...rows.map(([, parts]) => parts.reduce((sum, part) => sum + part, 0)), 1);
  const step = WIDTH / rows.length;
  const bars = rows.flatMap(([label, parts], i) => {
    let y = HEIGHT;
    const said = `${unit} ${label}: ${TONES.map((tone, k) => [parts[k], tone]).filter(([number]) => number).map(([number, tone]) => `${count(number)} ${tone}`).join(", ")}`;
    const pieces = parts.map((part, k) => {
      const height = (part / most) * (HEIGHT - 4);
      y -= height;
      return s("rect", { class: TONES[k], x: i * step + 0.5, y, width: Math.max(step - 1, 0.5), height });
    });
    return [s("g", {}, s("title", {}, said), ...pieces)];
  });
  const label = `${title}: ${rows.length} bars, the highest ${count(most)} states`;
  return [h("h2", {}, title),
    s("svg", { class: "bars", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, preserveAspectRatio: "none" }, ...bars),
    h("p", { class: "legend quiet" }, h("span", {}, `${unit} ${rows[0][0]}`), ...TONES.map((tone) => h("span", { class: `key ${tone}` }, tone)),
      h("span", {}, `${rows.at(-1)[0]}`))];
}

function boards(title, found, board, name, go) {
  if (!found.length) return [];
  const card = ({ state, value, svg }) => {
    const picture = h("span", { class: "thumbnail", "data-game": name, "aria-hidden": "true" });
    picture.innerHTML = svg; // drawn by the server
    return h("button", { type: "button", class: "card", title: state, "aria-label": `Show ${state}`, onclick: () => go(state) }, picture, tag(value, board));
  };
  return [h("h2", {}, title), h("div", { class: "cards solved" }, ...found.map(card))];
}
