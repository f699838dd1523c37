// A game that is played: the person's moves, the agents' one by one, hints, undo.

import { beginAnother } from "./another.js";
import { drawCards } from "./cards.js";
import { $, button, make, showDialog } from "./dom.js";
import { keepFocus, putFocusBack } from "./focus.js";
import { hideHint, showHint } from "./hint.js";
import { listenToKeys } from "./keys.js";
import { announce, drawLog, drawSheet } from "./log.js";
import { isLively, showMoves } from "./motion.js";
import { isPaused, playsForced, rest, showSettings, skip, turnPause } from "./pace.js";
import { greetHost, introduce, isShared, linksButton, nameField, showPeople } from "./people.js";
import { resultPage, resultTitle } from "./result.js";
import { addressOf, changeGame, gameNumber, readGame } from "./api.js";
import { atEnd, complain, drawStatus, drawTable } from "./table.js";
import { language, say } from "./texts.js";

const PAUSE = 350; // milliseconds between the moves of agents
const FORCED = 900; // milliseconds in which the only move can be seen before it plays itself
const END = 1600; // milliseconds in which the end of a round can be seen before it is explained
const LOOK = 1500; // milliseconds after which a change made in another tab is seen
const SOON = 400; // milliseconds after which the move of another person is seen

let state = null;
let readUpTo = 0; // the number of the move up to which the log is old
let busy = true; // whether an answer of the server is awaited or shown
let held = false; // whether forced moves wait for the person, since one was taken back
let forced = null; // the only move, while it is shown before it plays itself
let ending = null; // while the end of a round is looked at: what can be chosen, and what then happens

/** Show the game and play on; returns what draws it anew in another language. */
export async function startGame() {
  await showState(await readGame(language));
  readUpTo = state.moves;
  listenToKeys({ u: undo, h: advise, p: changePause, s: skipOthers });
  setTimeout(keepLooking, LOOK);
  await introduce(state);
  await greetHost();
  setBusy(false);
  playOn();
  return async () => showState(await readGame(language));
}

/** The buttons that a game has. */
export function gameTools() {
  const again = button("again seldom", say("watch-again"), watchAgain);
  again.hidden = true;
  const pause = button("pause seldom", say(isPaused() ? "go-on" : "pause"), changePause);
  return [
    button("", say("hint"), advise),
    button("undo", say("undo"), undo),
    pause,
    button("skip seldom", say("skip"), skipOthers),
    again,
    linksButton(),
    button("new seldom", say("new"), () => beginAnother(state)),
    button("resign seldom", say("resign"), resign),
    button("seldom", say("settings"), changeSettings),
  ];
}

function changePause() {
  $("#tools .pause").textContent = say(turnPause() ? "go-on" : "pause");
  showStatus();
}

/** Say who has to move, or that the game is paused. */
function showStatus() {
  if (forced) $("#status").textContent = isPaused() ? say("paused") : say("only-move", forced);
  else if (state) drawStatus(shown());
}

/** Come to the person's next decision without showing what the others do. */
function skipOthers() {
  if (!busy) return;
  skip(true);
  $("#tools .pause").textContent = say("pause");
  showStatus();
}

async function changeSettings() {
  await showSettings(state && isShared(state) ? [nameField(state)] : []);
  if (state && !busy) draw();
  playOn();
}

/** Draw the table: as it stands, or as it was when a round ended. */
function draw() {
  const onChoice = ending ? ending.onChoice : showResult;
  drawTable(shown(), shown() === state ? move : onChoice);
}

/** What is shown: the table as it stands, or as it was when a round ended. */
function shown() {
  if (ending && state.ended) return atEnd(state, ending.choices);
  return state.position.over && state.ended ? atEnd(state, ["result"]) : state;
}

/** Draw how the game stands; shows on the way what has happened since. */
async function showState(next) {
  const before = state;
  state = next;
  await drawCards(state);
  $("#felt").dataset.moves = state.moves;
  hideHint();
  const turn = state.your_turn && isShared(state) ? `${say("your-turn")} · ` : "";
  document.title = `${turn}${state.title} · ${gameNumber}`;
  const moved = before && before.moves < state.moves;
  const ended = moved && state.ended?.move > before.moves;
  if (ended) ending = { choices: [], onChoice: () => {} };
  draw();
  drawLog(state, readUpTo);
  drawSheet(state);
  $("#tools .undo").disabled = !state.can_undo;
  const isOver = state.position.over || Boolean(state.resigned);
  $("#tools .again").hidden = !isOver;
  $("#tools .resign").disabled = !state.your_turn;
  for (const name of ["pause", "skip", "resign"]) $(`#tools .${name}`).hidden = isOver;
  showPeople(state);
  if (!moved) return;
  announce(state, before.moves);
  await showMoves(state.log.filter((entry) => entry.move > before.moves), state.seat);
  if (ended) await showRoundEnd();
}

