// The faces of Auruxxx: a medallion with the number, and around it a clock with as many marks lit.
// Every colour has its own sign in the corners, for eyes that do not tell colours apart.

import { corners, lettering, paper, ring, star } from "./shapes.js";

const COLOURS = {
  r: { main: "#c8372d", deep: "#8f1f1c", pale: "#fbe3dc", sign: gem },
  y: { main: "#e0a100", deep: "#946400", pale: "#fff3cd", sign: sun },
  g: { main: "#2f8f4e", deep: "#1b5f33", pale: "#dff2df", sign: leaf },
  b: { main: "#2a6fbb", deep: "#174a86", pale: "#dcebfa", sign: drop },
  v: { main: "#7b46a8", deep: "#512a76", pale: "#eee0f8", sign: moon },
};
const NIGHT = "#14323c";
const GOLD = "#e9b949";
const BOLD = 'font-weight="700"';
// Signs in the corners of the action cards, for hands in which cards overlap.
const BLESSING = star(15, 19, 6, 9, 2.4);
const STEAL = "M6 19L15 11V16H25V22H15V27z";
const SWAP = "M6 15L13 9V13H24V17H13V21zM25 25L18 31V27H7V23H18V19z";

export const DEFS = `
  <radialGradient id="glow" cx="50%" cy="45%" r="70%">
    <stop offset="0" stop-color="#fff6d5"/><stop offset=".55" stop-color="#f0c455"/>
    <stop offset="1" stop-color="#b97f14"/>
  </radialGradient>`;

/** How a card has its text written on it: action cards bear their names. */
export function hasCaption(name) {
  return ["blessing", "steal", "swap"].includes(name) ? "light low" : "";
}

/** The face of a card by its name. */
export function face(name) {
  const special = { gold, blessing, steal, swap }[name];
  if (special) return special();
  const colour = COLOURS[name[0]];
  if (name[1] === "H") return happyMan(colour);
  return name.slice(1) === "50" ? fifty(colour) : number(colour, Number(name.slice(1)));
}

/** The back of all cards. */
export function back() {
  const suns = [20, 50, 80].flatMap((x) => [25, 55, 85, 115].map((y) => [x, y]));
  return `${paper(NIGHT, "#0b2028")}
    <rect x="7" y="7" width="86" height="126" rx="6" fill="none" stroke="${GOLD}" opacity=".7"/>
    ${suns.map(([x, y]) => `<path d="${star(x, y, 8, 9, 3.5)}" fill="${GOLD}" opacity=".45"/>`)
      .join("")}
    <circle cx="50" cy="70" r="21" fill="${NIGHT}" stroke="${GOLD}"/>
    <path d="${star(50, 70, 12, 17, 9)}" fill="${GOLD}"/>`;
}

function number(colour, value) {
  const marks = ring(50, 70, 12, 37).map(([x, y], k) => {
    const lit = k < value;
    return `<circle cx="${x}" cy="${y}" r="${lit ? 3.4 : 1.6}" fill="${lit ? "#fff" : colour.deep}"
      />`;
  });
  const underline = value === 6 || value === 9
    ? `<rect x="39" y="88" width="22" height="3" rx="1.5" fill="${colour.deep}"/>` : "";
  return `${ground(colour)}
    ${marks.join("")}
    <circle cx="50" cy="70" r="28" fill="#fffdf6"/>
    ${lettering(value, 50, value > 9 ? 82 : 84, value > 9 ? 34 : 40, colour.deep, BOLD)}${underline}
    ${corners(corner(colour, value))}`;
}

function fifty(colour) {
  const marks = ring(50, 70, 50, 37).map(([x, y]) => `<circle cx="${x}" cy="${y}" r="1.7"/>`);
  return `${ground(colour)}
    <g fill="#fff">${marks.join("")}</g>
    <path d="${star(50, 70, 25, 33, 28)}" fill="#fffdf6"/>
    ${lettering(50, 50, 82, 33, colour.deep, BOLD)}
    ${corners(corner(colour, 50))}`;
}

