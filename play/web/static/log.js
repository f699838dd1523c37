// What happened, with the rules, and the score sheet.

import { $, make } from "./dom.js";
import { ruleButtons } from "./rules.js";
import { asNumber, say } from "./texts.js";

const ROOM = 36; // letters of all names together that fit side by side

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
    line.append(...told(entry), " ", make("small", "", "", ...ruleButtons(entry.rules)));
    return line;
  }));
  log.scrollTop = log.scrollHeight;
  $("#latest").replaceChildren(...told(state.log.at(-1)));
}

/** What an entry says, as in "You: laid red 7"; what nobody did has no name before it. */
export function told({ player, text }) {
  return player ? [make("b", "", `${player}:`), ` ${text}`] : [text];
}

/** Say what has happened since a move, to those who do not see it. */
export function announce(state, since) {
  const news = state.log.filter((entry) => entry.move > since);
  const lines = news.map((entry) => make("p", "", "", ...told(entry)).textContent);
  $("#announcer").textContent = lines.join(". ");
}

/** Write the score sheet. */
export function drawSheet(state) {
  $("#sheet-title").textContent = say("sheet");
  $("#sheet").replaceChildren(sheet(state));
}

/** The points of all players by round, and their totals, as rows of a table. */
export function sheet(state) {
  const body = make("tbody");
  const { names } = state;
  const isWide = names.some((name) => name.length * names.length > ROOM);
  const headings = names.map((name) => heading(name, "col"));
  body.append(make("tr", isWide ? "steep" : "", "", make("td"), ...headings));
  state.rounds.forEach((points, k) => body.append(row(k + 1, points)));
  body.append(row(say("total"), state.position.seats.map((seat) => seat.score)));
  return body;
}

function row(name, points) {
  const cells = points.map((number) => make("td", "", asNumber(number)));
  return make("tr", "", "", heading(name, "row"), ...cells);
}

function heading(name, scope) {
  const made = make("th", "", "", make("span", "", name));
  made.scope = scope;
  made.title = name;
  return made;
}
