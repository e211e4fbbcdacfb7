/** Positions from the server, kept so that stepping through a game is quick. */

import { get } from "../lib/api.js";
import { waiting } from "./notices.js";

const MAX_CACHED_POSITIONS = 300;
const positions = new Map();

export async function position(question, signal) {
  const key = JSON.stringify(question);
  if (!positions.has(key)) {
    const found = await get("position", question, { signal, waiting });
    if (positions.size >= MAX_CACHED_POSITIONS) positions.delete(positions.keys().next().value);
    positions.set(key, found);
  }
  return positions.get(key);
}

/** Ask for all of them again: the server knows more now. */
export const forgetPositions = () => positions.clear();
