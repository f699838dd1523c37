// What happened, with the rules, and the score sheet.

import { card } from "./cards.js";
import { $, make } from "./dom.js";
import { ruleButtons } from "./rules.js";
import { asNumber, say } from "./texts.js";

// What the end of a round brings; its last move stands in the log.
const RESULTS = [
  "round-won", "out", "call.right", "call.wrong", "points", "halved", "won", "shared",
];

/** Write the log; entries after move number `read` are marked as new.
 *
 * A narrow page, where the log is far below, has its last line on the table too.
 */
export function drawLog(state, read) {
  $("#log-title").textContent = say("log");
  const log = $("#log");
  log.replaceChildren(...state.log.map((entry) => {
    const line = make("li", entry.move > read ? "new" : "");
    line.dataset.seat = entry.seat ?? "";
    if (entry.player) line.append(make("b", "", entry.player), " ");
    line.append(entry.text, " ", make("small", "", "", ...ruleButtons(entry.rules)));
    return line;
  }));
  log.scrollTop = log.scrollHeight;
  const last = state.log.at(-1);
  $("#latest").textContent = `${last.player} ${last.text}`;
}

/** Write the score sheet. */
export function drawSheet(state) {
  $("#sheet-title").textContent = say("sheet");
  $("#sheet").replaceChildren(sheet(state));
}

function sheet(state) {
  const body = make("tbody");
  body.append(make("tr", "", "", make("th"), ...state.names.map(heading)));
  state.rounds.forEach((points, k) => body.append(row(k + 1, points)));
  body.append(row(say("total"), state.position.seats.map((seat) => seat.score)));
  return body;
}

function row(name, points) {
  const cells = points.map((number) => make("td", "", asNumber(number)));
  return make("tr", "", "", heading(name), ...cells);
}

function heading(name) {
  const made = make("th", "", name);
  made.title = name;
  return made;
}

/** The hands and points of everybody when a round has just ended; else null. */
export function roundResult(state) {
  const ended = state.log.filter((entry) => entry.move === state.moves);
  if (!ended.some((entry) => entry.kind === "points")) return null;
  const list = make("ul", "result");
  for (const entry of ended.filter((each) => RESULTS.includes(each.kind))) {
    const line = make("li", entry.kind, "", make("b", "", entry.player), ` ${entry.text} `);
    if (entry.kind === "points") {
      line.append(make("div", "fan", "", ...entry.cards.map((name) => card(name))));
    }
    list.append(line);
  }
  return list;
}
