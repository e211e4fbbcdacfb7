/** Analyze: the search as it deepens, what each move is worth, and the evaluation over the whole game. */

import { share } from "../board/eval_bar.js";
import { called, name } from "../board/player_names.js";
import { asked } from "../lib/address.js";
import { Live, lines as stream } from "../lib/api.js";
import { h, options, put } from "../lib/dom.js";
import { count, slow, tag, words } from "../lib/value_text.js";
import { graph } from "./eval_graph.js";

const LINES = [["all", "every move"], ["3", "the best three"], ["1", "the best move"]];
const MAX_LINES = 60;

export function analyze(page) {
  const live = new Live();
  const known = new Map(); // values of positions of this visit, by what the API is asked
  let going = true; // what the reader wants
  let running = false; // what the server does
  let pending = null; // the timer of the next drawing: more than eight a second would only flicker
  let wanted = "all";
  let report = null;
  let work = null; // the evaluation of the whole game

  const key = (at, address = page.address) => JSON.stringify(asked(address, at));

  function show() {
    halt();
    report = null;
    const { position } = page;
    page.table({ enabled: !position.outcome, values: {}, list: (ply) => known.get(key(ply))?.value });
    page.evalBar(known.get(key(page.address.at))?.share ?? null);
    page.say(position.outcome ? position.outcome.words : turn(position), position.player);
    if (position.outcome) ended(position);
    else if (going && !position.chance) search(position);
    panel();
  }

  function ended({ outcome }) {
    known.set(key(page.address.at), { share: lead(outcome) });
    page.evalBar(lead(outcome));
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
    live.ask({ ...asked(page.address), lines }, {
      report(found) {
        report = found;
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
    const found = { value: report.value, share: share(report.value, page.position.player) };
    page.calm();
    known.set(key(page.address.at), found);
    page.paint(report.legal);
    page.evalBar(found.share);
    if (!page.panel.querySelector(".lines:hover, .lines:focus-within")) panel();
  }

  // -- the panel -----------------------------------------------------------------------------------------------------

  function panel() {
    const toggle = () => {
      going = !running;
      if (going) show();
      else halt(), panel();
    };
    const choose = (event) => {
      wanted = event.target.value;
      show();
    };
    const held = document.activeElement?.id;
    const still = Boolean(page.position.outcome) || page.position.chance; // there is no move to search for
    put(page.panel,
      h("div", { class: "row" },
        h("button", { id: "toggle", type: "button", class: "primary", disabled: still, onclick: toggle },
          running ? "Stop" : "Go"),
        h("label", {}, "Values of", h("select", { id: "lines", onchange: choose }, ...options(LINES, wanted)))),
      ...(report ? [verdict(), figures(), interpreted(), variations()] : [h("p", { class: "quiet" }, waitingWords())]),
      overview());
    if (held) document.getElementById(held)?.focus();
  }

  function waitingWords() {
    if (page.position.outcome) return "The game is over.";
    if (page.position.chance) return "What follows each outcome is analyzed: choose one.";
    return running ? "Searching …" : "Stopped.";
  }

  function verdict() {
    const { proven, value } = report;
    const proof = proven ? "proven" : value.outcome ? "its distance not proven yet" : "not proven yet";
    return h("p", { class: "verdict" }, ...worth(value, page.position), ", ",
      h("span", { id: "proof", class: proven ? "proven" : "" }, proof));
  }

  function figures() {
    const { depth, nodes, nodes_per_second: speed, seconds, database } = report;
    if (database) return h("p", { class: "figures" }, "From the database.");
    const rows = [["Depth", depth], ["Nodes", count(nodes)], ["Nodes/s", count(speed ?? 0)],
      ["Time", `${seconds.toFixed(1)} s`]];
    const row = ([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)));
    return h("dl", { class: "figures" }, ...rows.map(row));
  }

  function interpreted() {
    return report.interpreted && h("p", { id: "interpreted", class: "quiet" }, slow(report));
  }

  function variations() {
    const line = ({ value, pv }) => h("li", {}, tag(value), walk(page, pv));
    return h("ol", { class: "lines" }, ...report.lines.map(line));
  }

  // -- the whole game ------------------------------------------------------------------------------------------------

  function overview() {
    const { moves, at } = page.address;
    if (!moves.length) return null;
    const shares = [...Array(moves.length + 1).keys()].map((ply) => known.get(key(ply))?.share ?? null);
    const button = h("button", { id: "whole", type: "button", onclick: () => (work ? work.abort() : whole()) },
      work ? "Stop" : "Evaluate the whole game");
    const curve = graph(shares, at, page.position.board, (ply) => page.go({ at: ply }));
    return h("div", { class: "overview" }, h("h2", {}, "Over the game"), curve, button);
  }

  /** A short search of every position of the game that has no value yet. */
  async function whole() {
    const { address } = page;
    const same = () => page.address.mode === "analyze" && key(Infinity) === key(Infinity, address);
    work = new AbortController();
    const { signal } = work;
    try {
      for (let ply = 0; ply <= address.moves.length && same(); ply++) {
        if (!known.has(key(ply, address))) await brief(address, ply, signal);
        if (same()) panel();
      }
    } catch (error) {
      if (!signal.aborted) page.fail(error, whole);
    }
    work = null;
    if (!same()) return;
    panel();
    page.list((ply) => known.get(key(ply))?.value);
  }

  async function brief(address, ply, signal) {
    const question = asked(address, ply);
    const { outcome, chance, player } = await page.fetch(question, signal);
    if (outcome) return remember(question, { share: lead(outcome) });
    if (chance) return; // chance nodes have no point on the curve
    for await (const { value } of stream("analyze", { ...question, seconds: 0.3 }, { signal, waiting: page.waiting })) {
      if (value) remember(question, { value, share: share(value, player) });
    }
  }

  const remember = (question, found) => known.set(JSON.stringify(question), found);

  return { show, halt };
}

/** How far a finished game left the first player ahead. */
const lead = ({ winner }) => (winner === null ? 0 : 1 - 2 * winner);

/** A line of moves, each of which leads to its position. */
export function walk(page, pv) {
  const { moves, at } = page.address;
  const whole = [...moves.slice(0, at), ...pv];
  const go = (i) => () => page.go({ moves: whole, at: at + i + 1 });
  const step = (text, i) => h("button", { type: "button", class: "step", onclick: go(i) }, text);
  return h("span", { class: "pv" }, ...pv.map(step));
}

/** A value and whose it is, in words. */
export function worth(value, { board, player }) {
  const kind = value.tone === "estimate" && !value.exact ? "Estimate " : "";
  return [kind, h("strong", { id: "value" }, words(value)), ` for ${called(board, player)}`];
}

export function turn({ chance, board, player }) {
  return chance ? "Chance is to move: choose an outcome." : `${name(board, player)} to move.`;
}
