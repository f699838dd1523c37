// What the end of a round and of a game brought: every point explained, the ranking, a chart.

import { card, fan } from "./cards.js";
import { chart } from "./chart.js";
import { make } from "./dom.js";
import { sheet, told } from "./log.js";
import { ruleButtons } from "./rules.js";
import { count, say } from "./texts.js";

// What the end of a round brings beside points; its last move stands in the log.
const RESULTS = ["round-won", "out", "cap", "call.right", "call.wrong"];

/** The heading of the result of a state. */
export function resultTitle(state) {
  if (!state.position.over) return say("round-over");
  const own = state.ended.ranking.find(({ seat }) => seat === state.seat);
  return own ? outcome(own.place, state.ended.ranking) : say("over");
}

/** What the game has brought the person: "You won", "You are second of 4", "You lost". */
function outcome(place, all) {
  if (place === 1) return say(all.filter((each) => each.place === 1).length > 1 ? "share-you" : "winner-you");
  const isLast = place === Math.max(...all.map((each) => each.place));
  return isLast ? say("lost-you") : say(`place-you.${place}`, { number: all.length });
}

/** The result of a state whose last move ended a round; that of the game when it is over. */
export function resultPage(state) {
  if (!state.position.over) return roundResult(state);
  const rounds = make("table", "sheet", "", sheet(state));
  rounds.setAttribute("aria-label", say("sheet"));
  return make(
    "div", "page", "",
    ...winner(state),
    ranking(state),
    chart(state),
    rounds,
    make("h3", "", say("last-round")),
    roundResult(state),
  );
}

function roundResult(state) {
  const list = make("ul", "result");
  for (const entry of state.log.filter((each) => each.move === state.ended.move)) {
    if (!RESULTS.includes(entry.kind)) continue;
    list.append(make("li", entry.kind, "", ...told(entry)));
  }
  list.append(...state.ended.seats.map((about, seat) => points(state.names[seat], about)));
  return list;
}

/** The points of one player: the cards that were left, or ended the round, and what the points are made of. */
function points(name, about) {
  const gained = { points: count("point", about.points), total: count("point", about.total) };
  const head = make("div", "head", "", make("b", "", name), make("span", "", say("gained", gained)));
  const cards = about.cards.length ? [fan(about.cards.map((each) => card(each)))] : [];
  if (about.laid.length) {
    const lying = fan(about.laid.map((each) => card(each)));
    cards.push(make("div", "laid-last", "", make("span", "", say("laid")), lying));
  }
  const parts = about.parts.map((part) => make(
    "li", "", "",
    make("span", "", part.text, " ", make("small", "", "", ...ruleButtons(part.rule ? [part.rule] : []))),
    make("span", "number", count("point", part.points)),
  ));
  return make("li", "points", "", head, ...cards, make("ul", "parts", "", ...parts));
}

/** Who has won, where that is not the person alone. */
function winner(state) {
  const best = state.ended.ranking.filter((each) => each.place === 1);
  const names = best.map((each) => state.names[each.seat]).join(", ");
  if (best.length === 1 && best[0].seat === state.seat) return []; // the heading has said so
  return [make("p", "winner", say(best.length === 1 ? "winner" : "winners", { names }))];
}

function ranking(state) {
  const rows = state.ended.ranking.map(({ place, seat }) => {
    return make(
      "li", "", "",
      make("span", "place", `${place}.`),
      make("span", `line seat-${seat}`),
      make("b", "", state.names[seat]),
      make("span", "number", count("point", state.position.seats[seat].score)),
    );
  });
  return make("ul", "ranking", "", ...rows);
}
