// A game that is played: the person's moves, the agents' one by one, hints, undo.

import { drawCards } from "./cards.js";
import { $, button, make, showDialog } from "./dom.js";
import { drawLog, drawSheet, roundResult } from "./log.js";
import { isLively, showMoves } from "./motion.js";
import { isPaused, playsForced, rest, showSettings, skip, turnPause } from "./pace.js";
import { askHint, changeGame, gameNumber, newGame, readGame } from "./server.js";
import { complain, drawTable, sorted } from "./table.js";
import { language, say } from "./texts.js";

const PAUSE = 350; // milliseconds between the moves of agents
const FORCED = 900; // milliseconds in which the only move can be seen before it plays itself
const LOOK = 1500; // milliseconds after which a change made in another tab is seen

let state = null;
let read = 0; // the number of the move up to which the log is old
let busy = true; // whether an answer of the server is awaited or shown
let held = false; // whether forced moves wait for the person, since one was taken back
let looking = false; // whether it is asked what was done in another tab
let focused = null; // where the focus was when the person moved: the list, and the place in it

/** Show the game and play on; returns what draws it anew in another language. */
export async function startGame() {
  await take(await readGame(language));
  read = state.moves;
  document.addEventListener("keydown", onKey);
  setInterval(lookAgain, LOOK);
  setBusy(false);
  playOn();
  return async () => take(await readGame(language));
}

/** The buttons that a game has. */
export function gameTools() {
  const again = button("again", say("watch-again"), watchAgain);
  again.hidden = true;
  const pause = button("pause", say(isPaused() ? "go-on" : "pause"), changePause);
  return [
    button("", say("hint"), showHint),
    button("undo", say("undo"), undo),
    pause,
    button("skip", say("skip"), skipOthers),
    again,
    button("", say("new"), beginAnother),
    button("", say("settings"), changeSettings),
  ];
}

function changePause() {
  $("#tools .pause").textContent = say(turnPause() ? "go-on" : "pause");
}

/** Come to the person's next decision without showing what the others do. */
function skipOthers() {
  if (!busy) return;
  skip(true);
  $("#tools .pause").textContent = say("pause");
}

async function changeSettings() {
  await showSettings();
  if (state && !busy) drawTable(state, move);
  playOn();
}

/** Draw how the game stands; shows on the way what has happened since. */
async function take(next) {
  const before = state;
  state = next;
  await drawCards(state);
  $("#felt").dataset.moves = state.moves;
  $("#advice").hidden = true;
  document.title = `${state.title} · ${gameNumber}`;
  drawTable(state, move);
  drawLog(state, read);
  drawSheet(state);
  $("#tools .undo").disabled = !state.can_undo;
  $("#tools .again").hidden = !state.position.over;
  if (before && before.moves < state.moves) {
    await showMoves(state.log.filter((entry) => entry.move > before.moves), state.seat);
    await showRoundEnd();
  }
}

/** Let the agents move, and forced moves play themselves, until the person has a choice. */
async function playOn() {
  if (busy) return;
  setBusy(true);
  try {
    while (!state.over && (!state.your_turn || isForced())) {
      if (state.your_turn) await playForced();
      else {
        await rest(isLively() ? PAUSE : 0);
        await take(await changeGame("step", language, state.version));
      }
    }
  } catch (error) {
    complain(error);
  }
  skip(false);
  setBusy(false);
  putFocusBack();
}

function isForced() {
  return state.legal.length === 1 && playsForced() && !held;
}

/** Show the only move for a moment, then play it. */
async function playForced() {
  const [{ action, text }] = state.legal;
  $("#moves button").classList.add("forced");
  $("#status").textContent = say("only-move", { text });
  await rest(FORCED);
  await take(await changeGame("move", language, state.version, action));
}

async function move(action) {
  if (busy || !state.your_turn) return;
  setBusy(true);
  keepFocus();
  held = false;
  read = state.moves;
  try {
    await take(await changeGame("move", language, state.version, action));
  } catch (error) {
    complain(error);
  }
  setBusy(false);
  playOn();
}

