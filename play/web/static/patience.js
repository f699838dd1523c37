// What is said while an answer is awaited.

import { make } from "./dom.js";
import { say } from "./texts.js";

const LONG = 2500; // milliseconds after which it is said why it may take long

/** A line that says that something is asked for, and after a while why it takes so long. */
export function patience() {
  const line = make("p", "progress", say("thinking"));
  line.setAttribute("role", "status");
  setTimeout(() => { line.textContent = say("compiling"); }, LONG);
  return line;
}
