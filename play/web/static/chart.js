// The totals of all players after each round, as lines.

import { make } from "./dom.js";
import { asNumber, say } from "./texts.js";

const WIDTH = 320;
const HEIGHT = 150;
const LEFT = 34; // room for the numbers
const EDGE = 12;

/** A chart of the game of a state; the colours of the lines stand in the ranking. */
export function chart(state) {
  const totals = [state.names.map(() => 0)];
  for (const points of state.rounds) {
    totals.push(points.map((number, seat) => totals.at(-1)[seat] + number));
  }
  const low = Math.min(...totals.flat()), high = Math.max(...totals.flat(), low + 1);
  const x = (round) => LEFT + (round * (WIDTH - LEFT - EDGE)) / state.rounds.length;
  const y = (total) => HEIGHT - EDGE - ((total - low) * (HEIGHT - 2 * EDGE)) / (high - low);
  const lines = state.names.map((_, seat) => {
    const points = totals.map((all, round) => `${x(round)},${y(all[seat])}`).join(" ");
    return `<polyline class="seat-${seat}" points="${points}"/>`;
  });
  const levels = [...new Set([low, 0, high])].map((total) => `
    <path class="level" d="M${LEFT} ${y(total)}H${WIDTH - EDGE}"/>
    <text x="${LEFT - 5}" y="${y(total) + 4}">${asNumber(total)}</text>`);
  const made = make("div", "chart");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", say("by-round"));
  made.innerHTML = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
    ${levels.join("")}${lines.join("")}</svg>`;
  return made;
}
