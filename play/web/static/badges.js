// Signs for what is to be known of a player.

import { make } from "./dom.js";

const SIGNS = {
  caller: '<path d="M2 2h12v9H8l-4 4v-4H2z"/><path class="on" d="M7 3.5h2V7.5H7zM7 8.5h2v1.5H7z"/>',
  magician: '<path d="M5 15L2 9l1.5-1L5 9.5V3h1.5v5h.5V1.5h1.5V8H9V2h1.5v6h.5V4h1.5v7l-2 4z"/>',
  crosses: '<path d="M3.5 1.5L8 6l4.5-4.5 2 2L10 8l4.5 4.5-2 2L8 10l-4.5 4.5-2-2L6 8 1.5 3.5z"/>',
  figure: '<circle cx="8" cy="8" r="7"/><path class="on" d="M4.5 5h2v2h-2zM9.5 5h2v2h-2zM4 9h8a4 4 0 0 1-8 0z"/>',
};

/** The sign of a note, as often as it counts. */
export function sign({ key, number }) {
  const made = make("span", "badge");
  const drawn = `<svg viewBox="0 0 16 16" aria-hidden="true">${SIGNS[key]}</svg>`;
  made.innerHTML = drawn.repeat(key === "crosses" ? number : 1);
  return made;
}
