// The keys of a game.

import { $, make } from "./dom.js";

// The keys of the moves in their order: digits, then the letters that do nothing else. The capital
// letters come last.
const LETTERS = "abcdefgijkmnoqvwxyz";
const MOVE_KEYS = [..."1234567890", ...LETTERS, ...LETTERS.toUpperCase()];

const CARDS = "#hand .card:not([aria-disabled])";
const MOVES = "#moves button";
const WALKS = {
  ArrowLeft: [CARDS, -1], ArrowRight: [CARDS, 1], ArrowUp: [MOVES, -1], ArrowDown: [MOVES, 1],
};

/** Listen to keys; `actions` has what letters do. */
export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyped(event)) return;
    const inDialog = $("#dialog").open;
    const keyed = [...$(inDialog ? "#dialog" : "#moves").querySelectorAll("[data-key]")];
    const named = (key) => keyed.find((each) => each.dataset.key === key);
    const meant = named(event.key) ?? named(event.key.toLowerCase()); // Caps Lock may be on
    if (meant && !event.repeat) {
      meant.click();
      event.preventDefault();
    }
    if (inDialog) return;
    actions[event.key.toLowerCase()]?.();
    const walk = WALKS[event.key];
    if (!walk) return;
    walkAlong(...walk);
    event.preventDefault();
  });
}

/** Whether a key is typed into a text. */
const isTyped = ({ target }) => target.matches?.("input:not([type=range]), textarea, select");

/** Show the key of each of some buttons of moves. */
export function showKeys(buttons) {
  buttons.forEach((each, place) => {
    const key = MOVE_KEYS[place];
    if (!key) return;
    each.prepend(make("kbd", "", key));
    each.dataset.key = key;
    each.setAttribute("aria-keyshortcuts", key);
  });
}

/** Put the focus on the next of some elements. */
function walkAlong(selector, way) {
  const all = [...document.querySelectorAll(selector)];
  const now = all.indexOf(document.activeElement);
  const next = now < 0 && way < 0 ? all.length - 1 : now + way;
  all[(next + all.length) % all.length]?.focus();
}
