// The faces of Glücksgriff: a magician's stage. Trick cards go from cool to warm with their value,
// and have as many stars in the sky.

import { lettering, paper, ring, star } from "./shapes.js";

const VELVET = "#33204f";
const GOLD = "#f0c455";
const PAPER = "#fdf8ec";
const BOLD = 'font-weight="700"';
// Signs in the corners of special cards, for hands in which cards overlap.
const CROWN = "M6 24V10L11 16 15 8 19 16 24 10V24z";
const SAND = "M8 8H22C22 14 17 15 17 16.5S22 19 22 25H8C8 19 13 18 13 16.5S8 14 8 8z";

export const DEFS = "";

/** How a card has its text written on it, `dark` or `light`; empty for one without. */
export function hasCaption(name) {
  if (name.startsWith("blank")) return "dark";
  return /^\d/.test(name) ? "" : "light";
}

/** The face of a card by its name. */
export function face(name) {
  if (name.startsWith("blank")) return blank();
  return ({ joker, hourglass, hand }[name] ?? (() => trick(Number(name))))();
}

/** The back of all cards. */
export function back() {
  const stars = [[22, 28], [76, 24], [30, 110], [80, 104], [18, 72], [84, 66], [50, 20], [54, 122]];
  return `${paper(VELVET, "#1e1233")}
    <rect x="7" y="7" width="86" height="126" rx="6" fill="none" stroke="${GOLD}" opacity=".7"/>
    ${stars.map(([x, y]) => `<path d="${star(x, y, 4, 6, 1.8)}" fill="${GOLD}"/>`).join("")}
    <g transform="rotate(-32 50 70)">
      <rect x="46.5" y="50" width="7" height="56" rx="3" fill="#120a20"/>
      <rect x="46.5" y="50" width="7" height="9" fill="${PAPER}"/>
      <path d="${star(50, 42, 5, 14, 6)}" fill="${GOLD}"/>
    </g>`;
}

function trick(value) {
  const hue = Math.round(205 - value * 14.5 + (value > 10 ? -6 : 0));
  const main = `hsl(${(hue + 360) % 360} 58% 40%)`, deep = `hsl(${(hue + 360) % 360} 65% 24%)`;
  const sky = ring(50, 66, value, 35, 14);
  return `${paper(PAPER, deep)}
    <path d="M8 132V52A42 42 0 0 1 92 52V132z" fill="${main}"/>
    <path d="M8 132V118Q29 104 50 118T92 118V132z" fill="${deep}"/>
    ${sky.map(([x, y]) => `<path d="${star(x, y, 5, 4.2, 1.8)}" fill="${GOLD}"/>`).join("")}
    <circle cx="50" cy="66" r="27" fill="${PAPER}"/>
    <circle cx="50" cy="66" r="27" fill="none" stroke="${deep}" stroke-width="1.5"/>
    ${lettering(value, 50, value > 9 ? 78 : 80, value > 9 ? 34 : 40, deep, BOLD)}
    ${lettering(value, 15, 21, value > 9 ? 14 : 17, deep, BOLD)}
    ${lettering(value, 82, 129, 14, PAPER, BOLD)}`;
}

function joker() {
  return `${stage("#b3305a", "#6f1637", CROWN)}
    <path d="M50 74C30 70 24 52 14 56C18 38 36 36 44 50C44 36 56 36 56 50C64 36 82 38 86 56
      C76 52 70 70 50 74z" fill="#f0c455"/>
    <path d="M50 74C44 62 44 52 50 40C56 52 56 62 50 74z" fill="#2d6b8a"/>
    <circle cx="14" cy="58" r="4.5" fill="${PAPER}"/><circle cx="86" cy="58" r="4.5" fill="${PAPER}"/>
    <circle cx="50" cy="37" r="4.5" fill="${PAPER}"/>
    <path d="M31 72Q50 60 69 72V84A19 21 0 0 1 31 84z" fill="#ffe1b8"/>
    <circle cx="43" cy="82" r="2.8" fill="#2b1a12"/><circle cx="57" cy="82" r="2.8" fill="#2b1a12"/>
    <path d="M41 92Q50 101 59 92" fill="none" stroke="#2b1a12" stroke-width="2.2"
      stroke-linecap="round"/>
    <path d="M28 112L38 103 50 112 62 103 72 112 62 122 50 113 38 122z" fill="#2d6b8a"/>`;
}

function hourglass() {
  return `${stage("#b4762a", "#6d430f", SAND)}
    <path d="M32 38H68C68 56 54 62 54 70S68 84 68 102H32C32 84 46 78 46 70S32 56 32 38z"
      fill="${PAPER}" opacity=".92"/>
    <path d="M37 52H63C60 60 52 62 50 68C48 62 40 60 37 52z" fill="#e0a100"/>
    <path d="M34 100C36 90 45 86 50 84C55 86 64 90 66 100z" fill="#e0a100"/>
    <path d="M50 68V86" stroke="#e0a100" stroke-width="1.6"/>
    <rect x="26" y="30" width="48" height="8" rx="3" fill="#6d430f"/>
    <rect x="26" y="102" width="48" height="8" rx="3" fill="#6d430f"/>`;
}

function hand() {
  const sparks = ring(50, 48, 8, 24).map(([x, y]) => `<path d="${star(x, y, 4, 4, 1.3)}"/>`);
  return `${stage("#4b2f86", "#27164c", star(15, 16, 8, 10, 3.5))}
    <g fill="${GOLD}">${sparks.join("")}<path d="${star(50, 48, 8, 16, 6)}"/></g>
    <path d="M28 92C22 84 26 80 31 84L38 90V74A4 4 0 0 1 46 74V86 70A4 4 0 0 1 54 70V86 74
      A4 4 0 0 1 62 74V88 80A4 4 0 0 1 70 80V100C70 114 62 120 52 120C40 120 36 108 28 92z"
      fill="#ffe1b8" stroke="#27164c" stroke-width="1.5"/>`;
}

function blank() {
  return `${paper(PAPER, "#8a7a55")}
    <rect x="7" y="7" width="86" height="126" rx="6" fill="none" stroke="#c9b98e"
      stroke-dasharray="4 4"/>
    <path d="M66 34C52 40 40 60 38 84L42 86C58 80 70 62 72 40z" fill="#5a86a8"/>
    <path d="M38 84L33 100" stroke="#3a3326" stroke-width="2.5"/>
    <path d="M26 106Q40 98 50 106T76 104" fill="none" stroke="#3a3326" stroke-width="1.8"/>`;
}

/** The ground of a special card; its sign is seen where cards overlap. */
function stage(main, deep, sign) {
  return `${paper(PAPER, deep)}
    <path d="M8 132V52A42 42 0 0 1 92 52V132z" fill="${main}"/>
    <path d="M8 132V120Q29 108 50 120T92 120V132z" fill="${deep}"/>
    <path d="${sign}" fill="${deep}"/>`;
}
