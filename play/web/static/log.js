// What happened, with the rules, and the score sheet.

import { $, make } from "./dom.js";
import { ruleButtons } from "./rules.js";
import { asNumber, say } from "./texts.js";

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

/** Say what has happened since a move, to those who do not see it. */
export function announce(state, since) {
  const news = state.log.filter((entry) => entry.move > since);
  $("#announcer").textContent = news.map((entry) => `${entry.player} ${entry.text}`.trim()).join(". ");
}

/** Write the score sheet. */
export function drawSheet(state) {
  $("#sheet-title").textContent = say("sheet");
  $("#sheet").replaceChildren(sheet(state));
}

/** The points of all players by round, and their totals, as rows of a table. */
export function sheet(state) {
  const body = make("tbody");
  body.append(make("tr", "", "", make("td"), ...state.names.map((name) => heading(name, "col"))));
  state.rounds.forEach((points, k) => body.append(row(k + 1, points)));
  body.append(row(say("total"), state.position.seats.map((seat) => seat.score)));
  return body;
}

function row(name, points) {
  const cells = points.map((number) => make("td", "", asNumber(number)));
  return make("tr", "", "", heading(name, "row"), ...cells);
}

function heading(name, scope) {
  const made = make("th", "", name);
  made.scope = scope;
  made.title = name;
  return made;
}
