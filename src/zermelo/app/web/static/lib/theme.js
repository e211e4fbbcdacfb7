/** The theme: the system's, or the one the reader chose, which this browser remembers. */

const KEY = "zermelo-theme";

/** Follow the choice of a `<select>` with the values system, light and dark. */
export function follow(select) {
  select.value = remembered();
  apply(select.value);
  select.addEventListener("change", () => {
    apply(select.value);
    try {
      localStorage.setItem(KEY, select.value);
    } catch {
      // a browser that keeps nothing still has the theme until the page is left
    }
  });
}

function remembered() {
  try {
    return localStorage.getItem(KEY) ?? "system";
  } catch {
    return "system";
  }
}

function apply(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
