/** Play: the reader against the engine, both by hand, or the engine against itself. */

import { draw, roll } from "../board/dice.js";
import { name, short } from "../board/player_names.js";
import { asked } from "../lib/address.js";
import { get } from "../lib/api.js";
import { h, options, put, sleep } from "../lib/dom.js";
import { origin, slow, words as said } from "../lib/value_text.js";

const LEVELS = [["d1", "Beginner: 1 ply"], ["d2", "Easy: 2 plies"], ["d4", "Medium: 4 plies"], ["d8", "Hard: 8 plies"],
  ["s0.2", "Strong: 0.2 s a move"], ["s1", "Very strong: 1 s a move"], ["s3", "Stronger: 3 s a move"],
  ["s10", "Strongest: 10 s a move"]];

const PREPARING_POLL = 600; // milliseconds between two questions whether the engine is ready

export function play(page) {
  let work = new AbortController(); // the engine's thinking, or the dice in the air
  let paused = false;
  let resigned = ""; // the position in which the reader has resigned

  const mine = (player) => ({ first: player === 0, second: player === 1, both: true, watch: false })[page.address.side];
  const last = () => page.address.at === page.address.moves.length;

  function show() {
    work.abort();
    work = new AbortController();
    const { position } = page;
    if (resigned !== here()) resigned = ""; // whoever comes back has another game in mind
    const gaveUp = Boolean(resigned);
    const free = !position.outcome && !gaveUp && !position.chance && mine(position.player);
    page.table({ enabled: free });
    settings(Boolean(position.outcome) || gaveUp);
    if (gaveUp) return page.say("You resign. Zermelo wins.");
    if (position.outcome) return page.say(result(position.outcome));
    if (!last() && !free) return behind();
    if (paused && !free) return page.say("Paused.");
    if (position.chance) return chance(position);
    if (free) return page.say(invitation(position), position.player);
    return think(position);
  }

  const here = () => JSON.stringify(asked(page.address));

  function resign() {
    resigned = here();
    show();
  }

  /** Begin the same game again, or from the other side. */
  function rematch(side) {
    page.go({ moves: [], side, flip: side === "second" });
  }

  function settings(over) {
    const { side, level } = page.address;
    const { board } = page.position;
    const sides = [["first", short(board, 0)], ["second", short(board, 1)], ["both", "Both sides"], ["watch", "None: watch"]];
    const known = LEVELS.some(([value]) => value === level) ? LEVELS : [...LEVELS, [level, words(level)]];
    const set = (name) => ({ target: { value } }) =>
      page.go({ [name]: value, ...(name === "side" ? { flip: value === "second" } : {}) }, { replace: true });
    const choice = (name, pairs, chosen) => h("select", { id: name, onchange: set(name) }, ...options(pairs, chosen));
    const pause = h("button", { type: "button", onclick: turn }, paused ? "Go on" : "Pause");
    put(page.panel,
      h("div", { class: "row" },
        h("label", {}, "You play", choice("side", sides, side)),
        h("label", {}, "Zermelo thinks", choice("level", known, level)),
        side === "watch" ? pause : null),
      over ? afterwards(side) : null,
      h("p", { id: "thought", class: "quiet" }, page.thought ?? ""));
  }

  /** What to do once the game is over. */
  function afterwards(side) {
    const button = (id, text, onclick) => h("button", { type: "button", id, onclick }, text);
    const other = { first: "second", second: "first" }[side];
    return h("div", { class: "row afterwards" }, button("rematch", "Rematch", () => rematch(side)),
      other ? button("swap", "Swap sides", () => rematch(other)) : null,
      button("review", "Analyze the game", () => page.go({ mode: "analyze", review: true })));
  }

  function turn() {
    paused = !paused;
    show();
  }

  function behind() {
    const { at, moves } = page.address;
    const on = () => page.go({ moves: moves.slice(0, at) });
    page.say(`Looking back: after move ${at} of ${moves.length}. `, null,
      h("button", { type: "button", onclick: on }, "Play on from here"));
  }

  async function chance(position) {
    const { signal } = work;
    page.say("The dice roll.", position.player);
    const outcome = draw(position.legal);
    await attempt(async () => {
      await roll(page.board.root, position.legal, outcome, signal);
      page.thought = "";
      page.play(outcome.text, { replace: true });
    }, signal);
  }

  async function think(position) {
    const { signal } = work;
    page.say("Zermelo is thinking …", position.player);
    const answered = new AbortController();
    sayWhilePreparing(position, AbortSignal.any([signal, answered.signal]));
    await attempt(async () => {
      const asking = ask("move", limit(page.address.level), signal);
      const [{ move, report }] = await Promise.all([asking, sleep(250, signal)]); // too quick a move would not be seen
      page.thought = `Zermelo: ${said(report.value, position.board)}, ${origin(report)}`;
      if (report.compiling) page.thought += ". The fast engine is still being prepared: this move was searched slowly, and Zermelo is not yet at its full strength";
      if (report.interpreted) page.thought += `. ${slow(report)}`;
      page.play(move, { replace: true });
    }, signal);
    answered.abort();
  }

  /** Say that the engine is being compiled as long as it is; the server waits for it as long as it may think. */
  async function sayWhilePreparing(position, signal) {
    const began = Date.now();
    try {
      for (let said = false; ; said = true) {
        await sleep(PREPARING_POLL, signal);
        const { compiling } = await get("engine", asked(page.address), { signal });
        if (!compiling && said) page.say("Zermelo is thinking …", position.player);
        if (!compiling) return;
        const seconds = Math.round((Date.now() - began) / 1000);
        page.say(`Preparing the fast engine, ${seconds} s … `, position.player, h("progress", { "aria-label": "Preparing" }));
      }
    } catch {
      // the move is there, or asked for no more; where the server is gone, the move says so
    }
  }

  async function hint() {
    const { signal } = work;
    const { position } = page;
    page.say("Looking for a good move …", position.player);
    await attempt(async () => {
      const { move, report } = await ask("move", { seconds: 0.5 }, signal);
      const squares = position.legal.find((one) => one.text === move)?.squares ?? [];
      page.board.hint(squares.filter((square) => page.board.squares.has(square)));
      page.say(`Hint: ${move} (${said(report.value, position.board)}, ${origin(report)}).`, position.player);
    }, signal);
  }

  const ask = (path, how, signal) => get(path, { ...asked(page.address), ...how }, { signal, waiting: page.waiting });

  async function attempt(job, signal) {
    try {
      await job();
    } catch (error) {
      if (!signal.aborted) page.fail(error, show);
    }
  }

  /** The ply to go back or on to: the reader's own last or next decision, or one ply where the engine plays both sides. */
  function step(way) {
    const { at, moves, side } = page.address;
    const decides = (ply) => {
      const turn = page.line.history[ply];
      return turn ? !turn.chance && mine(turn.player) : ply === moves.length;
    };
    for (let ply = at + way; ply >= 0 && ply <= moves.length; ply += way) {
      if (side === "watch" || decides(ply)) return ply;
    }
    return null;
  }

  function invitation(position) {
    const rolled = position.history.at(-1);
    const before = rolled?.chance ? `Rolled ${rolled.text}. ` : "";
    if (page.address.side !== "both") return `${before}Your move.`;
    return `${before}${name(position.board, position.player)} to move.`;
  }

  function result({ winner, words }) {
    if (winner === null || !["first", "second"].includes(page.address.side)) return words;
    return words.replace(/^.*? wins?\b/, mine(winner) ? "You win" : "Zermelo wins");
  }

  /** Whether the reader plays a game that can be given up. */
  const canResign = () => ["first", "second"].includes(page.address.side) && !page.position.outcome
    && page.address.moves.length > 0 && last() && resigned !== here();

  return { show, hint, resign, canResign, step, halt: () => work.abort() };
}

/** What the API calls a level: seconds or a depth. */
function limit(level) {
  return level[0] === "s" ? { seconds: level.slice(1) } : { depth: level.slice(1) };
}

const words = (level) => (level[0] === "s" ? `${level.slice(1)} s a move` : `${level.slice(1)} plies deep`);
