// How quickly the others play, and what plays by itself; remembered by the browser.

import { make, showDialog } from "./dom.js";
import { local } from "./storage.js";
import { say } from "./texts.js";

const FACTORS = { slow: 2, normal: 1, fast: 0.4, "at-once": 0 };
const ORDERS = ["colour", "number"];

let paused = false;
let skipping = false;
let goOn = () => {};

const kept = (key, usual) => local.getItem(key) ?? usual;

/** Whether a decision with one option plays itself. */
export const playsForced = () => kept("forced", "yes") === "yes";

/** The order of the hand: `colour` or `number`. */
export const order = () => kept("order", "colour");

/** Whether everything stands still until it is to go on. */
export const isPaused = () => paused;

/** How long something takes that usually takes so many milliseconds. */
export function lasts(usual) {
  return skipping ? 0 : usual * (FACTORS[kept("speed", "normal")] ?? 1);
}

/** Wait so many milliseconds, and then as long as the game is paused. */
export async function rest(usual) {
  const time = lasts(usual);
  if (time) await new Promise((resolve) => setTimeout(resolve, time));
  if (paused) await new Promise((resolve) => { goOn = resolve; });
}

/** Pause, or go on; returns whether it is paused now. */
export function turnPause() {
  paused = !paused;
  if (!paused) goOn();
  return paused;
}

/** Show nothing in between until it is the person's turn (`true`), or show all again. */
export function skip(now) {
  skipping = now;
  if (now && paused) turnPause();
}

/** Let a person choose; `more` are other fields. Resolves when the dialog is closed. */
export function showSettings(more) {
  const list = make(
    "div", "settings", "",
    choice("speed", "normal", Object.keys(FACTORS)),
    choice("order", "colour", ORDERS),
    choice("forced", "yes", ["yes", "no"]),
    ...more,
  );
  return showDialog(say("settings"), list, [[say("close"), "ok"]]);
}

function choice(key, usual, values) {
  const select = make("select");
  for (const value of values) {
    const option = make("option", "", say(`${key}.${value}`));
    option.value = value;
    select.append(option);
  }
  select.value = kept(key, usual);
  select.addEventListener("change", () => local.setItem(key, select.value));
  return make("label", "", say(key), select);
}
