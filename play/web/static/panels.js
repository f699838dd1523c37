// What a small window hides behind buttons: the seldom tools, and the log with the score sheet.

import { $, button } from "./dom.js";
import { say } from "./texts.js";

const PANELS = { side: "#side", menu: "#tools" };

$(PANELS.menu).addEventListener("click", (event) => {
  if (!event.target.closest(".menu")) show("menu", false);
});

/** The button that shows and hides log, score sheet and hint. */
export function sideButton() {
  return opener("side", say("log-short"));
}

/** The button that shows and hides the seldom tools. */
export function menuButton() {
  return opener("menu", "☰", say("menu"));
}

/** Show log, score sheet and hint, or hide them where the window is small. */
export function openSide(open) {
  show("side", open);
}

function opener(panel, text, label = "") {
  const made = button(`narrow ${panel}`, text, () => show(panel, !isOpen(panel)), label);
  made.setAttribute("aria-controls", $(PANELS[panel]).id);
  made.setAttribute("aria-expanded", String(isOpen(panel)));
  return made;
}

function isOpen(panel) {
  return $(PANELS[panel]).classList.contains("open");
}

/** Show or hide a panel; one is shown at a time. */
function show(panel, open) {
  for (const each of Object.keys(PANELS)) {
    const now = each === panel ? open : isOpen(each) && !open;
    $(PANELS[each]).classList.toggle("open", now);
    $(`#tools .${each}`).setAttribute("aria-expanded", String(now));
  }
}
