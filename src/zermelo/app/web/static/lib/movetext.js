/**
 * Games as text, with variations in parentheses: PGN for chess, and the same form for every other game.
 *
 * A move that holds a space is written with a no-break space. Comments, numbers of moves, glyphs and results are not read.
 */

import { GameTree } from "./game_tree.js";

const NO_BREAK = "\u00a0";
const SKIPPED = /^(\d+\.+|\$\d+|1-0|0-1|1\/2-1\/2|\*)$/;
const RESULTS = { 0: "1-0", 1: "0-1" };

/** A game as text: its tags, then its moves. */
export function write(position, tree) {
  const { outcome, source, start, title } = position;
  const result = outcome ? RESULTS[outcome.winner] ?? "1/2-1/2" : "*";
  const tags = [["Event", title], ["Site", "Zermelo"], ["Result", result], ["Game", source], ["Start", start]];
  if (source === "chess") tags.push(["SetUp", "1"], ["FEN", start]);
  const head = tags.map(([name, text]) => `[${name} "${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`).join("\n");
  return `${head}\n\n${[...words(tree.root, 0, true), result].join(" ")}\n`;
}

/** The words of the moves after a node: the main line, and each other move in parentheses after the one it replaces. */
function words(node, ply, numbered) {
  const found = [];
  for (let at = node; at.next.length; ply++) {
    const [main, ...others] = at.next;
    found.push(...named(main, ply, numbered));
    for (const other of others) found.push("(", ...named(other, ply, true), ...words(other, ply + 1, false), ")");
    numbered = others.length > 0; // after a variation the number stands again
    at = main;
  }
  return found;
}

function named({ text }, ply, numbered) {
  const number = `${Math.floor(ply / 2) + 1}.${ply % 2 ? ".." : ""}`;
  return [...(numbered || ply % 2 === 0 ? [number] : []), text.replaceAll(" ", NO_BREAK)];
}

/** The tags of a text and its lines, the main line first. An Error with a sentence where it has no moves. */
export function read(text) {
  const tags = Object.fromEntries([...text.matchAll(/^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]/gm)]
    .map(([, name, value]) => [name, value.replace(/\\(.)/g, "$1")]));
  const bare = text.replace(/^\s*\[\w+\s+"(?:[^"\\]|\\.)*"\]\s*$/gm, "").replace(/\{[^}]*\}|;.*$/gm, " ");
  const tree = new GameTree([]);
  const outer = []; // the paths to which the open parentheses return
  let path = [];
  for (const word of tokens(bare)) {
    if (word === "(") outer.push(path), (path = path.slice(0, -1));
    else if (word === ")") path = outer.pop() ?? path;
    else if (!SKIPPED.test(word)) tree.add((path = [...path, move(word)]));
  }
  if (!tree.root.next.length) throw new Error("This text has no moves.");
  return { tags, lines: tree.lines() };
}

/** Words, and parentheses that belong to no move: 24/18(2) is one word. */
function tokens(text) {
  return text.split(/[ \t\r\n]+/).filter(Boolean).flatMap((word) => {
    const [, open, inside, close] = word.match(/^(\(*)(.*?)(\)*)$/s);
    const own = inside.split("(").length - inside.split(")").length; // a parenthesis of the move itself
    return [...open, inside + ")".repeat(Math.max(own, 0)), ...close.slice(Math.max(own, 0))].filter(Boolean);
  });
}

const move = (word) => word.replace(/^\d+\.+(?=[^\d.])/, "").replace(/[!?]+$/, "").replaceAll(NO_BREAK, " ");
