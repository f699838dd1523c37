// The keys of a game.

import { $ } from "./dom.js";

const CARDS = "#hand .card:not([aria-disabled])";
const MOVES = "#moves button";
const WALKS = {
  ArrowLeft: [CARDS, -1], ArrowRight: [CARDS, 1], ArrowUp: [MOVES, -1], ArrowDown: [MOVES, 1],
};

/** Listen to keys; `actions` has what letters do. */
export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if ($("#dialog").open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key >= "1" && event.key <= "9") $("#moves").children[Number(event.key) - 1]?.click();
    actions[event.key.toLowerCase()]?.();
    const walk = WALKS[event.key];
    if (!walk) return;
    walkAlong(...walk);
    event.preventDefault();
  });
}

/** Put the focus on the next of some elements. */
function walkAlong(selector, way) {
  const all = [...document.querySelectorAll(selector)];
  const now = all.indexOf(document.activeElement);
  const next = now < 0 && way < 0 ? all.length - 1 : now + way;
  all[(next + all.length) % all.length]?.focus();
}
