// The page's texts in the chosen language, which is remembered.

import { readTexts } from "./api.js";
import { isKept, local } from "./storage.js";

let texts = {};
remember(new URLSearchParams(location.search).get("lang"));
export let language = local.getItem("language")
  ?? (navigator.language.startsWith("de") ? "de" : "en");

/** Take over the language that the address asks for, once: a button changes it later. */
function remember(wanted) {
  if (!["de", "en"].includes(wanted)) return;
  local.setItem("language", wanted);
  if (isKept) history.replaceState(null, "", location.pathname + location.hash);
}

/** Fetch the texts of the language. */
export async function loadTexts() {
  texts = await readTexts(language);
  document.documentElement.lang = language;
}

/** Change to the other language. */
export async function turnLanguage() {
  language = language === "de" ? "en" : "de";
  local.setItem("language", language);
  await loadTexts();
}

/** A text, its gaps filled. */
export function say(key, values = {}) {
  return texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** A number as the language writes it, and as the server does. */
export function asNumber(number) {
  return number.toLocaleString(language, { useGrouping: false });
}

/** A number of units, `point` or `card`: "1 point", "2 points". */
export function count(unit, number) {
  return number === 1 ? say(unit) : say(`${unit}s`, { number: asNumber(number) });
}
