// Why something cannot be done: said below the status.

import { $, make } from "./dom.js";
import { ruleButtons } from "./rules.js";

let pointer = ""; // where the pointer was seen last
const placeOf = (event) => `${event.clientX} ${event.clientY}`;
document.addEventListener("pointermove", (event) => { pointer = placeOf(event); });

/** Let a card that cannot be played say why when it is clicked, has the focus or the pointer. */
export function refuse(element, reason) {
  element.setAttribute("aria-disabled", "true");
  if (!reason) return;
  element.addEventListener("click", () => showReason(reason));
  element.addEventListener("focus", () => showReason(reason));
  element.addEventListener("pointerenter", (event) => {
    if (placeOf(event) !== pointer) showReason(reason); // else the card has moved, not the pointer
  });
}

/** Say nothing any more, since the table has changed. */
export function forgetReason() {
  $("#why").replaceChildren();
}

function showReason({ text, rules }) {
  $("#why").replaceChildren(text, " ", make("small", "", "", ...ruleButtons(rules)));
}
