/**
 * Games as text, with variations in parentheses: PGN for chess, and the same form for every other game.
 *
 * A move that holds a space is written with a no-break space, and comments stand in braces. Numbers of moves, glyphs and
 * results are not read.
 */

import { named as nameOf } from "./game_record.js";
import { GameTree } from "./game_tree.js";

const NO_BREAK = "\u00a0";
const SKIPPED = /^(\d+\.+|\$\d+|1-0|0-1|1\/2-1\/2|\*)$/;
const RESULTS = { 0: "1-0", 1: "0-1" };

/** A game as text: its tags, then its moves with `comments`, each {moves, text}. */
export function write(position, tree, comments = []) {
  const { outcome, source, start, title } = position;
  const result = outcome ? RESULTS[outcome.winner] ?? "1/2-1/2" : "*";
  const tags = [["Event", title], ["Site", "Zermelo"], ["Result", result], ["Game", nameOf(position)], ["Start", start]];
  if (source === "chess") tags.push(["SetUp", "1"], ["FEN", start]);
  const head = tags.map(([name, text]) => `[${name} "${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`).join("\n");
  return `${head}\n\n${[...words(tree.root, [], true, new Map(comments.map(({ moves, text }) => [JSON.stringify(moves), text]))), result].join(" ")}\n`;
}

/** The words of the moves after a node: the main line, and each other move in parentheses after the one it replaces. */
function words(node, path, numbered, comments) {
  const found = [];
  for (let at = node; at.next.length; ) {
    const [main, ...others] = at.next;
    found.push(...named(main, path, numbered, comments));
    for (const other of others) {
      found.push("(", ...named(other, path, true, comments), ...words(other, [...path, other.text], false, comments), ")");
    }
    numbered = others.length > 0; // after a variation the number stands again
    path = [...path, main.text];
    at = main;
  }
  return found;
}

function named({ text }, path, numbered, comments) {
  const number = `${Math.floor(path.length / 2) + 1}.${path.length % 2 ? ".." : ""}`;
  const said = comments.get(JSON.stringify([...path, text]));
  const comment = said ? [`{${said.replace(/[{}]/g, "").replace(/\s+/g, " ")}}`] : [];
  return [...(numbered || path.length % 2 === 0 ? [number] : []), text.replaceAll(" ", NO_BREAK), ...comment];
}

/** The tags of a text, its lines, the main line first, and its comments. An Error with a sentence where it has no moves. */
export function read(text) {
  const tags = Object.fromEntries([...text.matchAll(/^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]/gm)]
    .map(([, name, value]) => [name, value.replace(/\\(.)/g, "$1")]));
  const bare = text.replace(/^\s*\[\w+\s+"(?:[^"\\]|\\.)*"\]\s*$/gm, "");
  const tree = new GameTree([]);
  const outer = []; // the paths to which the open parentheses return
  const comments = [];
  let path = [];
  for (const word of bare.split(/(\{[^}]*\})/).flatMap((part) => (part[0] === "{" ? [part] : tokens(part.replace(/;.*$/gm, " "))))) {
    if (word[0] === "{") path.length && comments.push({ moves: path, text: word.slice(1, -1).trim() });
    else if (word === "(") outer.push(path), (path = path.slice(0, -1));
    else if (word === ")") path = outer.pop() ?? path;
    else if (!SKIPPED.test(word)) tree.add((path = [...path, move(word)]));
  }
  if (!tree.root.next.length) throw new Error("This text has no moves.");
  return { tags, lines: tree.lines(), comments };
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
