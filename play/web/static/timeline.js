// The rounds of a replay as a bar, and what the analysis found in it as lines above.

import { $, button, make, replaceAll } from "./dom.js";
import { say } from "./texts.js";

const HEIGHT = 100; // of the lines, in units of the drawing

/** Draw the bar; `go(moves)` jumps, `decisions` are those analysed so far. */
export function drawTimeline(state, decisions, go) {
  const { starts, total, moves } = state;
  const place = (after) => `${(100 * after) / Math.max(total, 1)}%`;
  const now = starts.findLastIndex((start) => start <= moves);
  const rounds = starts.map((start, k) => {
    const made = button("round", k + 1, () => go(start), say("round", { number: k + 1 }));
    made.style.flexGrow = (starts[k + 1] ?? total) - start;
    if (k === now) made.setAttribute("aria-current", "true");
    return made;
  });
  const cursor = make("span", "cursor");
  cursor.style.insetInlineStart = place(moves);
  const marks = decisions.filter((each) => each.mark).map((each) => {
    const made = make("span", `mark seat-${each.seat}`, each.mark);
    made.style.insetInlineStart = place(each.move - 1);
    made.style.insetBlockStart = `${HEIGHT - HEIGHT * each.win}%`;
    return made;
  });
  const lines = make("div", "lines", "", ...marks);
  lines.insertAdjacentHTML("afterbegin", curves(state, decisions));
  lines.setAttribute("role", "img");
  lines.setAttribute("aria-label", say("curve"));
  lines.hidden = !decisions.length;
  const bar = make("div", "rounds", "", ...rounds);
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", say("rounds"));
  const plot = make("div", "plot", "", lines, bar, cursor);
  $("#timeline").hidden = false;
  replaceAll($("#timeline"), [axis(lines.hidden), plot]);
}

/** What the lines and the numbers of the bar are, beside them; a screen reader hears it there. */
function axis(isBare) {
  const levels = [say("axis-all"), say("axis-chance"), say("axis-none")].map((text) => make("span", "", text));
  const scale = make("div", "scale", "", ...levels);
  scale.hidden = isBare;
  const made = make("div", "axis", "", scale, make("span", "unit", say("axis-round")));
  made.setAttribute("aria-hidden", "true");
  return made;
}

/** A line for each seat: its win probability before each of its decisions. */
function curves({ names, total }, decisions) {
  const lines = names.map((_, seat) => {
    const own = decisions.filter((each) => each.seat === seat);
    const points = own.map(({ move, win }) => `${move - 1},${HEIGHT * (1 - win)}`);
    return `<polyline class="seat-${seat}" points="${points.join(" ")}"/>`;
  });
  return `<svg viewBox="0 0 ${Math.max(total, 1)} ${HEIGHT}" preserveAspectRatio="none"
    aria-hidden="true">${lines.join("")}</svg>`;
}

/** The number of moves before the round after that of `moves`, or before the round before it. */
export function otherRound({ starts, total }, moves, way) {
  if (way > 0) return starts.find((start) => start > moves) ?? total;
  return starts.findLast((start) => start < moves) ?? 0;
}
