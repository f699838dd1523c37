// A stored game, stepped through with all hands open, and its analysis.

import { analyse, decisions, drawAnalysis, isWanted } from "./analysis.js";
import { drawCards } from "./cards.js";
import { $, button, make, showDialog } from "./dom.js";
import { announce, drawLog, drawSheet } from "./log.js";
import { showMoves } from "./motion.js";
import { showHome } from "./people.js";
import { resultPage, resultTitle } from "./result.js";
import { addressOf, gameNumber, readReplay } from "./api.js";
import { atEnd, complain, drawTable } from "./table.js";
import { language, say } from "./texts.js";
import { drawTimeline, otherRound } from "./timeline.js";

const PACE = 700; // milliseconds a move when it plays by itself

let state = null;
let wanted = { moves: 0 }; // the last request; answers to older ones are dropped
let timer = null;

/** Show the game from its start, or from the move after `#`. */
export async function startReplay() {
  await go(Number(location.hash.slice(1)) || 0);
  document.addEventListener("keydown", onKey);
  if (isWanted()) startAnalysis();
  return async () => {
    await go(wanted.moves, wanted.dealt);
    if (decisions().length) startAnalysis();
  };
}

/** Analyse the game, unless it can go on, and show more and more of it. */
async function startAnalysis() {
  if (!state.analysed) return;
  try {
    const done = analyse(drawAnalysed);
    drawAnalysed();
    await done;
  } catch (error) {
    complain(error);
  }
}

/** Draw all that the analysis adds to. */
function drawAnalysed() {
  const jump = (moves) => go(moves, true);
  drawTimeline(state, decisions(), jump);
  drawAnalysis(state, jump, startAnalysis);
}

/** Show the game after so many moves, unless another request follows before the answer.
 *
 * Between two rounds it is the end of the one that is seen, or with `dealt` the start of the next.
 */
async function go(moves, dealt = false) {
  const request = { moves: Math.max(Math.min(moves, state?.total ?? moves), 0), dealt };
  wanted = request;
  const answer = await readReplay(gameNumber, request.moves, language);
  await drawCards(answer);
  if (request !== wanted) return;
  const before = state?.moves ?? -1;
  state = { ...answer, seat: null };
  wanted.moves = state.moves;
  history.replaceState(null, "", `#${state.moves}`);
  document.title = say("replay", { number: state.number, last: state.last });
  if (state.ended && !(dealt && !state.position.over)) drawTable(atEnd(state, ["result"]), showResult);
  else drawTable(state, () => {});
  drawLog(state, state.moves - 1);
  drawSheet(state);
  showHome(state.host);
  drawStepper();
  drawAnalysed();
  announce(state, state.moves - 1);
  if (state.moves === before + 1) {
    await showMoves(state.log.filter((entry) => entry.move === state.moves), null);
  }
}

function showResult() {
  return showDialog(resultTitle(state), resultPage(state), [[say("close"), "ok"]]);
}

function drawStepper() {
  const { moves, total, number, last } = state;
  const slider = make("input");
  slider.type = "range";
  slider.max = total;
  slider.value = moves;
  slider.setAttribute("aria-label", say("step", { number: moves, total }));
  slider.addEventListener("change", () => go(Number(slider.value)));
  const stepper = $("#stepper");
  const focused = [...stepper.children].indexOf(document.activeElement);
  stepper.hidden = false;
  stepper.replaceChildren(
    step("|‹", "first", () => 0),
    step("‹", "back", () => wanted.moves - 1, "back"),
    button("icon run-on", timer ? "⏸" : "▶", runOn, say("run-on")),
    step("›", "forward", () => wanted.moves + 1, "forward"),
    step("›|", "end", () => total),
    slider,
    make("span", "where", say("step", { number: moves, total })),
    game("«", "game-before", Math.max(number - 1, 1)),
    make("span", "which", say("replay", { number, last })),
    game("»", "game-after", Math.min(number + 1, last)),
  );
  stepper.children[focused]?.focus();
}

/** A button that goes to where `goal()` says when it is clicked. */
function step(sign, key, goal, name = "") {
  return button(`icon ${name}`, sign, () => go(goal()), say(key));
}

function game(sign, key, number) {
  return button("icon", sign, () => { location.href = addressOf("replay", number); }, say(key));
}

/** Play by itself until the end, or stop. */
function runOn() {
  clearInterval(timer);
  timer = timer ? null : setInterval(() => {
    if (wanted.moves < state.total) go(wanted.moves + 1);
    else runOn();
  }, PACE);
  drawStepper();
}

function onKey(event) {
  if ($("#dialog").open || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.type === "range") return;
  const goal = {
    ArrowLeft: wanted.moves - 1, ArrowRight: wanted.moves + 1, Home: 0, End: state.total,
    PageUp: otherRound(state, wanted.moves, -1), PageDown: otherRound(state, wanted.moves, 1),
  }[event.key];
  if (goal !== undefined) go(goal, event.key.startsWith("Page"));
  if (event.key === " " && event.target.tagName !== "BUTTON") runOn();
  if (goal !== undefined || event.key === " ") event.preventDefault();
}
