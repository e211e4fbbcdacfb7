/** The engine's levels, from 1 to 10: what each is called, and what the API is asked for it. */

import { options } from "../lib/dom.js";

const NAMES = ["Beginner", "Novice", "Learner", "Casual", "Intermediate", "Skilled", "Advanced", "Expert", "Master"];
const LONGEST_MOVE = 10; // seconds, however long the game may take
const HIGHEST = ["Full strength", "Perfect"]; // without and with a solution of the game

/** The options of the choice. */
export function levelOptions(level, { database }) {
  const names = [...NAMES, HIGHEST[database ? 1 : 0]];
  return options(names.map((name, i) => [String(i + 1), `${i + 1} ${name}`]), level);
}

/** What the API is asked for a move; `seconds` are those that the engine's clock allows, or null. */
export function limit(level, seconds = null) {
  return seconds === null ? { level } : { level, seconds: Math.min(seconds, LONGEST_MOVE) };
}
