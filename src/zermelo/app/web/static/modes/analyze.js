/** Analyze: the search as it deepens, what each move is worth, and the evaluation over the whole game. */

import { are, name, short } from "../board/player_names.js";
import { asked } from "../lib/address.js";
import { get, Live, lines as stream } from "../lib/api.js";
import { h, options, put, sleep } from "../lib/dom.js";
import { ending } from "../lib/outcome_text.js";
import { convention, count, origin, slow, tag, words } from "../lib/value_text.js";
import { graph } from "./eval_graph.js";
import { accuracy, compared, KINDS, loss, named, sign } from "../lib/move_quality.js";

const LINES = [["all", "every move"], ["8", "8 lines"], ["5", "5 lines"], ["3", "3 lines"], ["2", "2 lines"], ["1", "1 line"]];
const MAX_LINES = 60;
const [BRIEF, LONGER] = [0.3, 3]; // seconds of the search of a position for mistakes, at first and again
const PREPARING_POLL = 600; // milliseconds between two questions whether the engine is ready
const LONGEST_WAIT = 90_000; // milliseconds for it, after which a slow search is better than none

export function analyze(page) {
  const live = new Live();
  const known = new Map(); // values of positions of this visit, by what the API is asked
  let going = true; // what the reader wants
  let running = false; // what the server does
  let pending = null; // the timer of the next drawing: more than eight a second would only flicker
  let wanted = "all";
  let threads = "1";
  let report = null;
  let work = null; // the evaluation of the whole game
  let searched = ""; // the game that was searched for mistakes to its end
  const toggle = h("button", { id: "toggle", type: "button", onclick: () => (going = !running) ? show() : (halt(), panel()) });
  const seek = h("button", { id: "whole", type: "button", onclick: () => (work ? work.abort() : whole()) });
  const choice = (id, pairs, set) => h("select", { id, onchange: ({ target }) => (set(target.value), show()) }, ...pairs);
  const counts = [...Array(page.threads).keys()].map((i) => [String(i + 1), String(i + 1)]);
  const controls = h("div", { class: "row" }, toggle, seek, h("span", { class: "break" }), // which stay while reports come: nobody clicks what goes away
    h("label", {}, "Values of", choice("lines", options(LINES, wanted), (value) => (wanted = value))),
    h("label", {}, "Threads", choice("threads", options(counts, threads), (value) => (threads = value))));
  const findings = h("div", { class: "findings" });

  const key = (at, address = page.address) => JSON.stringify(asked(address, at));
  const at = (path) => known.get(JSON.stringify(asked({ ...page.address, moves: path }, Infinity)));

  function show() {
    halt();
    if (work && work.game !== key(Infinity)) { // another game
      work.abort();
      work = null;
    }
    report = null;
    const { position } = page;
    page.table({ enabled: !position.outcome, values: {}, note });
    page.evalBar(known.get(key(page.address.at))?.share ?? null);
    page.say(position.outcome ? ending(position.outcome) : turn(position), position.player);
    if (position.outcome) ended(position);
    else if (going && !position.chance) search(position);
    panel();
    if (page.address.review) {
      page.address.review = false; // asked for once, by the button after a game
      whole();
    }
  }

  function ended({ outcome }) {
    known.set(key(page.address.at), certain(outcome));
    page.evalBar(outcome.share);
  }

  /** What stands behind a move in the list: the mark of a bad one, and the value of the position after it. */
  function note(path) {
    const [before, after] = [at(path.slice(0, -1)), at(path)];
    return [sign(lost(path, before, after)), after?.value ? tag(after.value, page.position.board) : null];
  }

  /** The win probability that the last move of a path gave away; null where that is not known. */
  function lost(path, before, after) {
    const turn = page.turn(path);
    if (!turn || turn.chance || before?.weak || after?.weak) return null;
    const lost = loss(...compared(before, after), turn.player);
    return lost !== null && before.move === path.at(-1) ? 0 : lost; // nothing better is known, however the searches differ
  }

  /** The game that is shown, by plies: the path to each position, what is known of it, and what the last move gave away. */
  function course() {
    const { moves } = page.address;
    const paths = [...Array(moves.length + 1).keys()].map((length) => moves.slice(0, length));
    const found = paths.map(at);
    return { paths, found, losses: paths.map((path, ply) => (ply ? lost(path, found[ply - 1], found[ply]) : null)) };
  }

  function halt() {
    live.stop();
    clearTimeout(pending);
    pending = null;
    running = false;
  }

  function search(position) {
    running = true;
    const lines = wanted === "all" ? Math.min(position.legal.length, MAX_LINES) : Number(wanted);
    live.ask({ ...asked(page.address), lines, threads: Number(threads) }, {
      report(found) {
        report = found;
        learn(key(page.address.at), found);
        pending ??= setTimeout(draw, 120);
      },
      error(sentence) {
        halt();
        panel();
        page.fail(new Error(sentence), show);
      },
      waiting: page.waiting,
      gone: page.gone,
      done() {
        running = false;
        draw();
      },
    });
  }

  /** Show the newest report; while a line is being clicked or has the focus, it stays as it is. */
  function draw() {
    clearTimeout(pending);
    pending = null;
    if (!report) return panel();
    page.recovered();
    page.paint(report.legal);
    page.point(report.lines[0].pv[0]);
    page.evalBar(report.value.share);
    if (!page.panel.querySelector(".lines:hover, .lines:focus-within")) panel();
  }

  // -- the panel -----------------------------------------------------------------------------------------------------

  function panel() {
    if (controls.parentNode !== page.panel) put(page.panel, controls, findings);
    toggle.textContent = running ? "Stop" : "Go";
    toggle.className = running ? "" : "primary";
    toggle.disabled = Boolean(page.position.outcome) || page.position.chance; // there is no move to search for
    const game = course();
    offerMistakes(game);
    put(findings, ...(report ? [verdict(), ...figures(), preparing(), interpreted()] : [h("p", { class: "quiet" }, waitingWords())]),
      report ? variations() : null, overview(game), h("p", { id: "convention", class: "quiet" }, convention(page.position.board)));
  }

  function offerMistakes({ losses }) {
    const sought = losses.some((one) => one !== null);
    seek.hidden = losses.length === 1; // nothing has been played
    seek.className = sought && !work ? "" : "primary";
    seek.textContent = work ? "Stop looking" : "Find the mistakes";
  }

  function waitingWords() {
    if (page.position.outcome) return "The game is over.";
    if (page.position.chance) return "What follows each outcome is analyzed: choose one.";
    return running ? "Searching …" : "Stopped.";
  }

  function verdict() {
    const { value } = report;
    const known = isProven(report);
    const proof = known ? "proven" : value.outcome ? "its distance not proven yet" : "not proven yet";
    return h("p", { class: "verdict" }, ...worth(value, page.position), ", ",
      h("span", { id: "proof", class: known ? "proven" : "" }, proof));
  }

  /** What has answered, and what the search has done. */
  function figures() {
    const { depth, nodes, nodes_per_second: speed, seconds, source, threads: used } = report;
    const said = source === "search" ? null : origin(report);
    const words = said && h("p", { id: "source" }, `${said[0].toUpperCase()}${said.slice(1)}.`);
    if (!nodes) return [words];
    const rows = [["Depth", depth], ["Nodes", count(nodes)], ["Nodes/s", count(speed ?? 0)],
      ["Time", `${seconds.toFixed(1)} s`], ["Threads", used]];
    const row = ([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)));
    return [words, h("dl", { class: "figures" }, ...rows.map(row))];
  }

  function preparing() {
    return report.compiling && running ? h("p", { class: "quiet preparing" }, h("progress", { "aria-label": "Preparing" }),
      "Preparing the fast engine; until it is ready, the search is slow.") : null;
  }

  function interpreted() {
    return report.interpreted && h("p", { id: "interpreted", class: "quiet" }, slow(report));
  }

  function variations() {
    const line = ({ value, pv }) => h("li", {}, tag(value, page.position.board), walk(page, pv));
    return h("ol", { class: "lines" }, ...report.lines.map(line));
  }

  // -- the whole game ------------------------------------------------------------------------------------------------

  function overview({ paths, found, losses }) {
    const { board } = page.position;
    if (paths.length === 1) return null;
    const shares = found.map((one) => one?.share ?? null);
    const curve = graph(shares, losses.map(named), page.address.at, board, (length) => page.go({ at: length }));
    const side = (player) => accuracy(losses.filter((_, i) => i && page.turn(paths[i])?.player === player));
    const said = [0, 1].map((player) => [short(board, player), side(player)]).filter(([, percent]) => percent !== null);
    return h("div", { class: "overview" }, h("h2", {}, "Win probability over the game"), curve,
      work ? h("p", { id: "looking", class: "quiet", role: "status" }, h("progress", { "aria-label": "Finding the mistakes", ...progress(shares) }), work.words) : null,
      said.length ? h("p", { id: "accuracy" }, `Accuracy: ${said.map(([who, percent]) => `${who} ${percent} %`).join(", ")}`) : null,
      mistakes(paths, found, losses));
  }

  /** How many positions have a value already; where the engine is not ready, that is not known. */
  const progress = (shares) => (work.ready ? { max: shares.length, value: shares.filter((share) => share !== null).length } : {});

  /** The bad moves of the game, the worst kind first: each a button that shows it, and one for the position with the better move. */
  function mistakes(paths, found, losses) {
    const bad = KINDS.flatMap((kind) => paths.filter((_, ply) => named(losses[ply]) === kind));
    const item = (path) => {
      const before = path.slice(0, -1);
      const better = found[before.length]?.move;
      const show = (way, ...inside) => h("button", { type: "button", class: "step", onclick: () => page.visit(way) }, ...inside);
      return h("li", {}, show(path, `${page.numbers.at(path.length)} ${path.at(-1)}`, sign(losses[path.length])),
        better ? show(before, h("small", {}, `better: ${better}`)) : null);
    };
    if (bad.length) return h("ol", { id: "mistakes", class: "lines", "aria-label": "Mistakes" }, ...bad.map(item));
    return searched === key(Infinity) ? h("p", { id: "mistakes", role: "status" }, "No mistakes were found.") : null;
  }

  /** A short search of every position of the game that has no value yet. */
  async function whole() {
    const { address } = page;
    const mine = Object.assign(new AbortController(), { game: key(Infinity), ready: false, words: "Preparing the fast engine …" });
    const same = () => page.address.mode === "analyze" && work === mine;
    const { signal } = mine;
    work = mine;
    panel();
    try {
      await prepared(address, signal);
      Object.assign(mine, { ready: true, words: "Looking at every position …" });
      for (let ply = 0; ply <= address.moves.length && same(); ply++) {
        if (known.get(key(ply, address))?.weak !== false) await brief(address, ply, signal, BRIEF);
        if (same()) panel(), page.list(note);
      }
      await again(address, same, signal);
      if (same()) searched = mine.game;
    } catch (error) {
      if (!signal.aborted) page.fail(error, whole);
    }
    const shown = same();
    if (work === mine) work = null;
    if (!shown) return;
    panel();
    page.list(note);
    document.getElementById("mistakes")?.scrollIntoView({ block: "nearest" });
  }

  /** Wait until the engine is compiled: it would take good moves for bad ones before. */
  async function prepared(address, signal) {
    const until = Date.now() + LONGEST_WAIT;
    while (Date.now() < until) {
      const { compiling } = await get("engine", asked(address), { signal });
      if (!compiling) return;
      await sleep(PREPARING_POLL, signal);
    }
  }

  /** Search longer where a mistake is one only by an estimate beside a proven value: a short search may not see a win. */
  async function again(address, same, signal) {
    const { paths } = course();
    for (let ply = 1; ply < paths.length && same(); ply++) {
      const [before, after] = [at(paths[ply - 1]), at(paths[ply])];
      if (!before || !after || before.proven === after.proven) continue;
      if (!named(loss(before.share, after.share, page.turn(paths[ply]).player))) continue;
      await brief(address, after.proven ? ply - 1 : ply, signal, LONGER);
    }
  }

  async function brief(address, ply, signal, seconds) {
    const question = asked(address, ply);
    const { outcome, chance } = await page.fetch(question, signal);
    if (outcome) return known.set(JSON.stringify(question), certain(outcome));
    if (chance) return; // chance nodes have no point on the curve
    for await (const report of stream("analyze", { ...question, seconds }, { signal, waiting: page.waiting })) {
      if (report.value) learn(JSON.stringify(question), { ...report, compiling: false });
    }
  }

  /** Keep what a report says of a position, and its share after each whole iteration: that is the first of a depth. */
  function learn(question, { value, move, compiling, depth, ...rest }) {
    const shares = known.get(question)?.shares ?? [];
    if (!depth || shares[depth] === undefined) shares[depth] = value.share; // a tree search by playouts has no depth
    known.set(question, { value, share: value.share, move, weak: compiling, proven: isProven(rest), depth, shares });
  }

  return { show, halt };
}

const certain = ({ share }) => ({ share, weak: false, proven: true, depth: 0, shares: [] });

/** Whether a value is certain: a book and a database know. */
const isProven = ({ proven, source }) => proven || source !== "search";

/** A line of moves, each of which shows its position as a preview: nothing is played. */
export function walk(page, pv) {
  const step = (text, i) => h("button", { type: "button", class: "step",
    onclick: () => page.preview(pv.slice(0, i + 1)) }, text);
  return h("span", { class: "pv" }, ...pv.map(step));
}

/** A value in words, and who is better by an estimate. */
export function worth(value, { board }) {
  const estimate = value.tone === "estimate";
  const who = short(board, value.share > 0.5 ? 0 : 1);
  return [estimate && !value.exact ? "Estimate " : "", h("strong", { id: "value" }, words(value, board)),
    estimate && value.share !== 0.5 ? ` (${who} ${are(who)} better)` : ""];
}

export function turn({ chance, board, player }) {
  return chance ? "Chance is to move: choose an outcome." : `${name(board, player)} to move.`;
}
