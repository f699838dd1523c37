// Faces for a game that has no drawing of its own: plain cards with their texts.

import { lettering, paper } from "./shapes.js";

const INK = "#2b2b33";

export const DEFS = "";

/** The face of a card by its name and its text. */
export function face(name, text) {
  const lines = text.split(" ").slice(0, 4);
  const size = Math.min(40, 130 / Math.max(...lines.map((line) => line.length)));
  const top = 70 - (lines.length - 1) * size * .55 + size * .35;
  const rows = lines.map((line, k) => {
    return lettering(escaped(line), 50, top + k * size * 1.1, size, INK, 'font-weight="700"');
  });
  return `${paper("#fffdf6", "#8a7a55")}${rows.join("")}`;
}

/** The back of all cards. */
export function back() {
  return `${paper("#27406b", "#16264a")}
    <rect x="8" y="8" width="84" height="124" rx="6" fill="none" stroke="#6f8fc4"/>
    <path d="M50 50L64 70 50 90 36 70z" fill="#6f8fc4"/>`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
