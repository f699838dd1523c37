// Several people at one table: the links of their seats, and the way to their next game.

import { $, button, make, showDialog } from "./dom.js";
import { readLinks } from "./server.js";
import { complain } from "./table.js";
import { language, say } from "./texts.js";

const OPENING = "#links"; // behind the address of a game that has just been begun

/** Whether more than one person plays. */
export const isShared = (state) => state.people.length > 1;

/** The button that shows the links, hidden until it is known that there are some. */
export function linksButton() {
  const made = button("links seldom", say("links"), showLinks);
  made.hidden = true;
  return made;
}

/** Show what depends on who plays: the host's buttons, the way to the next game. */
export function showPeople(state) {
  $("#tools .links").hidden = !state.host || !isShared(state);
  $("#tools .undo").hidden = isShared(state); // the others go by what they have seen
  for (const name of [".new", ".home"]) $(`#tools ${name}`).hidden = !state.host;
  showNext(state.next);
}

/** Show the links in a game that has just been begun. */
export async function greetHost() {
  if (location.hash !== OPENING) return;
  history.replaceState(null, "", location.pathname);
  await showLinks();
}

/** Lead to the next game of the same people. */
function showNext(address) {
  const place = $("#next");
  place.hidden = address === null;
  if (address === null) return;
  const link = make("a", "", say("next-game"));
  link.href = address;
  place.replaceChildren(link);
}

/** Show the link of each seat, with a button that copies it. */
async function showLinks() {
  try {
    const { links, local } = await readLinks(language);
    const rows = links.map(({ name, address }) => row(name, new URL(address, location.href).href));
    const about = [make("p", "", say("links-about"))];
    if (local) about.push(make("p", "", say("links-local")));
    const content = make("div", "seat-links", "", ...about, ...rows);
    await showDialog(say("links-title"), content, [[say("close"), "ok"]]);
  } catch (error) {
    complain(error);
  }
}

function row(name, address) {
  const field = make("input");
  field.readOnly = true;
  field.value = address;
  field.setAttribute("aria-label", name);
  const copy = button("", say("copy"), () => {
    field.select();
    document.execCommand("copy"); // the clipboard of `navigator` needs https
    copy.textContent = say("copied");
  }, `${say("copy")}: ${name}`);
  return make("div", "", "", make("b", "", name), field, copy);
}
