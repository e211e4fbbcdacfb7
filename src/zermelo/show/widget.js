/** The page's half of z.widget: it shows what the traits say and sends clicks. It knows no game. */

const ACTIONS = { undo: "Undo", redo: "Redo", hint: "Hint", new: "New game" };
const DIRECTIONS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

function render({ model, el }) {
  const root = element("div", "zermelo-widget");
  const [board, side] = [element("div", "zw-board"), element("div", "zw-side")];
  const [status, remark] = [element("p", "zw-status"), element("p", "zw-remark")];
  const [actions, legal, past] = [element("div", "zw-actions"), element("div", "zw-legal"), element("p", "zw-past")];
  status.setAttribute("aria-live", "polite");
  legal.setAttribute("aria-label", "Legal moves");
  side.append(status, remark, actions, legal, past);
  root.append(board, side);
  el.append(root);
  for (const [name, label] of Object.entries(ACTIONS)) actions.append(button(label, () => model.send({ do: name })));

  board.addEventListener("click", (event) => pick(event.target));
  board.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") pick(event.target);
    else if (event.key in DIRECTIONS) nearest(board, event.target, ...DIRECTIONS[event.key])?.focus();
    else return;
    event.preventDefault();
  });

  function pick(target) {
    const square = target.closest("[data-square]");
    if (square) model.send({ click: Number(square.dataset.square) });
  }

  function show() {
    const focused = board.contains(document.activeElement) ? document.activeElement.dataset.square : null;
    board.innerHTML = model.get("picture");
    for (const number of model.get("clicked")) outline(board, number);
    const squares = [...board.querySelectorAll("[data-square]")];
    const entry = squares.find((square) => square.dataset.square === focused) ?? squares[0];
    entry?.setAttribute("tabindex", "0");
    if (focused !== null) entry?.focus();
    status.textContent = model.get("status");
    remark.textContent = model.get("remark");
    past.textContent = model.get("moves").join(" ");
    legal.replaceChildren(...model.get("legal").map((text) => button(text, () => model.send({ play: text }))));
  }

  const traits = ["picture", "clicked", "status", "remark", "moves", "legal"].map((name) => `change:${name}`);
  for (const trait of traits) model.on(trait, show);
  show();
  return () => traits.forEach((trait) => model.off(trait, show));
}

/** The square in a direction that is nearest to the one with the focus; what lies aside counts twice. */
function nearest(board, from, across, down) {
  const here = place(from);
  let [best, least] = [null, Infinity];
  for (const square of board.querySelectorAll("[data-square]")) {
    const there = place(square);
    const along = (there.x - here.x) * across + (there.y - here.y) * down;
    const aside = Math.abs((there.x - here.x) * down) + Math.abs((there.y - here.y) * across);
    if (along > 1 && aside <= 2 * along && along + 2 * aside < least) [best, least] = [square, along + 2 * aside];
  }
  return best;
}

function place(square) {
  return { x: Number(square.dataset.x), y: Number(square.dataset.y) };
}

/** A frame around a square that was clicked. */
function outline(board, number) {
  const square = board.querySelector(`[data-square="${number}"]`);
  if (!square) return;
  const { x, y, width, height } = Object.fromEntries(Object.entries(square.dataset).map(([key, value]) => [key, +value]));
  const frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const sides = { x: x - width / 2 + 2, y: y - height / 2 + 2, width: width - 4, height: height - 4, rx: 6 };
  for (const [name, value] of Object.entries(sides)) frame.setAttribute(name, value);
  frame.setAttribute("class", "zw-clicked");
  square.append(frame);
}

function element(tag, className) {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}

function button(label, action) {
  const made = element("button", "");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", action);
  return made;
}

export default { render };
