/**
 * The address of the page: everything that is shown, so that any position is a link.
 *
 * @typedef {object} Address
 * @property {string} mode   play, analyze, explore or learn
 * @property {string} game   the game's text, as `connect_four(width=5, height=4)`; empty for the home
 * @property {string} start  the text of the state play begins from; empty for the game's own
 * @property {string[]} moves  all moves of the line that is shown
 * @property {string[][]} lines  all lines of the game, the main line first; empty where there is only one
 * @property {number} at     how many of them have been played in the position shown
 * @property {string} side   whom the reader plays: first, second, both or watch
 * @property {string} level  the engine's strength, from 1 to 10
 * @property {string} clock  minutes for the game and seconds for each move, as 5+3; empty for none
 * @property {boolean} flip  whether the board is seen from the other side
 * @property {Lesson} learn   how Learn searches, and which step of the search it shows
 *
 * @typedef {object} Lesson  texts, empty where all is as usual: a link leads to step 16 of alpha-beta, worst move first
 * @property {string} algorithm, depth, fail, cut, order, window, nodes, symmetry, unfold, step, quiz, question, lecture
 */

export const MODES = ["play", "analyze", "explore", "learn"];
export const SIDES = ["first", "second", "both", "watch"];
const LESSON = ["algorithm", "depth", "fail", "cut", "order", "window", "nodes", "symmetry", "unfold", "step", "quiz",
  "question", "lecture"];
const LEVEL = /^([1-9]|10)$/;
const HIGHEST_LEVEL = "10";
const MOST_QUOTED = 40; // characters of a mistake that are shown
const CLOCK = /^[1-9]\d{0,2}\+\d{1,2}$/;

const READABLE = {
  mode: (text) => MODES.includes(text),
  side: (text) => SIDES.includes(text),
  level: (text) => LEVEL.test(text),
  clock: (text) => CLOCK.test(text),
  at: (text) => /^\d+$/.test(text),
  flip: (text) => /^[01]$/.test(text),
};
const WANTED = {
  mode: MODES.join(", "), side: SIDES.join(", "), level: "1 to 10", clock: "minutes and seconds, as 5+3", at: "the number of a move", flip: "0 or 1",
};

/** Sentences on what a query string has that cannot be read, and is as if it were not there. */
export function problems(query) {
  const given = [...new URLSearchParams(query)].filter(([name, text]) => name in READABLE && !READABLE[name](text));
  return given.map(([name, text]) => `The address has ${name}=${text.slice(0, MOST_QUOTED)}, which is ignored; it may be ${WANTED[name]}.`);
}

/** The address in a query string; what cannot be read is as if it were not there, and `problems` names it. */
export function parse(query) {
  const given = new URLSearchParams(query);
  const at = given.get("at") ?? "";
  return {
    mode: one(MODES, given.get("mode")),
    game: given.get("game") ?? "",
    start: given.get("start") ?? "",
    moves: (given.get("moves") ?? "").split(/\s+/).filter(Boolean),
    lines: given.getAll("line").map((line) => line.split(" ").filter(Boolean).map(decoded)),
    at: /^\d+$/.test(at) ? Number(at) : Infinity, // all of them
    side: one(SIDES, given.get("side")),
    level: LEVEL.test(given.get("level") ?? "") ? given.get("level") : HIGHEST_LEVEL,
    clock: CLOCK.test(given.get("clock") ?? "") ? given.get("clock") : "",
    flip: given.get("flip") === "1",
    learn: Object.fromEntries(LESSON.map((name) => [name, given.get(name) ?? ""])),
  };
}

/** The query string of an address; what is as usual is left out. */
export function format(address) {
  const query = new URLSearchParams(address.game ? { game: address.game } : {});
  if (address.start) query.set("start", address.start);
  if (address.moves.length) query.set("moves", address.moves.join(" "));
  if (address.lines.length > 1) for (const line of address.lines) query.append("line", line.map(encodeURIComponent).join(" "));
  if (address.at < address.moves.length) query.set("at", address.at);
  if (address.mode !== "play") query.set("mode", address.mode);
  if (address.side !== "first") query.set("side", address.side);
  if (address.level !== HIGHEST_LEVEL) query.set("level", address.level);
  if (address.clock) query.set("clock", address.clock);
  if (address.flip) query.set("flip", "1");
  const lesson = address.mode === "learn" ? Object.entries(address.learn) : [];
  for (const [name, value] of lesson) if (value) query.set(name, value);
  return query.size ? `?${query}` : "./";
}

/** What the API asks of a position: the game, its start and the moves up to the one shown. */
export function asked(address, at = address.at) {
  return { game: address.game, start: address.start, moves: address.moves.slice(0, at).join(" ") };
}

/** A move of a line, which may hold a space; as it stands where it cannot be decoded. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const one = (known, wanted) => (known.includes(wanted) ? wanted : known[0]);
