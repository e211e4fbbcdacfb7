/** Play: the reader against the engine, both by hand, or the engine against itself. */

import { draw, roll } from "../board/dice.js";
import { name, short, verb } from "../board/player_names.js";
import { asked } from "../lib/address.js";
import { get } from "../lib/api.js";
import { $, h, options, put, sleep } from "../lib/dom.js";
import { ending } from "../lib/outcome_text.js";
import { sound } from "../lib/sound.js";
import { origin, slow, words as said } from "../lib/value_text.js";
import { agrees } from "./draw_offer.js";
import { engineMatch } from "./engine_match.js";
import { CLOCKS, GameClock } from "./game_clock.js";
import { levelOptions, limit } from "./levels.js";

const OFFER_SECONDS = 0.5; // that the engine thinks about a draw offer
const PREPARING_POLL = 600; // milliseconds between two questions whether the engine is ready

export function play(page) {
  let work = new AbortController(); // the engine's thinking, or the dice in the air
  let paused = false;
  let ended = null; // how the game ended other than by its rules: {at, words}, where `at` is the position
  let heard = ""; // the end that has sounded
  let thought = { after: "", words: "" }; // what the engine says of its last move, and the position after it
  const clock = new GameClock($("clocks"), flagged);
  const contest = engineMatch(page, watchMatch);

  const mine = (player) => ({ first: player === 0, second: player === 1, both: true, watch: false })[page.address.side];
  const last = () => page.address.at === page.address.moves.length;

  function show() {
    work.abort();
    work = new AbortController();
    const { position } = page;
    if (ended?.at !== here()) ended = null; // after a return, another game is meant
    const over = Boolean(position.outcome || ended);
    const free = !over && !position.chance && mine(position.player);
    page.table({ enabled: free });
    settings(over);
    time(position, !over && !position.chance && last() && !(paused && !free));
    if (ended) return page.say(ended.words);
    if (position.outcome) return finish(position);
    if (!last() && !free) return behind();
    if (paused && !free) return page.say("Paused.");
    if (position.chance) return chance(position);
    if (free) return page.say(invitation(position), position.player);
    return think(position);
  }

  const here = () => JSON.stringify(asked(page.address));

  /** Show the clocks, and let that of the player to move run. */
  function time({ board, player, game, start }, runs) {
    const names = [0, 1].map((one) => short(board, one));
    clock.show({ text: page.address.clock, key: [game, start], plies: page.address.at, names }, runs ? player : null);
  }

  /** End the game by other means than its rules. */
  function end(words) {
    ended = { at: here(), words };
    show();
    page.refresh();
  }

  const resign = () => end("You resign. Zermelo wins.");

  function flagged(player) {
    const { side } = page.address;
    const named = side === "both" || side === "watch" ? name(page.position.board, 1 - player) : mine(player) ? "Zermelo" : "You";
    end(`Time is up. ${named} ${named === "You" ? "win" : verb(named, "win")}.`);
  }

  /** Offer a draw: the engine judges the position; two players agree by pressing the button. */
  async function offerDraw() {
    const { position, address } = page;
    if (address.side === "both") return end("Draw by agreement.");
    const { signal } = work;
    await attempt(async () => {
      const { report } = await ask("move", { seconds: OFFER_SECONDS }, signal);
      if (agrees(report.value, 1 - position.player, address.at)) return end("Draw by agreement.");
      page.say("Zermelo declines the draw. Your move.", position.player);
    }, signal);
  }

  /** Begin the same game again, or from the other side. */
  function rematch(side) {
    page.go({ moves: [], side, flip: side === "second" });
  }

  function settings(over) {
    afterwards(over);
    const { side, level, clock: minutes } = page.address;
    const { board } = page.position;
    const sides = [["first", short(board, 0)], ["second", short(board, 1)], ["both", "Both sides"], ["watch", "None: watch"]];
    const set = (name) => ({ target: { value } }) =>
      page.go({ [name]: value, ...(name === "side" ? { flip: value === "second" } : {}) }, { replace: true });
    const choice = (name, pairs) => h("select", { id: name, onchange: set(name) }, ...pairs);
    const times = CLOCKS.some(([value]) => value === minutes) ? CLOCKS : [...CLOCKS, [minutes, minutes]];
    const pause = h("button", { type: "button", onclick: turn }, paused ? "Go on" : "Pause");
    put(page.panel,
      h("div", { class: "row" },
        h("label", {}, "You play", choice("side", options(sides, side))),
        h("label", {}, "Clock", choice("clock", options(times, minutes))),
        h("label", { class: "whole" }, "Level", choice("level", levelOptions(level, page.position))),
        side === "watch" ? pause : null),
      side === "watch" ? contest.root : null,
      h("p", { id: "thought", class: "quiet" }, thought.after === here() ? thought.words : ""));
  }

  /** Offer what one may do once the game is over. */
  function afterwards(over) {
    const { side } = page.address;
    const button = (id, text, onclick, kind = null) => h("button", { type: "button", id, class: kind, onclick }, text);
    const other = { first: "second", second: "first" }[side];
    $("afterwards").hidden = !over;
    put($("afterwards"), button("review", "Find the mistakes", () => page.go({ mode: "analyze", review: true }), "primary"),
      button("rematch", "Rematch", () => rematch(side)), other ? button("swap", "Swap sides", () => rematch(other)) : null);
  }

  function turn() {
    paused = !paused;
    show();
  }

  /** Leave the board to the games of a match. */
  function watchMatch() {
    work.abort();
    paused = true;
    page.say("A match of two engines. The board shows its games.");
  }

  function behind() {
    const { at, moves } = page.address;
    const on = () => page.go({ moves: moves.slice(0, at) });
    page.say(`Looking back: ${at ? `after ${page.numbers.at(at)} ${moves[at - 1]}` : "the start"}. `, null,
      h("button", { type: "button", onclick: on }, "Play on from here"));
  }

  async function chance(position) {
    const { signal } = work;
    page.say(page.board.svg.querySelector(".die") ? "The dice roll." : "Chance moves.", position.player); // tiles fall in 2048
    const outcome = draw(position.legal);
    await attempt(async () => {
      await roll(page.board.root, position.legal, outcome, signal);
      page.play(outcome.text, { replace: true });
    }, signal);
  }

  async function think(position) {
    const { signal } = work;
    page.say("Zermelo is thinking …", position.player);
    const answered = new AbortController();
    sayWhilePreparing(position, AbortSignal.any([signal, answered.signal]));
    await attempt(async () => {
      const asking = ask("move", limit(page.address.level, page.address.clock ? clock.share(position.player) : null), signal);
      const [{ move, report }] = await Promise.all([asking, sleep(250, signal)]); // too quick a move would not be seen
      const path = [...page.address.moves.slice(0, page.address.at), move];
      thought = { after: JSON.stringify(asked({ ...page.address, moves: path }, path.length)), words: opinion(report, position) };
      page.play(move, { replace: true });
    }, signal);
    answered.abort();
  }

  /** What the engine says of the position in which it has moved. */
  function opinion(report, position) {
    const valued = report.source !== "book" || report.value.tone !== "estimate"; // lines that people wrote have no values
    const parts = [`Zermelo: ${valued ? `${said(report.value, position.board)}, ` : ""}${origin(report)}`];
    if (report.compiling) parts.push("The fast engine is still being prepared: this move was searched slowly, and Zermelo is not yet at its full strength");
    if (report.interpreted) parts.push(slow(report));
    return parts.join(". ");
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
      page.say(`Hint: ${move} (${said(report.value, position.board)}).`, position.player);
    }, signal);
  }

  const ask = (path, how, signal) => get(path, { ...asked(page.address), ...how }, { signal, waiting: page.waiting });

  /** Do something that asks the server; where that fails, the status does not say any more that it goes on. */
  async function attempt(job, signal) {
    try {
      await job();
    } catch (error) {
      if (signal.aborted) return;
      const { position } = page;
      if (!mine(position.player)) time(position, false); // the engine does not pay for a server that is gone
      page.say(mine(position.player) && !position.chance ? invitation(position) : "No move has come.", position.player);
      page.fail(error, show);
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

  /** Say how the game ended; a game that ends just now is heard, too. */
  function finish({ outcome, moves }) {
    page.say(result(outcome));
    const key = here();
    if (heard !== key && moves.length && page.address.side !== "watch") sound(outcome.winner === null ? "draw" : mine(outcome.winner) ? "win" : "loss");
    heard = key;
  }

  function result(outcome) {
    const alone = ["first", "second"].includes(page.address.side);
    return ending(outcome, alone && outcome.winner !== null ? (mine(outcome.winner) ? "You" : "Zermelo") : null);
  }

  /** Whether the reader may give the game up, or offer a draw: in a game under way, in their turn, and not with dice. */
  const underWay = () => !page.position.outcome && !ended && page.address.moves.length > 0 && last();
  const canResign = () => ["first", "second"].includes(page.address.side) && underWay();
  const canOffer = () => page.address.side !== "watch" && underWay() && !page.position.chances && mine(page.position.player);

  return { show, hint, resign, canResign, offerDraw, canOffer, step, halt: () => (work.abort(), clock.pause()) };
}
