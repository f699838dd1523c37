// What the page asks of the server; where it does not answer, until it does.

import { isKept, session } from "./storage.js";

// A game of another table than the first has an address that begins with that of its table.
const parts = location.pathname.split("/");
const number = parts.pop();
const kind = parts.pop();
const table = parts.join("/");

// The token of a seat comes with the address, which then forgets it, if the tab remembers it. Each tab has its own: the last,
// and that of each game, for the way back from the lobby. One of a seat begins with its number; the
// host's is good for all games.
const query = new URLSearchParams(location.search);
const place = `token of ${table}/${number}`;
const token = query.get("token") ?? session.getItem(place) ?? session.getItem("token");
if (token && number) {
  session.setItem("token", token);
  if (/^\d+-.{22}$/.test(token)) session.setItem(place, token);
  else session.removeItem(place);
}
if (isKept && query.has("token")) {
  query.delete("token");
  const rest = query.toString();
  history.replaceState(null, "", location.pathname + (rest && `?${rest}`) + location.hash);
}

/** Whether the page shows a stored game rather than one that is played. */
export const isReplay = kind === "replay";
export const gameNumber = Number(number);

const RETRY = 1000; // milliseconds between two tries to reach a server that is lost
let tell = () => {};
let unanswered = 0; // requests that are tried again

/** Have `callback(lost)` called when the server is lost, and when it is there again. */
export function whenLost(callback) {
  tell = callback;
}

/** The game as it stands; null when it is still at `version`. */
export function readGame(language, version = "") {
  return fetchJson(`${table}/api/games/${number}?lang=${language}&version=${version}`);
}

/** Change the game by `move`, `step` or `undo`; returns how it stands then.
 *
 * Made on an older version nothing is changed: then, too, it is the game as it stands.
 */
export function changeGame(what, language, version, action = null) {
  return post(`${table}/api/games/${number}/${what}?lang=${language}`, { version, action });
}

/** What an agent would do. */
export function askHint(language) {
  return fetchJson(`${table}/api/games/${number}/hint?lang=${language}`);
}

/** The address of a page beside this one: `game` or `replay`, and its number. */
export function addressOf(page, game) {
  return keepToken(`${table}/${page}/${game}`);
}

/** The address of the next game of the same people, who keep their tokens. */
export function withToken(address) {
  return token && !address.includes("?token=") ? `${address}?token=${token}` : address;
}

/** An address of this server; it has the token where the tab would forget it. */
export function keepToken(address) {
  return isKept ? address : withToken(address);
}

/** The games that there are, and the kinds of games that can be begun. */
export function readLobby(language) {
  return fetchJson(`/api/lobby?lang=${language}`);
}

/** Begin the game that a form describes; resolves to its address. */
export async function beginGame(asked, language) {
  const id = crypto.getRandomValues(new Uint32Array(4)).join("-"); // by which a second try is known
  return (await post(`/api/lobby?lang=${language}`, { ...asked, id })).address;
}

/** Begin the game after this one as it was at `version`; resolves to its number. */
export async function nextGame(language, version) {
  return (await post(`${table}/api/games/${number}/next?lang=${language}`, { version })).number;
}

/** Delete a game by the address of its page; of several people with its token, which only whoever began it has. */
export function deleteGame(address, language) {
  const [table, number] = address.split(/\/(?:game|replay)\//);
  const own = session.getItem(`token of ${table}/${number}`) ?? token;
  return post(`${table}/api/games/${number}/delete?lang=${language}`, {}, own);
}

/** Call the person by a name for the others; resolves to what is left of it. */
export async function sendName(name, language) {
  return (await post(`${table}/api/games/${number}/name?lang=${language}`, { name })).name;
}

/** The links of all seats of this game, for who began it. */
export function readLinks(language) {
  return fetchJson(`${table}/api/games/${number}/links?lang=${language}`);
}

/** A stored game after so many moves. */
export function readReplay(game, moves, language) {
  return fetchJson(`${table}/api/replays/${game}?at=${moves}&lang=${language}`);
}

/** The analysis of a stored game, as far as it goes, without the decisions that are known. */
export function readAnalysis(game, known, language) {
  return fetchJson(`${table}/api/replays/${game}/analysis?known=${known}&lang=${language}`);
}

/** The rules of a game, in blocks. */
export function readRules(game, language) {
  return fetchJson(`/api/rules/${game}?lang=${language}`);
}

/** The texts of the page. */
export function readTexts(language) {
  return fetchJson(`/api/texts?lang=${language}`);
}

function post(path, body, own = token) {
  const headers = { "Content-Type": "application/json" };
  return fetchJson(path, { method: "POST", headers, body: JSON.stringify(body) }, own);
}

async function fetchJson(path, options = {}, own = token) {
  const headers = { ...options.headers, ...(own && { Authorization: `Bearer ${own}` }) };
  const answer = await reach(path, { ...options, headers });
  if (answer.status === 204) return null;
  const data = await answer.json();
  if (!answer.ok && answer.status !== 409) throw new Error(data.error);
  return data;
}

/** Fetch; where the server cannot be reached, try again until it can.
 *
 * A change of a game that is asked for twice is made once: the second time it names an older version.
 * So is a game begun once.
 */
async function reach(path, options) {
  let lost = false;
  for (;;) {
    try {
      const answer = await fetch(path, options);
      unanswered -= lost;
      if (lost && unanswered === 0) tell(false);
      return answer;
    } catch {
      unanswered += !lost;
      lost = true;
      tell(true);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY));
  }
}
