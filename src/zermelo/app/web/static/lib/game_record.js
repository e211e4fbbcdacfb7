/** Game records: a game as a JSON file, as `zermelo play` writes it, downloaded and read. */

import { h } from "./dom.js";

const FOLDER = /^.*?[/\\](?=[^/\\]+\.py:\w)/s; // of the file of a game, which is private
const CLASS = /^(?:.*?\.py|[\w.]+):(?=\w)/s; // what stands before the class: a file, or a module

/** A position's game as a file names it. */
export const named = ({ source }) => source.replace(FOLDER, "");

/** The text by which a game of a file is served: by the name of its class. */
export const served = (name) => name.replace(CLASS, "");

/** What a position's record says. */
export function record(position) {
  return {
    game: named(position),
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
  save(position, `${JSON.stringify(record(position), null, 2)}\n`, "json");
}

/** Hand the reader a text about a position's game as a file. */
export function save(position, text, ending) {
  const url = URL.createObjectURL(new Blob([text], { type: ending === "json" ? "application/json" : "text/plain" }));
  const name = position.game.replace(/[^\w]+/g, "_").replace(/^_+|_+$/g, "");
  h("a", { href: url, download: `${name}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A game's text as a shell takes it for one word. */
export function quoted(text) {
  if (/^[\w./:-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}

/**
 * What a record says: the game's `name` in it, the text by which it would be served, its start and its moves. An Error
 * with a sentence where the text is no record.
 */
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
  return { name: game.replace(FOLDER, ""), game: served(game), start, moves: moves.map(String) };
}
