// Light or dark: as the system has it, until a button changes it; remembered by the browser.

import { local } from "./storage.js";

/** Show the page as it was left. */
export function showTheme() {
  document.documentElement.dataset.theme = local.getItem("theme") ?? "";
}

/** Change between light and dark. */
export function turnTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  local.setItem("theme", next);
}
