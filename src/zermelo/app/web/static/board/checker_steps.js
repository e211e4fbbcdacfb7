/**
 * Steps of checkers: a move on a backgammon table is several steps of two squares each, clicked in any order.
 *
 * A checker that moves twice may be sent to its last square at once. Where two orders of its steps lead to the same
 * position, only one is a move, and the steps of the other are accepted too. The terminal reads clicks in the same way.
 *
 * @typedef {[number, number]} Step  where from, and where to
 */

/** The steps of a move; of what is clicked, those that are complete. */
export function stepsOf(squares) {
  return Array.from({ length: squares.length >> 1 }, (_, i) => [squares[2 * i], squares[2 * i + 1]]);
}

/** The moves of which the squares clicked are a part, each with the steps that are left of it. */
export function leftOf(legal, clicked) {
  const [plays, done] = [legal.map((move) => stepsOf(move.squares)), stepsOf(clicked)];
  const found = plays.map((steps) => left(steps, done));
  if (found.includes(null)) {
    const [results, listed] = [plays.map((steps) => String(change(steps))), new Set(plays.flat().map(String))];
    const times = new Map();
    for (const result of results) times.set(result, (times.get(result) ?? 0) + 1);
    plays.forEach((steps, i) => {
      if (!found[i] && times.get(results[i]) === 1) found[i] = anotherWay(steps, done, listed);
    });
  }
  const begun = (steps) => steps && (clicked.length % 2 === 0 || ways(steps, clicked.at(-1)).size > 0);
  return legal.map((move, i) => [move, found[i]]).filter(([move, steps]) => move.squares.length && begun(steps));
}

/** The squares to click next, of what is left of a move: where the checker can go, or which one can. */
export function follow(steps, clicked) {
  if (clicked.length % 2) return [...ways(steps, clicked.at(-1)).keys()];
  const arrived = stepsOf(clicked).map(([, target]) => target);
  const awaited = steps.map(([, target]) => target).filter((target) => !arrived.includes(target));
  return [...new Set(steps.map(([origin]) => origin).filter((origin) => !awaited.includes(origin)))];
}

/** Where a checker can go by these steps, and which of them take it there. */
function ways(steps, origin) {
  const found = new Map();
  const reached = [[origin, []]];
  for (const [at, way] of reached) {
    for (const step of steps) {
      if (step[0] !== at || found.has(step[1])) continue;
      found.set(step[1], [...way, step]);
      reached.push([step[1], found.get(step[1])]);
    }
  }
  return found;
}

function left(steps, done) {
  const rest = [...steps];
  for (const [origin, target] of done) {
    const way = ways(rest, origin).get(target);
    if (!way) return null;
    for (const step of way) rest.splice(rest.indexOf(step), 1);
  }
  return rest;
}

/**
 * What is left of the only move with its result, when a checker goes there by other steps, that are `listed`: the one
 * that makes up for the difference, or none.
 */
function anotherWay(steps, done, listed) {
  const more = change([...steps, ...done.map(([origin, target]) => [target, origin])]);
  const by = (count) => more.filter((pair) => pair[1] === count).map(([square]) => square);
  if (steps.length === done.length && !more.length) return [];
  const single = steps.length === done.length + 1 && more.length === 2 && by(-1).length === 1 && by(1).length === 1;
  return single && done.every((step) => listed.has(String(step))) ? [[...by(-1), ...by(1)]] : null;
}

/** How many checkers more there are on each square after these steps, by the number of the square. */
function change(steps) {
  const more = new Map();
  for (const [origin, target] of steps) {
    more.set(target, (more.get(target) ?? 0) + 1);
    more.set(origin, (more.get(origin) ?? 0) - 1);
  }
  return [...more].filter(([, count]) => count).sort(([one], [two]) => one - two);
}
