// The table: players, piles, the hand, and what can be done.

import { sign } from "./badges.js";
import { back, card, fan, textOf } from "./cards.js";
import { $, make, showDialog } from "./dom.js";
import { makeDraggable } from "./drag.js";
import { showKeys } from "./keys.js";
import { drawMoves } from "./moves.js";
import { isPaused, order } from "./pace.js";
import { isReplay } from "./api.js";
import { count, say } from "./texts.js";
import { forgetReason, refuse } from "./why.js";

const FAN = 14; // face-down cards that are drawn of a hand
const OPEN = /^(pick|challenge) /; // moves with the open card of a player

/** Draw everything that lies on the table; `onMove(action)` is called when a move is chosen. */
export function drawTable(state, onMove) {
  const { position, seat } = state;
  document.body.classList.toggle("all-open", seat === null);
  document.body.classList.toggle("at-end", Boolean(state.atEnd));
  document.body.dataset.game = state.game;
  $("#title").textContent = state.title;
  $("#round").textContent = say("round", { number: position.round });
  const others = clockwise(position.seats.length, seat).filter((other) => other !== seat);
  drawOthers(others.map((other) => player(state, other, onMove)));
  $("#own").replaceChildren(...(seat === null ? [] : [player(state, seat, onMove)]));
  drawPiles(state, onMove);
  drawHand(state, onMove);
  drawMoves(state, onMove, (name, moves) => choose(name, moves, onMove));
  forgetReason();
  $("#printed").hidden = !position.text;
  $("#printed").textContent = position.text;
  drawStatus(state);
  $("#status").classList.toggle("your-turn", Boolean(state.your_turn));
}

/** Say who has to move, or why nobody does. */
export function drawStatus(state) {
  $("#status").textContent = status(state);
}

function drawOthers(players) {
  const others = $("#others");
  others.style.setProperty("--count", players.length);
  others.replaceChildren(...players);
}

/** A state whose last move ended a round, with the table as it was then; `choices` are its moves. */
export function atEnd(state, choices) {
  const legal = choices.map((name) => ({ action: name, name, text: say(name), rules: [], card: null }));
  const position = state.ended.position ?? state.position;
  return { ...state, position, legal, your_turn: false, reasons: null, atEnd: true };
}

/** The seats in the order of play, from the one after the viewer's on. */
function clockwise(seats, seat) {
  const first = seat === null ? 0 : seat + 1;
  return Array.from({ length: seats }, (_, k) => (first + k) % seats);
}

function player(state, seat, onMove) {
  const { position } = state;
  const about = position.seats[seat];
  const place = make("div", "player");
  place.setAttribute("role", "listitem");
  place.dataset.seat = seat;
  const moving = position.current_player === seat && !position.over && !state.atEnd;
  place.classList.toggle("moving", moving);
  if (moving) place.setAttribute("aria-current", "true");
  const lines = make("div", "about");
  const name = make("strong", "", state.names[seat]);
  name.title = state.names[seat]; // it is shortened where there is no room
  const isOwn = seat === state.seat;
  lines.append(
    name,
    ...(state.about[seat] ? [make("small", "level", state.about[seat])] : []),
    ...about.notes.filter((note) => isOwn || !note.card).map((note) => badge(note)),
    make("span", "score", count("point", about.score)),
    make("span", "size", count("card", about.size)),
  );
  if (about.hand_points !== null) {
    lines.append(make("span", "worth", say("hand-points", { points: count("point", about.hand_points) })));
  }
  place.append(lines);
  if (!isOwn) {
    const offers = (state.legal ?? []).filter(({ name, other }) => other === seat && OPEN.test(name));
    const lying = about.notes.filter((note) => note.card).map((note) => (
      note.key === "open" && offers.length ? openCard(note, offers, onMove) : badge(note)));
    place.append(make("div", "front", "", ...lying, handOf(about)));
  }
  return place;
}

/** The hand of another player: the cards that are known face up, the others face down. */
function handOf(about) {
  const open = about.hand ?? about.known;
  const hidden = about.hand ? 0 : Math.min(about.size, FAN) - open.length;
  const backs = Array.from({ length: Math.max(hidden, 0) }, () => back());
  const shown = fan([...open.map((name) => card(name)), ...backs]);
  shown.classList.toggle("open", about.hand !== null);
  shown.setAttribute("role", "img");
  shown.title = open.length
    ? say(about.hand ? "open" : "known", { cards: open.map((name) => textOf(name)).join(", ") })
    : say("face-down", { number: about.size });
  shown.setAttribute("aria-label", shown.title);
  return shown;
}

/** A card that lies open for a Magic Hand: a click takes or challenges it. */
function openCard(note, offers, onMove) {
  const made = card(note.card, "button");
  made.type = "button";
  made.classList.add("lying", "legal");
  made.title = note.text;
  made.setAttribute("aria-label", note.text);
  made.addEventListener("click", () => choose(note.card, offers, onMove));
  return made;
}

