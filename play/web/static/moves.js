// The buttons of the moves. Where they do not fit, they are smaller; where these do not fit either,
// small pictures stand for the moves of cards.

import { card, textOf } from "./cards.js";
import { $, button } from "./dom.js";
import { showKeys } from "./keys.js";
import { isReplay } from "./api.js";
import { say } from "./texts.js";

let drawAgain = () => {};
new ResizeObserver(() => drawAgain()).observe($("#moves"));

/** Draw a button for each legal move; `choose(name, moves)` is called for those of one card. */
export function drawMoves(state, onMove, choose) {
  const list = $("#moves");
  list.setAttribute("aria-label", say("moves"));
  drawAgain = () => {
    const moves = sorted(state);
    list.classList.remove("dense");
    fill(list, moves.map((move) => moveButton(move, onMove)));
    if (isFull(list)) list.classList.add("dense");
    if (isFull(list)) {
      list.classList.remove("dense");
      const plain = moves.filter((move) => !move.card).map((move) => moveButton(move, onMove));
      const chips = [...byCard(moves)].map(([name, own]) => chip(name, own, choose));
      fill(list, [...plain, ...chips]);
    }
  };
  drawAgain();
}

const isFull = (list) => list.scrollHeight > list.clientHeight + 1;

/** Put buttons in a list, with their keys: these take room, too. */
function fill(list, buttons) {
  if (!isReplay) showKeys(buttons);
  list.replaceChildren(...buttons);
}

/** Moves without a card first. */
function sorted(state) {
  const legal = state.legal ?? [];
  return [...legal.filter((move) => !move.card), ...legal.filter((move) => move.card)];
}

function byCard(moves) {
  return Map.groupBy(moves.filter((move) => move.card), (move) => move.card);
}

function moveButton(move, onMove) {
  const made = button(move.card ? "move" : "move primary", move.text, () => onMove(move.action));
  made.dataset.action = move.action;
  made.title = move.rules.join(", ");
  return made;
}

/** The picture of a card that stands for its moves. */
function chip(name, moves, choose) {
  const label = moves.length === 1 ? moves[0].text : textOf(name);
  const made = button("move chip", "", () => choose(name, moves), label);
  const picture = card(name);
  picture.setAttribute("aria-hidden", "true");
  made.append(picture);
  return made;
}
