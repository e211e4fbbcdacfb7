/** The games that this browser has shown last; a browser that keeps nothing has none. */

const KEY = "zermelo-recent";
const MAX_RECENT = 6;

/** The names of the games, the last one first. */
export function recentGames() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.map(String) : [];
  } catch {
    return [];
  }
}

/** Remember a game by its text; its parameters are not kept. */
export function rememberGame(text) {
  const name = text.replace(/\(.*$/s, "");
  const names = [name, ...recentGames().filter((other) => other !== name)].slice(0, MAX_RECENT);
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // a browser that keeps nothing
  }
}
