// Several people at one table: their names, the links of their seats, the way to their next game.

import { $, button, make, showDialog } from "./dom.js";
import { keepToken, readLinks, sendName, withToken } from "./api.js";
import { local, session } from "./storage.js";
import { complain } from "./table.js";
import { language, say } from "./texts.js";

const LONGEST = 20; // characters of a name
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
  $("#tools .new").hidden = !state.host;
  showHome(state.host);
  showNext(state.next);
}

/** Show the way to all games, or none. */
export function showHome(host) {
  $("#tools .home").hidden = !host;
  $("#title").title = host ? say("lobby") : "";
  if (host) $("#title").href = keepToken("/");
  else $("#title").removeAttribute("href");
}

/** Ask for the person's name where the tab has not done so yet, and tell it the server.
 *
 * A server that was started again does not know it. The tab keeps it: on one machine, each may have
 * another person.
 */
export async function introduce(state) {
  if (!isShared(state)) return;
  if (session.getItem("name") === null) await askName(state);
  else if (session.getItem("name") !== state.called) await tellName(session.getItem("name"));
}

async function askName(state) {
  const field = nameInput(state.called || (local.getItem("name") ?? ""));
  field.setAttribute("aria-label", say("your-name"));
  field.addEventListener("keydown", ({ key }) => { if (key === "Enter") $("#dialog").close("ok"); });
  const content = make("div", "your-name", "", field, make("p", "", say("name-about")));
  const answer = showDialog(say("your-name"), content, [[say("done"), "ok"]]);
  field.focus();
  await tellName(await answer === "ok" ? field.value : "");
}

/** A field of the settings that changes the person's name. */
export function nameField(state) {
  const field = nameInput(state.called);
  field.addEventListener("change", () => tellName(field.value));
  return make("label", "", say("your-name"), field);
}

function nameInput(name) {
  const field = make("input");
  field.maxLength = LONGEST;
  field.value = name;
  return field;
}

async function tellName(name) {
  try {
    const known = await sendName(name, language);
    session.setItem("name", known);
    if (known) local.setItem("name", known);
  } catch (error) {
    complain(error);
  }
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
  link.href = withToken(address);
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
