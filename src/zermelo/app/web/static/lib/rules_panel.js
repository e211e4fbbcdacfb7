/** How to play: the rules of a game in words, and an example that plays itself; fetched when they are first opened. */

import { h, put } from "./dom.js";

let loading = null; // the promise of the rules of all games
let loaded = null;
let open = false; // as the reader left it, for the next game too

/** The panel of a game; `show(moves)` plays the example. A game that is not Zermelo's own has none. */
export function rulesPanel(name, show) {
  const text = h("div", { class: "rules-text" });
  const panel = h("details", { id: "rules", open }, h("summary", {}, "How to play"), text);
  const fill = (all) => {
    const found = all[name];
    const example = () => h("button", { type: "button", id: "example", onclick: () => show(found.example) }, "Show an example");
    put(text, ...(found ? [...found.rules.map((part) => h("p", {}, part)), example()] : [h("p", {}, "Its author has not written how to play it.")]));
  };
  panel.addEventListener("toggle", async () => {
    open = panel.open;
    if (!open) return;
    loading ??= fetch(new URL("game_rules.json", import.meta.url)).then((response) => response.json());
    const found = await loading.catch(() => (loading = null));
    if (found) fill((loaded = found));
    else put(text, h("p", {}, "The rules could not be loaded; open them again to try once more."));
  });
  if (loaded) fill(loaded);
  return panel;
}
