// The table: players, piles, the hand, and what can be done.

import { back, card, wordOf } from "./cards.js";
import { $, button, make, showDialog } from "./dom.js";
import { isReplay } from "./server.js";
import { inFigures, say } from "./texts.js";

const FAN = 14; // face-down cards that are drawn of a hand

/** Draw everything that lies on the table; `onMove(action)` is called when a move is chosen. */
export function drawTable(state, onMove) {
  const { table, seat } = state;
  document.body.classList.toggle("all-open", seat === null);
  $("#title").textContent = state.game === "auruxxx" ? "Auruxxx" : "Glücksgriff";
  $("#round").textContent = say("round", { number: table.round });
  const others = clockwise(table.seats.length, seat).filter((other) => other !== seat);
  drawOthers(others.map((other) => player(state, other)));
  $("#own").replaceChildren(...(seat === null ? [] : [player(state, seat)]));
  drawPiles(state, onMove);
  drawHand(state, onMove);
  drawMoves(state, onMove);
  $("#status").textContent = status(state);
  $("#status").classList.toggle("asked", Boolean(state.asked));
}

/** Put the other players in their row; where it is too narrow for all, show the one to move. */
function drawOthers(players) {
  const row = $("#others");
  const scrolled = row.scrollLeft;
  row.replaceChildren(...players);
  const moving = row.querySelector(".moving");
  row.scrollLeft = moving
    ? moving.offsetLeft - (row.clientWidth - moving.offsetWidth) / 2
    : scrolled;
}

/** The seats in the order of play, from the one after the viewer's on. */
function clockwise(seats, seat) {
  const first = seat === null ? 0 : seat + 1;
  return Array.from({ length: seats }, (_, k) => (first + k) % seats);
}

function player(state, seat) {
  const about = state.table.seats[seat];
  const place = make("div", "player");
  place.dataset.seat = seat;
  place.classList.toggle("moving", state.table.current_player === seat && !state.table.over);
  const size = about.size === 1 ? say("card") : say("cards", { number: about.size });
  place.append(
    make("strong", "", state.names[seat]),
    make("span", "score", say("points", { number: inFigures(about.score) })),
    make("span", "size", size),
  );
  if (about.worth !== null) place.append(make("span", "worth", say("worth", { number: about.worth })));
  place.append(...marks(about));
  if (seat === state.seat) return place;
  const fan = make("div", "fan");
  const shown = about.hand
    ? about.hand.map((name) => card(name))
    : Array.from({ length: Math.min(about.size, FAN) }, () => back());
  fan.append(...shown);
  place.append(fan);
  if (about.known.length) {
    const known = about.known.map((name) => wordOf(name)).join(", ");
    const row = make("div", "known", "", ...about.known.map((name) => card(name)));
    row.title = say("known", { cards: known });
    place.append(row);
  }
  return place;
}

/** What is to be noted of a player, as small badges. */
function marks(about) {
  const found = [];
  if (about.crosses) found.push(["✕".repeat(about.crosses), say("crosses", { number: about.crosses })]);
  if (about.figure) found.push(["☻", say("figure")]);
  if (about.caller) found.push(["!", say("caller")]);
  if (about.magician) found.push(["✋", say("magician")]);
  const badges = found.map(([sign, meaning]) => {
    const badge = make("abbr", "badge", sign);
    badge.title = meaning;
    return badge;
  });
  for (const [key, name] of [["front", about.front], ["open", about.open]]) {
    if (!name) continue;
    const lying = card(name);
    lying.title = say(key, { card: wordOf(name) });
    lying.classList.add("lying");
    badges.push(lying);
  }
  return badges;
}