function happyMan(colour) {
  return `${ground(colour)}
    <path d="M27 56q23-34 46 0z" fill="${colour.deep}"/>
    <circle cx="50" cy="31" r="5" fill="#fff"/>
    <circle cx="50" cy="76" r="27" fill="#ffe1b8"/>
    <path d="M25 61q25-13 50 0l-2 7q-23-12-46 0z" fill="#fff"/>
    <circle cx="41" cy="74" r="3.2" fill="#3a2417"/><circle cx="59" cy="74" r="3.2" fill="#3a2417"/>
    <path d="M35 83q15 17 30 0q-15 7-30 0z" fill="#fff" stroke="#3a2417" stroke-width="1.6"/>
    <circle cx="33" cy="82" r="4" fill="#f2a48c"/><circle cx="67" cy="82" r="4" fill="#f2a48c"/>
    ${corners(corner(colour, ""))}`;
}

function gold() {
  return `${paper("url(#glow)", "#8a5c0a")}
    <path d="${star(50, 70, 12, 46, 27)}" fill="#fff7d9" opacity=".85"/>
    <path d="${star(50, 70, 12, 39, 26)}" fill="#c98b17"/>
    <circle cx="50" cy="70" r="26" fill="#fff3c4" stroke="#8a5c0a"/>
    ${lettering(12, 50, 82, 33, "#7a4d00", BOLD)}
    ${corners(`<path d="${star(14, 17, 12, 9, 5)}" fill="#7a4d00"/>`)}`;
}

function blessing() {
  const rays = [0, 60, 120, 180, 240, 300].map((turn) =>
    `<g transform="rotate(${turn} 50 70)">${arrow(50, 30, 50, 49)}</g>`);
  return `${night(BLESSING)}${rays.join("")}${smallCard(50, 70, 0)}`;
}

function steal() {
  return `${night(STEAL)}${smallCard(70, 62, 14)}${smallCard(62, 66, 4)}${smallCard(34, 84, -10)}
    <path d="M66 42C52 26 34 34 31 58" fill="none" stroke="${GOLD}" stroke-width="5"
      stroke-linecap="round"/><path d="M22 53l9 14 10-13z" fill="${GOLD}"/>`;
}

function swap() {
  return `${night(SWAP)}${smallCard(32, 70, -8)}${smallCard(68, 70, 8)}
    <path d="M28 46C36 28 64 28 71 42" fill="none" stroke="${GOLD}" stroke-width="5"
      stroke-linecap="round"/><path d="M62 41l11 11 6-15z" fill="${GOLD}"/>
    <path d="M72 94C64 112 36 112 29 98" fill="none" stroke="${GOLD}" stroke-width="5"
      stroke-linecap="round"/><path d="M38 99L27 88l-6 15z" fill="${GOLD}"/>`;
}

function ground(colour) {
  return `${paper(colour.main, colour.deep)}
    <rect x="6" y="6" width="88" height="128" rx="7" fill="none" stroke="${colour.pale}"
      opacity=".55"/>`;
}

function night(sign) {
  return `${paper(NIGHT, "#0b2028")}
    <rect x="6" y="6" width="88" height="128" rx="7" fill="none" stroke="${GOLD}" opacity=".6"/>
    <path d="${sign}" fill="${GOLD}"/>`;
}

function corner(colour, text) {
  return `${lettering(text, 18, 25, text > 9 ? 15 : 18, "#fff", BOLD)}
    <g transform="translate(18 ${text === "" ? 19 : 36})" fill="${colour.pale}">${colour.sign()}</g>`;
}

function smallCard(x, y, turn) {
  return `<g transform="rotate(${turn} ${x} ${y})">
    <rect x="${x - 12}" y="${y - 17}" width="24" height="34" rx="4" fill="#fffdf6" stroke="${GOLD}"
      stroke-width="1.5"/>
    <path d="${star(x, y, 8, 8, 3.5)}" fill="${GOLD}"/></g>`;
}

function arrow(x, y, toX, toY) {
  return `<path d="M${x} ${y}L${toX} ${toY - 5}" stroke="${GOLD}" stroke-width="4"/>
    <path d="M${toX - 6} ${toY - 8}h12l-6 9z" fill="${GOLD}"/>`;
}

function gem() {
  return '<path d="M0-8L6 0 0 8-6 0z"/>';
}

function sun() {
  return `<path d="${star(0, 0, 8, 6.5, 3.6)}"/>`;
}

function leaf() {
  return '<path d="M-6 5C-6-3 0-6 6-6C6 2 2 6-3 5L-6 7z"/>';
}

function drop() {
  return '<path d="M0-7C4-1 5 1 5 3A5 5 0 0 1-5 3C-5 1-4-1 0-7z"/>';
}

function moon() {
  return '<path d="M2-6.5A6.5 6.5 0 1 0 6 3.500A5.4 5.4 0 1 1 2-6.500z"/>';
}
