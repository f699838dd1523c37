// Cards of the hand that are dragged onto the table, with a mouse, a pen or a finger.

import { $ } from "./dom.js";

const SLOP = 8; // pixels that a pointer may move in a click

/** Let a card be dragged; `onDrop()` is called when it is dropped above the hand. */
export function makeDraggable(shown, onDrop) {
  shown.addEventListener("pointerdown", (down) => {
    if (!down.isPrimary || down.button !== 0) return;
    const end = new AbortController();
    const options = { signal: end.signal };
    let copy = null;
    const stop = () => {
      end.abort();
      copy?.remove();
      shown.classList.remove("dragged");
      $("#discard").classList.remove("target");
    };
    shown.setPointerCapture(down.pointerId);
    shown.addEventListener("pointermove", (now) => {
      if (!copy && Math.hypot(now.x - down.x, now.y - down.y) < SLOP) return;
      copy ??= lift(shown);
      copy.style.translate = `${now.x - down.x}px ${now.y - down.y}px`;
      $("#discard").classList.toggle("target", isAboveHand(now));
    }, options);
    shown.addEventListener("pointerup", (up) => {
      const dropped = copy && isAboveHand(up);
      if (copy) swallowClick();
      stop();
      if (dropped) onDrop();
    }, options);
    document.addEventListener("lostpointercapture", stop, options); // also when it is drawn anew
  });
}

/** A copy of a card that follows the pointer. */
function lift(shown) {
  const box = shown.getBoundingClientRect();
  const copy = shown.cloneNode(true);
  copy.className = "card flying";
  copy.setAttribute("aria-hidden", "true");
  copy.style.setProperty("--card", `${box.width}px`);
  copy.style.left = `${box.left}px`;
  copy.style.top = `${box.top}px`;
  document.body.append(copy);
  shown.classList.add("dragged");
  return copy;
}

function isAboveHand({ x, y }) {
  const felt = $("#felt").getBoundingClientRect();
  const inside = x > felt.left && x < felt.right && y > felt.top;
  return inside && y < $("#hand").getBoundingClientRect().top;
}

/** Ignore the click that may follow when a dragged card is dropped. */
function swallowClick() {
  const swallow = (event) => event.stopPropagation();
  addEventListener("click", swallow, { capture: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
}
