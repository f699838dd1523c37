// The page's texts in the chosen language, which is remembered.

import { readTexts } from "./server.js";

let texts = {};
export let language = localStorage.getItem("language")
  ?? (navigator.language.startsWith("de") ? "de" : "en");

/** Fetch the texts of the language. */
export async function loadTexts() {
  texts = await readTexts(language);
  document.documentElement.lang = language;
}

/** Change to the other language. */
export async function turnLanguage() {
  language = language === "de" ? "en" : "de";
  localStorage.setItem("language", language);
  await loadTexts();
}

/** A text, its gaps filled. */
export function say(key, values = {}) {
  return texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** A number as the language writes it. */
export function inFigures(number) {
  return number.toLocaleString(language);
}
