/** The choice of a game: a form made from what the server says of its games. */

import { h, options, put } from "./dom.js";
import { rulesPanel } from "./rules_panel.js";

const TYPED = { type: "text", spellcheck: "false", autocomplete: "off" };

/** A game's text taken apart: its name and its parameters as texts. `nim(piles=(2, 2))` has piles "(2, 2)". */
export function taken(text) {
  const [, name, inside] = text.match(/^((?:.*\.py:)?[^(]*)(?:\((.*)\))?$/s) ?? [null, text, ""];
  const found = {};
  for (const part of parts(inside ?? "")) {
    const [, key, value] = part.match(/^\s*(\w+)\s*=\s*(.*?)\s*$/s) ?? [];
    if (key) found[key] = value;
  }
  return { name: name.trim(), parameters: found };
}

/** The text split at commas that stand in no bracket and in no quotes. */
function parts(text) {
  const found = [""];
  let [depth, quote] = [0, ""];
  for (const sign of text) {
    if (quote) quote = sign === quote ? "" : quote;
    else if ("'\"".includes(sign)) quote = sign;
    else depth += "([{".includes(sign) ? 1 : ")]}".includes(sign) ? -1 : 0;
    if (sign === "," && !depth && !quote) found.push("");
    else found[found.length - 1] += sign;
  }
  return found;
}

/** The game's text again, with those parameters that are not as usual. */
export function written(entry, given) {
  const changed = entry.parameters
    .map(({ name, default: usual }) => [name, given[name], literal(usual)])
    .filter(([, value, usual]) => value !== undefined && value !== "" && value !== usual);
  if (!changed.length) return entry.name;
  return `${entry.name}(${changed.map(([name, value]) => `${name}=${value}`).join(", ")})`;
}

/** A default as Python writes it. */
function literal(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `(${value.map(literal).join(", ")}${value.length === 1 ? "," : ""})`;
  return String(value);
}

/**
 * The form in `root`: a game, its parameters, the position to start from. `choose({game, start})` starts a new game,
 * `browse()` opens the gallery, `example(name, moves)` plays the moves of an example. */
export function chooser(root, games, address, position, choose, { browse, example }) {
  const { name, parameters } = taken(position?.game ?? address.game);
  const entry = games.find((game) => game.name === name);
  const change = () => begin(root, games, select.value, choose, { browse, example });
  const select = h("select", { id: "game-name", "aria-label": "Game", onchange: change },
    ...options(games.map((game) => [game.name, game.title]), name));
  if (!entry) select.prepend(h("option", { value: name, selected: true }, name || "Choose a game"));
  const fields = (entry?.parameters ?? []).map((parameter) => field(parameter, parameters[parameter.name]));
  const start = h("input", { ...TYPED, id: "game-start", value: address.start, placeholder: "the game's own" });
  const form = h("form", { onsubmit: (event) => {
    event.preventDefault();
    choose({ game: written(entry, given(form)), start: start.value.trim() });
  } }, ...fields, h("label", { class: "wide" }, "Start from", start), h("button", { class: "primary" }, "Start"));
  const open = root.querySelector(".parameters")?.open && root.dataset.game === name;
  root.dataset.game = name;
  const summary = h("summary", {}, fields.length ? "Parameters and start" : "Start from a position");
  const gallery = h("button", { type: "button", id: "browse", onclick: browse }, "All games");
  put(root, h("div", { class: "chosen-game" }, select, gallery), h("p", { class: "about" }, entry?.description ?? ""),
    entry ? rulesPanel(name, (moves) => example(name, moves)) : null,
    h("details", { class: "parameters", open, hidden: !entry }, summary, form));
}

/** Begin a game as it usually is; one that needs a parameter waits for it. */
export function begin(root, games, name, choose, help) {
  const entry = games.find((game) => game.name === name);
  const needed = entry.parameters.filter((parameter) => parameter.default === null);
  if (!needed.length) return choose({ game: name, start: "" });
  chooser(root, games, { game: name, start: "" }, null, choose, help);
  root.querySelector(".parameters").open = true;
  root.querySelector("form input").focus();
}

function field({ name, type, default: usual }, value) {
  const shown = value ?? literal(usual);
  const plain = /^['"].*['"]$/.test(shown) ? shown.slice(1, -1) : shown;
  const label = name.replaceAll("_", " ");
  if (type === "bool") return h("label", {}, label, h("input", { type: "checkbox", name, checked: plain === "True" }));
  const whole = type === "int";
  const kind = whole ? { type: "number", step: "1" } : TYPED;
  const input = h("input", { ...kind, name, value: plain, required: usual === null });
  return h("label", { class: whole ? "" : "wide" }, label, input);
}

function given(form) {
  const value = (input) => (input.type === "checkbox" ? literal(input.checked) : input.value.trim());
  return Object.fromEntries([...form.querySelectorAll("input[name]")].map((input) => [input.name, value(input)]));
}
