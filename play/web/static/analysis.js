// What each decision of a replay was worth: asked for bit by bit, and shown as it comes.

import { $, button, make, replaceAll } from "./dom.js";
import { patience } from "./patience.js";
import { gameNumber, readAnalysis } from "./api.js";
import { local } from "./storage.js";
import { language, say } from "./texts.js";

const SHOWN = 8; // moves of a decision
const REST = 60; // milliseconds between two requests
const HIDDEN = 1000; // milliseconds until it is looked again whether the page can be seen

let found = { agent: "", done: 0, total: 0, decisions: [] };
const isComplete = () => found.agent !== "" && found.done === found.total;
let written = ""; // the language of what was found
let running = false;
let awaited = null; // the line until the first answer

/** The decisions analysed so far. */
export const decisions = () => found.decisions;

/** Whether the person wants games analysed, which the browser remembers. */
export const isWanted = () => local.getItem("analyse") === "yes";

/** Analyse to the end; `onMore()` is called whenever there is more to show. */
export async function analyse(onMore) {
  local.setItem("analyse", "yes");
  if (running) return;
  running = true;
  awaited = patience();
  onMore();
  try {
    do {
      if (written !== language) found = { ...found, decisions: [] };
      written = language;
      const more = await readAnalysis(gameNumber, found.decisions.length, language);
      if (written !== language) continue;
      found = { ...more, decisions: [...found.decisions, ...more.decisions] };
      onMore();
      do await new Promise((resolve) => setTimeout(resolve, document.hidden ? HIDDEN : REST));
      while (document.hidden);
    } while (!isComplete() || written !== language);
  } finally {
    running = false;
  }
}

/** Show what was found of the decision that the state is before; `go(moves)` jumps. */
export function drawAnalysis(state, go, start) {
  const place = $("#analysis");
  place.hidden = !state.analysed;
  const title = make("h2", "", say("analysis"));
  if (running && !found.agent) {
    place.replaceChildren(title, awaited);
    return;
  }
  if (!running && !found.decisions.length) {
    place.replaceChildren(title, button("analyse", say("analyse"), start));
    return;
  }
  const about = make("p", "remark", say("analysis-about", found));
  const parts = [title, decision(state), about, ...summary(state, go)];
  if (!isComplete()) parts.splice(1, 0, make("p", "progress", say("analysed", found)));
  replaceAll(place, parts.filter(Boolean));
}

/** The moves that could be played now: how the agent plays, and how often they win. */
function decision(state) {
  const now = found.decisions.find(({ move }) => move === state.moves + 1);
  if (!now) return null;
  const rows = now.moves.slice(0, SHOWN).map((each) => row(each, now));
  const played = now.moves.findIndex(({ action }) => action === now.played);
  if (played >= SHOWN) rows.push(row(now.moves[played], now));
  const mover = say("to-move", { name: state.names[now.seat] });
  const heads = [mover, say("hint-share"), say("win-of")].map((text) => {
    const made = make("th", "", text);
    made.scope = "col";
    return made;
  });
  return make("table", "decision", "", make("thead", "", "", make("tr", "", "", ...heads)),
    make("tbody", "", "", ...rows));
}

function row(each, now) {
  const signs = [];
  if (each.action === now.best) signs.push(sign("★", say("best")));
  if (each.action === now.played) signs.push(sign(now.mark || "●", say("played"), now.mark && "bad"));
  const made = make("tr", each.action === now.played ? "played" : "", "",
    make("td", "", "", each.text, " ", ...signs),
    make("td", "", each.share),
    make("td", "", each.win));
  return made;
}

function sign(text, label, name = "") {
  const made = make("span", `sign ${name}`, text);
  made.title = label;
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", label);
  return made;
}

/** The players with the colours of their lines, and their mistakes, to jump to. */
function summary(state, go) {
  const players = state.names.map((name, seat) => {
    const marked = found.decisions.filter((each) => each.seat === seat && each.mark);
    const links = marked.map((each) => {
      const text = (wanted) => each.moves.find(({ action }) => action === wanted).text;
      const about = { name, number: each.move, loss: each.loss, move: text(each.played), best: text(each.best) };
      const made = button("mistake", `${each.move} ${each.mark} `, () => go(each.move - 1), say("mistake", about));
      made.append(make("span", "", say("mistake-short", about)));
      return made;
    });
    const head = make("span", "", "", make("span", `line seat-${seat}`), " ", make("b", "", name));
    const none = isComplete() && !links.length ? say("no-mistakes") : "";
    return make("li", "", "", head, " ", ...links, none);
  });
  return [make("ul", "mistakes", "", ...players)];
}
