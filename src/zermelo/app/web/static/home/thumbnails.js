/** Small pictures of boards, fetched when they are about to be seen. */

import { get } from "../lib/api.js";
import { h, sleep } from "../lib/dom.js";

const AHEAD = "300px"; // from the window, where pictures are fetched already
const RETRY_DELAY = 2000; // milliseconds
const EDGE = 3; // around a board, in units of its picture
const pictures = new Map(); // promises of SVG texts, by what the API is asked

const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    draw(target);
  }
}, { rootMargin: AHEAD });

/** A small picture of a position; `question` is what the API is asked. */
export function thumbnail(question) {
  const name = question.game.replace(/\(.*$/s, "");
  const picture = h("span", { class: "thumbnail waiting", "data-game": name, "aria-hidden": "true" });
  picture.question = question;
  observer.observe(picture);
  return picture;
}

/** Leave out the margins, which were for the names of rows and columns: nobody could read them here. */
function crop(svg) {
  const ground = svg?.querySelector(".zb-page");
  if (!ground) return;
  ground.style.display = "none"; // while the rest is measured
  const { x, y, width, height } = svg.getBBox();
  ground.style.display = "";
  if (!width || !height) return;
  const box = { x: x - EDGE, y: y - EDGE, width: width + 2 * EDGE, height: height + 2 * EDGE };
  svg.setAttribute("viewBox", Object.values(box).join(" "));
  for (const [name, length] of Object.entries(box)) ground.setAttribute(name, length);
}

/** Ask for a picture, and once more where a slow machine has given up: the game is loaded then. */
async function asked(question) {
  const ask = () => get("picture", question);
  const { svg } = await ask().catch(() => sleep(RETRY_DELAY).then(ask));
  return svg;
}

async function draw(picture) {
  const { question } = picture;
  const key = JSON.stringify(question);
  if (!pictures.has(key)) pictures.set(key, asked(question).catch(() => (pictures.delete(key), "")));
  picture.innerHTML = await pictures.get(key); // a game that needs a parameter has none
  picture.classList.remove("waiting");
  crop(picture.firstElementChild);
}
