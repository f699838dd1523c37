// Cards that fly where a move took them. Events of other kinds are not shown so.

import { back, card } from "./cards.js";
import { $ } from "./dom.js";
import { lasts } from "./pace.js";

const LAID = ["lay", "add", "run", "low", "high", "swap", "knock.drawn"];
const STEP = 420; // milliseconds that one card flies

/** Whether the browser is not set to reduced motion. */
export function isLively() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Show what the entries of a log brought; resolves when all has come to rest. */
export async function showMoves(entries, ownSeat) {
  if (!isLively()) return;
  for (const entry of entries) {
    const [from, to] = way(entry, ownSeat);
    if (from && to && lasts(STEP)) await fly(entry, from, to);
  }
}

/** From where to where the card of an entry goes. */
function way(entry, ownSeat) {
  const place = (seat) => (seat === ownSeat ? $("#hand") : $(`.player[data-seat="${seat}"]`));
  const mine = place(entry.seat), discard = $("#discard"), pile = $("#pile");
  const [verb] = entry.kind.split(".");
  if (LAID.includes(entry.kind)) return [mine, discard];
  if (verb === "draw" && entry.kind !== "draw.none") return [pile, mine];
  if (verb === "take") return [discard, mine];
  if (["steal", "pick", "grab"].includes(verb) && entry.kind !== "steal.none") {
    return [place(entry.other), mine];
  }
  if (verb === "give" || verb === "effect") return [mine, place(entry.other)];
  return [null, null];
}

async function fly(entry, from, to) {
  const flying = entry.cards.length ? card(entry.cards[0]) : back();
  flying.classList.add("flying");
  document.body.append(flying);
  const [start, end] = [middle(from, flying), middle(to, flying)];
  const frames = [
    { transform: `translate(${start.x}px, ${start.y}px) rotate(-6deg)` },
    { transform: `translate(${end.x}px, ${end.y}px) rotate(3deg)` },
  ];
  const motion = flying.animate(frames, { duration: lasts(STEP), easing: "cubic-bezier(.3,.7,.3,1)" });
  await motion.finished.catch(() => null);
  flying.remove();
}

function middle(element, flying) {
  const box = element.getBoundingClientRect();
  return {
    x: box.x + (box.width - flying.offsetWidth) / 2,
    y: box.y + (box.height - flying.offsetHeight) / 2,
  };
}