function setBusy(now) {
  busy = now;
  $("#felt").setAttribute("aria-busy", String(now));
}

/** Remember which card or move had the focus, since all of them are drawn anew. */
function keepFocus() {
  focused = null;
  for (const list of ["#hand", "#moves"]) {
    const place = [...$(list).children].indexOf(document.activeElement);
    if (place >= 0) focused = { list, place };
  }
}

function putFocusBack() {
  if (!focused || document.activeElement !== document.body) return;
  const { list, place } = focused;
  const all = [...$(list).children];
  const rest = [...all.slice(place), ...all.slice(0, place).reverse()];
  const next = rest.find((each) => !each.hasAttribute("aria-disabled")) ?? $("#moves button");
  next?.focus();
}

async function undo() {
  if (busy || !state.can_undo) return;
  try {
    held = true;
    await take(await changeGame("undo", language, state.version));
    read = state.moves;
  } catch (error) {
    complain(error);
  }
  playOn();
}

async function beginAnother() {
  try {
    location.href = `/game/${await newGame()}`;
  } catch (error) {
    complain(error);
  }
}

function watchAgain() {
  location.href = `/replay/${gameNumber}`;
}

async function showHint() {
  if (!state?.your_turn) return;
  const advice = $("#advice");
  advice.hidden = false;
  advice.replaceChildren(make("p", "", say("thinking")));
  try {
    const hint = await askHint(language);
    const bars = hint.moves.filter((each) => each.probability >= 0.005).slice(0, 8).map(bar);
    advice.replaceChildren(make("h2", "", say("advice", { name: hint.agent })), ...bars);
    advice.scrollIntoView({ block: "nearest" });
  } catch (error) {
    complain(error);
  }
}

/** One move of a hint with its probability as a bar; a click plays it. */
function bar(each) {
  const made = button("bar", "", () => move(each.action));
  const share = make("span", "share");
  share.style.width = `${100 * each.probability}%`;
  const percent = `${Math.round(100 * each.probability)} %`;
  made.append(share, make("span", "", each.text), make("span", "percent", percent));
  return made;
}

/** When a round has just ended, show the points of everybody, until they have been read. */
async function showRoundEnd() {
  const result = roundResult(state);
  if (!result) return;
  if (!state.position.over) {
    await showDialog(say("round-over"), result, [[say("go-on"), "ok"]]);
    return;
  }
  const buttons = [[say("watch-again"), "again"], [say("new"), "new"], [say("close"), "ok"]];
  const chosen = await showDialog(say("over"), result, buttons);
  if (chosen === "again") watchAgain();
  if (chosen === "new") await beginAnother();
}

/** See what was done in another tab. */
async function lookAgain() {
  if (busy || looking || document.hidden || $("#dialog").open) return;
  looking = true;
  try {
    const next = await readGame(language, state.version);
    if (next && !busy) {
      await take(next);
      playOn();
    }
  } catch (error) {
    complain(error);
  }
  looking = false;
}

function onKey(event) {
  if ($("#dialog").open || event.ctrlKey || event.metaKey || event.altKey) return;
  const chosen = sorted(state)[Number(event.key) - 1];
  if (event.key >= "1" && event.key <= "9" && chosen) move(chosen.action);
  const key = event.key.toLowerCase();
  if (key === "u") undo();
  if (key === "h") showHint();
  if (key === "p") changePause();
  if (key === "s") skipOthers();
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    walkHand(event.key === "ArrowLeft" ? -1 : 1);
    event.preventDefault();
  }
}

/** Put the focus on the next card of the hand that can be laid. */
function walkHand(way) {
  const cards = [...document.querySelectorAll("#hand .card:not([aria-disabled])")];
  const now = cards.indexOf(document.activeElement);
  const next = now < 0 && way < 0 ? cards.length - 1 : now + way;
  cards[(next + cards.length) % cards.length]?.focus();
}