/** A note on a player: a sign, or a card that lies open. */
function badge(note) {
  const made = note.card ? card(note.card) : sign(note);
  if (note.card) made.classList.add("lying");
  made.title = note.text;
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", note.text);
  return made;
}

function drawPiles(state, onMove) {
  const { position } = state;
  const why = state.reasons?.table ?? {};
  const draw = named(state, "draw");
  const pile = back(draw || why.pile ? "button" : "span");
  pile.classList.toggle("empty", position.pile === 0);
  const label = `${say("pile")} · ${position.pile}`;
  offer(pile, draw, why.pile, onMove, label);
  $("#pile").replaceChildren(pile, make("figcaption", "", label));

  const low = named(state, "take low");
  const high = named(state, "take high") ?? named(state, "take");
  const { laid } = position;
  const top = position.discard.length - 1 - laid; // what lay there when the turn began
  const lying = position.discard.map((name, place) => {
    const isLow = place === 0 && laid === 0 && position.run;
    const [move, reason] = place === top ? [high, why.top] : isLow ? [low, why.low] : [];
    const shown = card(name, move || reason ? "button" : "span");
    shown.classList.toggle("laid", place > top);
    offer(shown, move, reason, onMove, textOf(name));
    return shown;
  });
  const row = make("div", position.run || laid ? "spread" : "heap", "", ...lying);
  $("#discard").style.setProperty("--count", lying.length);
  const note = position.run ? ` · ${say("run")}` : "";
  $("#discard").replaceChildren(row, make("figcaption", "", say("discard") + note));
}

function named(state, name) {
  return (state.legal ?? []).find((move) => move.name === name) ?? null;
}

/** The text of a move, with its rules. */
function titleOf(move) {
  return move.rules.length ? `${move.text} (${move.rules.join(", ")})` : move.text;
}

/** Name a card of the piles, and let a click on it play its move, or say why there is none. */
function offer(element, move, reason, onMove, label) {
  if (element.tagName === "SPAN") element.setAttribute("role", "img");
  element.setAttribute("aria-label", move ? `${label}: ${move.text}` : label);
  if (!move) {
    if (reason) refuse(element, reason);
    return;
  }
  element.classList.add("legal");
  element.title = titleOf(move);
  element.addEventListener("click", () => onMove(move.action));
}

function drawHand(state, onMove) {
  const hand = $("#hand");
  hand.setAttribute("aria-label", say("hand"));
  const cards = state.seat === null ? [] : inOrder(state.position.seats[state.seat].hand);
  const { drawn } = state.position;
  hand.style.setProperty("--count", cards.length);
  hand.replaceChildren(...cards.map((name, place) => {
    const moves = inHand(state, name);
    const shown = card(name, "button");
    shown.type = "button";
    shown.classList.toggle("legal", moves.length > 0);
    shown.classList.toggle("drawn", name === drawn && cards.lastIndexOf(name) === place);
    if (moves.length) {
      shown.addEventListener("click", () => choose(name, moves, onMove));
      makeDraggable(shown, () => choose(name, moves, onMove));
    } else refuse(shown, state.reasons?.cards[name]);
    return shown;
  }));
}

/** The cards of a hand as the person wants them: as they come, by colour, or by their numbers. */
function inOrder(cards) {
  if (order() !== "number") return cards;
  const number = (name) => Number(name.match(/\d+$/)?.[0] ?? Infinity);
  return [...cards].sort((one, other) => number(one) - number(other) || 0);
}

/** The moves that a card of the hand can be used for. */
function inHand(state, name) {
  return (state.legal ?? []).filter((move) => move.card === name);
}

/** Play the only move of a card, or ask which. */
async function choose(name, moves, onMove) {
  if (moves.length === 1) {
    onMove(moves[0].action);
    return;
  }
  const buttons = moves.map((move) => [move.text, String(move.action)]);
  const shown = showDialog(textOf(name), card(name), [...buttons, [say("close"), ""]]);
  showKeys([...document.querySelectorAll("#dialog .row button")].slice(0, moves.length));
  const chosen = await shown;
  if (chosen) onMove(Number(chosen));
}

/** Say in the status line what went wrong. */
export function complain(error) {
  $("#status").textContent = error.message;
}

function status(state) {
  const { position } = state;
  if (state.resigned) return state.resigned;
  if (state.fault) return say("fault", { reason: state.fault });
  if (position.over) return say("over");
  if (state.atEnd) return say(isPaused() && !state.legal.length ? "paused" : "round-over");
  if (state.unfinished) return say("unfinished");
  const name = state.names[position.current_player];
  const others = isReplay ? "to-move" : state.waiting ? "waiting-person" : "waiting";
  const isStill = isPaused() && !isReplay && !state.waiting;
  const asked = position.notes.some(({ key }) => key.startsWith("ask-"));
  const turn = state.your_turn ? say("your-turn") : isStill ? say("paused") : say(others, { name });
  return [...(asked ? [] : [turn]), ...position.notes.map((note) => note.text)].join(" · ");
}
