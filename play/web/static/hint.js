// What an agent would play, as bars, and why; its first card is marked in the hand.

import { $, button, make } from "./dom.js";
import { openSide } from "./panels.js";
import { patience } from "./patience.js";
import { askHint } from "./api.js";
import { complain } from "./table.js";
import { language, say } from "./texts.js";

/** Ask for a hint and show it; a click on a move plays it. */
export async function showHint(onMove) {
  const advice = $("#advice"), { moves } = $("#felt").dataset;
  advice.hidden = false;
  advice.replaceChildren(patience());
  try {
    const hint = await askHint(language);
    if (moves !== $("#felt").dataset.moves) return; // a move was made in the meantime
    const likely = hint.moves.filter((each) => each.shown);
    const bars = likely.map((each) => bar(each, hint.agent, onMove));
    const why = make("p", "reason", "", make("b", "", `${hint.moves[0].text}:`), ` ${hint.reasons.join(" ")}`);
    const title = make("h2", "", say("advice", { name: hint.agent }));
    const about = make("p", "remark", say("hint-about", { name: hint.agent }));
    advice.replaceChildren(title, why, ...(likely[0].win === "" ? bars : [heads(), ...bars, about]));
    mark(hint.moves[0]);
    openSide(true);
    advice.scrollIntoView({ block: "nearest" });
  } catch (error) {
    complain(error);
  }
}

/** Mark the card of a move in the hand, and its button. */
function mark({ action, card }) {
  const own = [...$("#hand").children].find((each) => each.dataset.card === card);
  const shown = [...$("#moves").children].find((each) => each.dataset.action === String(action));
  for (const each of [own, shown]) each?.classList.add("advised");
}

/** Hide the hint of a decision that has been made. */
export function hideHint() {
  if ($("#advice").hidden) return;
  $("#advice").hidden = true;
  openSide(false);
}

/** What the two percentages of a move are; a screen reader hears it with each move. */
function heads() {
  const made = make("p", "bar-heads", "", make("span"), make("span", "", say("hint-share")),
    make("span", "", say("hint-win")));
  made.setAttribute("aria-hidden", "true");
  return made;
}

/** One move of a hint: how often the agent plays it, as a bar, too, and how often it wins. */
function bar(each, name, onMove) {
  const { share, win } = each;
  const label = say(win ? "hint-move" : "hint-only", { move: each.text, name, share, win });
  const made = button("bar", "", () => onMove(each.action), label);
  const length = make("span", "share");
  length.style.width = `${100 * each.probability}%`;
  made.append(length, make("span", "", each.text), make("span", "percent", share));
  if (win) made.append(make("span", "win", win));
  return made;
}
