/** Links and texts that leave the page: by what shares things on this device, or by the clipboard. */

import { notice } from "./notices.js";

const COPIED_DELAY = 1500; // milliseconds that a button says "Copied"

/** Copy a text, and say so on the button; where the browser does not let us, show it for the reader to copy. */
export async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    const { textContent: before } = button;
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = before), COPIED_DELAY);
  } catch {
    notice(text);
  }
}

/** Hand the link to what shares things on this device, else copy it. */
export async function share(button) {
  if (!navigator.share) return copy(button, location.href);
  await navigator.share({ title: document.title, url: location.href }).catch(() => {}); // the reader has thought better of it
}
