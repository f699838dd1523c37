// Why something cannot be done: said below the status.

import { $, make } from "./dom.js";
import { ruleButtons } from "./rules.js";

/** Let a card that cannot be played say why when it is clicked, has the focus or the pointer. */
export function refuse(element, reason) {
  element.setAttribute("aria-disabled", "true");
  if (!reason) return;
  for (const event of ["click", "focus", "pointerenter"]) {
    element.addEventListener(event, () => say(reason));
  }
}

/** Say nothing any more, since the table has changed. */
export function forgetReason() {
  $("#why").replaceChildren();
}

function say({ text, rules }) {
  $("#why").replaceChildren(text, " ", make("small", "", "", ...ruleButtons(rules)));
}
