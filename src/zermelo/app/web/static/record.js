/** Records: a game as a JSON file, the same as `zermelo play` writes, out of the page and into it. */

import { h } from "./dom.js";

/** What a position's record says. */
export function record(position) {
  return {
    game: position.game,
    start: position.start,
    seed: null,
    moves: position.moves,
    state: position.state,
    winner: position.outcome?.winner ?? null,
    result: position.outcome?.words ?? "unfinished",
  };
}

/** Hand the reader a record as a file. */
export function download(position) {
  const file = new Blob([`${JSON.stringify(record(position), null, 2)}\n`], { type: "application/json" });
  const url = URL.createObjectURL(file);
  const name = position.game.replace(/[^\w]+/g, "_").replace(/^_+|_+$/g, "");
  h("a", { href: url, download: `${name}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** The address that a record leads to; an Error with a sentence where the text is no record. */
export function read(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error("This file is no record of a game: it is not JSON.");
  }
  const { game, start = "", moves } = found ?? {};
  if (typeof game !== "string" || typeof start !== "string" || !Array.isArray(moves)) {
    throw new Error("This file is no record of a game: it lacks the game's name, its start or its moves.");
  }
  return { game, start, moves: moves.map(String), at: moves.length };
}
