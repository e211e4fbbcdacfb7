/** Games as files: saved and loaded in their own notation, as movetext with variations, or as a record. */

import { get } from "./api.js";
import { quoted, read, served } from "./game_record.js";
import { read as readMoves, write as writeMoves } from "./movetext.js";

const OWN_FORMATS = ["pgn", "pdn", "sgf", "ggf", "mat"]; // notations that the server reads
const MOVETEXT = ["pgn", "pdn", "mat"]; // those of plain moves, which name no game
const MAX_RECORD_LENGTH = 12_000; // letters of a text in one of them

/** The game with its variations as text, and how its file ends: in its own notation where it has one, else plain movetext. */
export async function exported(page) {
  const { line, address } = page;
  const tree = page.tree();
  const [format] = line.formats;
  const comments = page.comments();
  if (!format) return { text: writeMoves(line, tree, comments), ending: "txt" };
  const lines = tree.lines().map((moves) => moves.join(" ")).join("\n");
  const noted = comments.map(({ moves, text }) => `${moves.join(" ")}\t${text.replace(/\s+/g, " ")}`).join("\n");
  const { text } = await get("export", { game: address.game, start: address.start, lines, comments: noted, format }, { waiting: page.waiting });
  return { text, ending: format };
}

/** Take up the game of a file. */
export async function loadFile(page, file) {
  try {
    const text = await file.text();
    const [ending] = file.name.toLowerCase().match(/[^.]*$/);
    await (OWN_FORMATS.includes(ending) ? loadOwn(page, text, ending) : ending === "txt" ? loadMoves(page, text) : loadRecord(page, text));
  } catch (error) {
    page.fail(error);
  }
}

/** Take up what somebody has pasted: a record, a game in some notation, the moves of the game shown, or a position of it. */
export async function loadText(page, pasted) {
  const text = pasted.trim();
  if (!text) throw new Error("Nothing was pasted.");
  if (text[0] === "{") return loadRecord(page, text);
  if (text.startsWith("(;")) return loadOwn(page, text, text.startsWith("(;GM[Othello]") ? "ggf" : "sgf");
  const own = page.line.formats.find((format) => MOVETEXT.includes(format));
  try {
    await (own ? loadOwn(page, text, own) : loadMoves(page, text));
  } catch (error) {
    const { game } = page.address;
    const found = await page.fetch({ game, start: text, moves: "" }).catch(() => null);
    if (!found) throw error;
    await page.go({ start: found.start, moves: [] });
  }
}

/** Take up a record, as `zermelo play` writes it. */
async function loadRecord(page, text) {
  const { name, game, start, moves } = read(text);
  const found = await page.fetch({ game, start, moves: moves.join(" ") }).catch((error) => {
    if (error.status !== 404) throw error;
    throw new Error(`This is a record of ${name}, which is not served here; zermelo serve ${quoted(name)} serves it.`);
  });
  page.go({ game: found.game, start: found.start, moves: found.moves });
}

/** Take up a game in its own notation, with its variations and comments. */
async function loadOwn(page, text, format) {
  if (text.length > MAX_RECORD_LENGTH) throw new Error("This file is too long to be read here; zermelo convert reads files of any length.");
  const { game, start, lines, comments } = await get("import", { format, text, game: page.address.game }, { waiting: page.waiting });
  await page.go({ game, start, moves: lines[0], lines });
  page.comment(comments);
}

/** Take up a game with its variations; a text that does not name its game is one of the game shown. */
async function loadMoves(page, text) {
  const { tags, lines, comments } = readMoves(text);
  const game = tags.Game ? served(tags.Game) : page.address.game;
  const start = tags.Start ?? tags.FEN ?? "";
  const found = [];
  for (const line of lines) found.push(await page.fetch({ game, start, moves: line.join(" ") }));
  const [main] = found;
  await page.go({ game: main.game, start: main.start, moves: main.moves, lines: found.map(({ moves }) => moves) });
  page.comment(comments);
}
