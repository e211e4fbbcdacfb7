/**
 * The engine's levels, from Beginner up: what each is called, and what the API is asked for it.
 *
 * A level stands in the address as a depth in plies, d4, or as seconds a move, s1. A game whose solution is open is
 * played perfectly by every level of seconds, and the last one says so.
 */

import { options } from "../lib/dom.js";

const LEVELS = [["d1", "Beginner"], ["d2", "Easy"], ["d4", "Medium"], ["d8", "Hard"], ["s0.2", "Strong"],
  ["s1", "Very strong"], ["s3", "Expert"], ["s10", "Strongest"]];
const PERFECT = "Perfect";

/** The options of the choice; one that only the address knows is added. */
export function levelOptions(level, { database }) {
  const named = LEVELS.map(([value, name], i) => [value, `${database && i === LEVELS.length - 1 ? PERFECT : name}: ${limits(value)}`]);
  const known = LEVELS.some(([value]) => value === level) ? named : [...named, [level, limits(level)]];
  return options(known, level);
}

/** What the API is asked for a move; `seconds` are those that the engine's clock allows, or null. */
export function limit(level, seconds = null) {
  const number = Number(level.slice(1));
  if (level[0] === "s") return { seconds: seconds === null ? number : Math.min(number, seconds) };
  return seconds === null ? { depth: number } : { depth: number, seconds };
}

function limits(level) {
  const number = level.slice(1);
  return level[0] === "s" ? `${number} s a move` : `looks ${number} ${number === "1" ? "ply" : "plies"} ahead`;
}