/** Let the agents move, and forced moves play themselves, until the person has a choice. */
async function playOn() {
  if (busy) return;
  setBusy(true);
  try {
    while (!state.over && !state.waiting && (!state.your_turn || isForced())) {
      if (state.your_turn) await playForced();
      else {
        await rest(isLively() ? PAUSE : 0);
        await showState(await changeGame("step", language, state.version));
      }
    }
  } catch (error) {
    complain(error);
  }
  skip(false);
  setBusy(false);
  putFocusBack();
}

/** Whether the only move plays itself; not among people, whom the time would tell that it was. */
function isForced() {
  return state.legal.length === 1 && playsForced() && !held && !isShared(state);
}

/** Show the only move for a moment, then play it. */
async function playForced() {
  const [{ action, text }] = state.legal;
  $("#moves button").classList.add("forced");
  forced = { text };
  showStatus();
  await rest(FORCED);
  forced = null;
  await showState(await changeGame("move", language, state.version, action));
}

async function move(action) {
  if (busy || !state.your_turn) return;
  setBusy(true);
  keepFocus();
  held = false;
  readUpTo = state.moves;
  try {
    await showState(await changeGame("move", language, state.version, action));
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

async function undo() {
  if (busy || !state.can_undo) return;
  try {
    held = true;
    await showState(await changeGame("undo", language, state.version));
    readUpTo = state.moves;
  } catch (error) {
    complain(error);
  }
  playOn();
}

/** Give the game up, if the person means it. */
async function resign() {
  if (busy || !state.your_turn) return;
  const buttons = [[say("resign"), "resign"], [say("stay"), "ok"]];
  const about = make("p", "", say("resign-about"));
  if (await showDialog(`${say("resign")}?`, about, buttons) !== "resign") return;
  try {
    await showState(await changeGame("resign", language, state.version));
  } catch (error) {
    complain(error);
  }
}

function watchAgain() {
  location.href = addressOf("replay", gameNumber);
}

function advise() {
  if (state?.your_turn) showHint(move);
}

/** Show the open hands of a round that has just ended, then its points, until they are read. */
async function showRoundEnd() {
  await rest(isLively() ? END : 0);
  if (!state.position.over) {
    while (await showResult() === "table") {
      if (await lookAtTable() === "go-on") break;
    }
  }
  ending = null;
  draw();
  if (state.position.over) await showResult();
}

/** Explain all points; resolves to what was chosen then. */
async function showResult() {
  const another = state.host ? [[say("new"), "new"]] : [];
  const buttons = state.position.over
    ? [[say("watch-again"), "again"], ...another, [say("close"), "ok"]]
    : [[say("see-table"), "table"], [say("go-on"), "ok"]];
  const chosen = await showDialog(resultTitle(state), resultPage(state), buttons);
  if (chosen === "again") watchAgain();
  if (chosen === "new") await beginAnother(state);
  return chosen;
}

/** Let the person look at the table at the end of a round; resolves to what was chosen. */
function lookAtTable() {
  return new Promise((resolve) => {
    ending = { choices: ["go-on", "result"], onChoice: resolve };
    draw();
    $("#moves button").focus();
  });
}

/** See, time and again, what was done in another tab or by another person. */
async function keepLooking() {
  await lookAgain();
  setTimeout(keepLooking, state.waiting ? SOON : LOOK);
}

async function lookAgain() {
  if (busy || (document.hidden && !isShared(state)) || $("#dialog").open) return;
  try {
    const next = await readGame(language, state.version);
    if (!next || busy) return;
    await follow(next);
    await introduce(next);
  } catch (error) {
    complain(error);
  }
}

/** Show what was done elsewhere, and play on. */
async function follow(next) {
  setBusy(true);
  try {
    await showState(next);
  } finally {
    setBusy(false);
  }
  playOn();
}
