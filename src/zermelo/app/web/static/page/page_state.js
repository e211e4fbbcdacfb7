/** What the page shows, as all modules around the board know it. */

import { parse } from "../lib/address.js";

/** `address` is what is asked for, `shown` what is on the page; they differ while it is fetched. */
export const state = { games: [], address: parse(location.search), shown: null, position: null, line: null, first: "",
  loading: false, threads: 1 };

/** play, analyze, explore and learn, made when they are first entered. */
export const modes = {};

/** The path to the position shown. */
export const here = () => state.address.moves.slice(0, state.address.at);