function drawPiles(state, onMove) {
  const { table } = state;
  const draw = named(state, "draw");
  const pile = back(draw ? "button" : "span");
  pile.classList.toggle("empty", table.pile === 0);
  offer(pile, draw, onMove);
  $("#pile").replaceChildren(pile, make("figcaption", "", `${say("pile")} · ${table.pile}`));

  const low = named(state, "take low");
  const high = named(state, "take high") ?? named(state, "take");
  const laid = table.laid ?? 0;
  const top = table.discard.length - 1 - laid; // what lay there when the turn began
  const lying = table.discard.map((name, place) => {
    const move = place === top ? high : place === 0 && laid === 0 ? low : null;
    const shown = card(name, move ? "button" : "span");
    shown.classList.toggle("laid", place > top);
    offer(shown, move, onMove);
    return shown;
  });
  const row = make("div", table.run || laid ? "spread" : "heap", "", ...lying);
  const kind = table.run ? ` · ${say("run")}` : "";
  $("#discard").replaceChildren(row, make("figcaption", "", say("discard") + kind));
}

function named(state, name) {
  return (state.legal ?? []).find((move) => move.name === name) ?? null;
}

function offer(element, move, onMove) {
  if (!move) return;
  element.classList.add("legal");
  element.title = `${move.words} (${move.rules.join(", ")})`;
  element.addEventListener("click", () => onMove(move.action));
}

function drawHand(state, onMove) {
  const hand = $("#hand");
  hand.setAttribute("aria-label", say("hand"));
  const cards = state.seat === null ? [] : state.table.seats[state.seat].hand;
  const drawn = state.table.drawn;
  hand.replaceChildren(...cards.map((name, place) => {
    const moves = inHand(state, name);
    const shown = card(name, "button");
    shown.type = "button";
    shown.disabled = moves.length === 0;
    shown.classList.toggle("legal", moves.length > 0);
    shown.classList.toggle("drawn", name === drawn && cards.lastIndexOf(name) === place);
    shown.addEventListener("click", () => choose(name, moves, onMove));
    return shown;
  }));
}

/** The moves that a card of the hand can be used for. */
function inHand(state, name) {
  return (state.legal ?? []).filter((move) => move.card === name && !move.name.startsWith("grab"));
}

/** Play the only move of a card, or ask which. */
async function choose(name, moves, onMove) {
  if (moves.length === 1) {
    onMove(moves[0].action);
    return;
  }
  const buttons = moves.map((move) => [move.words, String(move.action)]);
  const chosen = await showDialog(wordOf(name), card(name), [...buttons, [say("close"), ""]]);
  if (chosen) onMove(Number(chosen));
}

function drawMoves(state, onMove) {
  const list = $("#moves");
  list.setAttribute("aria-label", say("moves"));
  list.replaceChildren(...sorted(state).map((move, place) => {
    const plain = !move.card || move.name.startsWith("grab");
    const made = button(plain ? "move primary" : "move", move.words, () => onMove(move.action));
    made.dataset.action = move.action;
    made.title = move.rules.join(", ");
    if (place < 9) made.prepend(make("kbd", "", place + 1));
    return made;
  }));
}

/** Moves without a card first, as on the keys 1 to 9. */
export function sorted(state) {
  const legal = state.legal ?? [];
  return [...legal.filter((move) => !move.card), ...legal.filter((move) => move.card)];
}

/** Say in the status line what went wrong. */
export function complain(error) {
  const unreachable = error instanceof TypeError;
  $("#status").textContent = unreachable ? say("lost") : error.message;
}

function status(state) {
  const { table } = state;
  if (state.fault) return say("fault", { reason: state.fault });
  if (table.over) return say("over");
  if (state.unfinished) return say("unfinished");
  const parts = [];
  if (state.asked) parts.push(say("asked"));
  else parts.push(say(isReplay ? "to-move" : "waiting", { name: state.names[table.current_player] }));
  if (table.phase === "demand" && state.asked) parts.push(say("demand", { number: table.demand }));
  if (table.drawn) parts.push(say("drawn", { card: wordOf(table.drawn) }));
  if (table.last_turns) parts.push(say("last", { number: table.last_turns }));
  return parts.join(" · ");
}
