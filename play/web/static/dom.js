// Small helpers for making elements.

export const $ = (selector) => document.querySelector(selector);

/** An element with a class, a text and children. Texts are never read as HTML. */
export function make(tag, name = "", text = "", ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== "") made.append(String(text));
  made.append(...children);
  return made;
}

/** A button that does something when clicked. */
export function button(name, text, onClick, label = "") {
  const made = make("button", name, text);
  made.type = "button";
  if (label) {
    made.title = label;
    made.setAttribute("aria-label", label);
  }
  made.addEventListener("click", onClick);
  return made;
}

/** Replace all that is in a place; the button that had the focus there has it again. */
export function replaceAll(place, children) {
  const focused = [...place.querySelectorAll("button")].indexOf(document.activeElement);
  place.replaceChildren(...children);
  place.querySelectorAll("button")[focused]?.focus();
}

/** Show a dialog with a heading; resolves when it is closed, to the value of its last button. */
export function showDialog(heading, content, buttons) {
  const dialog = $("#dialog");
  const row = make("div", "row");
  for (const [text, value] of buttons) {
    row.append(button(value === "ok" ? "primary" : "", text, () => dialog.close(value)));
  }
  const title = make("h2", "", heading);
  title.id = "dialog-title";
  dialog.replaceChildren(title, content, row);
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  row.querySelector(".primary")?.focus();
  dialog.scrollTop = 0;
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}
