// Cards as elements: every face is drawn once into a hidden sprite and then only referred to.

import * as auruxxx from "./art-auruxxx.js";
import * as gluecksgriff from "./art-gluecksgriff.js";
import { HEIGHT, WIDTH } from "./shapes.js";

const ART = { auruxxx, gluecksgriff };
const SVG = "http://www.w3.org/2000/svg";
let words = {};

/** Draw all cards of a game; `names` has the words for each. */
export function drawCards(game, names) {
  words = names;
  const sprite = document.querySelector("#sprite");
  if (sprite.dataset.game === game) return;
  sprite.dataset.game = game;
  const art = ART[game];
  const symbols = Object.keys(names).map((name) => symbol(name, art.face(name)));
  sprite.innerHTML = `<svg xmlns="${SVG}" width="0" height="0"><defs>${art.DEFS}</defs>
    ${symbols.join("")}${symbol("back", art.back())}</svg>`;
}

/** A card that lies face up; its words are its title. */
export function card(name, tag = "span") {
  const made = picture(name, tag);
  made.dataset.card = name;
  made.title = words[name];
  made.setAttribute("aria-label", words[name]);
  if (tag === "span") made.setAttribute("role", "img");
  if (name.startsWith("blank")) {
    const caption = document.createElement("span");
    caption.className = "caption";
    caption.textContent = words[name];
    made.append(caption);
  }
  return made;
}

/** A card that lies face down. */
export function back(tag = "span") {
  return picture("back", tag);
}

/** The word for a card. */
export function wordOf(name) {
  return words[name];
}

function symbol(name, drawing) {
  return `<symbol id="card-${name}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${drawing}</symbol>`;
}

function picture(name, tag) {
  const made = document.createElement(tag);
  made.className = "card";
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#card-${name}`);
  svg.append(use);
  made.append(svg);
  return made;
}
