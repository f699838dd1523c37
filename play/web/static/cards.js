// Cards as elements: every face is drawn once into a hidden sprite and then only referred to.

import { HEIGHT, WIDTH } from "./shapes.js";

const SVG = "http://www.w3.org/2000/svg";
let texts = {};
let art = null;

/** Draw all cards of a game; the module `art-ART.js` has their faces. */
export async function drawCards(state) {
  texts = state.cards;
  if (art) return;
  art = await import(`./art-${state.art}.js`);
  const sprite = document.querySelector("#sprite");
  const symbols = Object.entries(texts).map(([name, text]) => symbol(name, art.face(name, text)));
  sprite.innerHTML = `<svg xmlns="${SVG}" width="0" height="0"><defs>${art.DEFS}</defs>
    ${symbols.join("")}${symbol("back", art.back())}</svg>`;
}

/** A card that lies face up; its text is its title. */
export function card(name, tag = "span") {
  const made = picture(name, tag);
  made.dataset.card = name;
  made.title = texts[name];
  made.setAttribute("aria-label", texts[name]);
  if (tag === "span") made.setAttribute("role", "img");
  if (art.hasCaption?.(name)) {
    const caption = document.createElement("span");
    caption.className = `caption ${art.hasCaption(name)}`;
    caption.textContent = texts[name].replace(/[„“]/g, "");
    made.append(caption);
  }
  return made;
}

/** A card that lies face down. */
export function back(tag = "span") {
  return picture("back", tag);
}

/** Cards side by side, which overlap as far as they must. */
export function fan(cards) {
  const made = document.createElement("div");
  made.className = "fan";
  made.style.setProperty("--count", cards.length);
  made.append(...cards);
  return made;
}

/** The text of a card. */
export function textOf(name) {
  return texts[name];
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
