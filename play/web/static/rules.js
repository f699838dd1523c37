// The rules of the game, in a panel beside the table, and the ids that open it.

import { $, button, make } from "./dom.js";
import { readRules } from "./api.js";
import { language, say } from "./texts.js";

const ID = /\b[A-Z]\d+\.\d+\b/g;

let opener = null; // what had the focus before

/** The ids of some rules, each a button that opens its text. */
export function ruleButtons(rules) {
  return rules.flatMap((id) => [ruleButton(id), " "]).slice(0, -1);
}

/** Show the rules of the game, from a rule on if one is named. */
export async function showRules(id = "") {
  const panel = $("#rules");
  if (!panel.open) opener = document.activeElement;
  const blocks = await readRules(document.body.dataset.game, language);
  const heading = make("h2", "", say("rules"));
  const close = button("icon", "×", closeRules, say("close"));
  const text = make("div", "text", "", ...(blocks.length ? blocks.map(shown) : [say("no-rules")]));
  text.tabIndex = 0; // so that keys can scroll it
  panel.setAttribute("aria-label", say("rules"));
  panel.replaceChildren(make("header", "", "", heading, finder(text), close), text);
  if (!panel.open && $("#dialog").open) panel.showModal(); // above the dialog
  else if (!panel.open) panel.show();
  close.focus();
  pointAt(id);
}

/** Write the rules anew in another language, if they are open. */
export async function rewriteRules() {
  if ($("#rules").open) await showRules();
}

/** Close the rules, and give the focus back. */
export function closeRules() {
  $("#rules").close();
  opener?.focus();
}

function ruleButton(id) {
  return button("rule", id, (event) => {
    event.stopPropagation();
    showRules(id);
  });
}

/** A field that leaves only what has its words. */
function finder(text) {
  const field = make("input");
  field.type = "search";
  field.placeholder = say("find");
  field.setAttribute("aria-label", say("find"));
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const block of text.children) {
      block.hidden = !block.textContent.toLowerCase().includes(wanted);
    }
  });
  return field;
}

function shown({ kind, text, rule }) {
  const tag = { title: "h3", heading: "h3" }[kind] ?? "p";
  const made = make(tag, kind);
  if (kind === "rule") made.append(make("b", "", rule), " ");
  if (rule) made.dataset.rule = rule;
  made.append(...withButtons(text.replaceAll("\t", " – ")));
  return made;
}

/** A text in which the ids of rules are buttons. */
function withButtons(text) {
  const ids = text.match(ID) ?? [];
  return text.split(ID).flatMap((part, k) => (k < ids.length ? [part, ruleButton(ids[k])] : [part]));
}

function pointAt(id) {
  const found = id ? document.querySelectorAll(`#rules [data-rule="${id}"]`) : [];
  for (const block of found) block.classList.add("sought");
  found[0]?.scrollIntoView({ block: "center" });
}

document.addEventListener("DOMContentLoaded", () => {
  // What is typed here is no key of the table.
  $("#rules").addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") closeRules();
  });
});
