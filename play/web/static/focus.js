// The focus, which stays at its place although cards and moves are drawn anew.

import { $ } from "./dom.js";

let focused = null; // where the focus was when the person moved: the list, and the place in it

/** Remember which card or move had the focus, since all of them are drawn anew. */
export function keepFocus() {
  focused = null;
  for (const list of ["#hand", "#moves"]) {
    const place = [...$(list).children].indexOf(document.activeElement);
    if (place >= 0) focused = { list, place };
  }
}

/** Put the focus where it was, or on the next card or move that can be played. */
export function putFocusBack() {
  if (!focused || document.activeElement !== document.body) return;
  const { list, place } = focused;
  const all = [...$(list).children];
  const rest = [...all.slice(place), ...all.slice(0, place).reverse()];
  const next = rest.find((each) => !each.hasAttribute("aria-disabled")) ?? $("#moves button");
  next?.focus();
}
