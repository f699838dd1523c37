// The lobby: the games that there are, and the form for a new one.

import { $, button, make } from "./dom.js";
import { drawForm, valueText } from "./form.js";
import { deleteGame, keepToken, readLobby } from "./api.js";
import { count, language, loadTexts, say, turnLanguage } from "./texts.js";
import { showTheme, turnTheme } from "./theme.js";

async function show() {
  $("#tools").replaceChildren(
    button("", say("language"), changeLanguage),
    button("icon", "◐", turnTheme, say("theme")),
  );
  document.title = `${say("lobby")} · Goldgriff`;
  try {
    const { games, faults, kinds } = await readLobby(language);
    drawForm(kinds);
    drawGames(games, faults, kinds);
  } catch (error) {
    $("#games").replaceChildren(make("p", "", error.message));
  }
}

async function changeLanguage() {
  await turnLanguage();
  await show();
}

function drawGames(games, faults, kinds) {
  const lists = [["running", false], ["finished", true]].flatMap(([key, over]) => {
    const some = games.filter((game) => game.over === over);
    return some.length ? [make("h2", "", say(key)), make("ul", "", "", ...some.map((game) => shown(game, kinds)))] : [];
  });
  const shownLists = lists.length ? lists : [make("p", "", say("none-yet"))];
  $("#games").replaceChildren(...shownLists, ...faults.map((fault) => make("p", "", fault)));
}

function shown(game, kinds) {
  const link = make("a", "", say("kept-game", { title: game.title, number: game.number }));
  link.href = keepToken(game.address);
  const others = game.people.length - 1;
  const people = others > 0 ? [count("person", others)] : [];
  const players = game.players.map((name) => name.replaceAll("-", "\u2011")); // which breaks no line
  const names = [...people, ...players].join(", ");
  const about = [say(game.seat === null ? "watched" : "against", { names }), ...resultOf(game)];
  const more = make("div", "", detailsOf(game, kinds).join(" · "));
  const name = say("kept-game", { title: game.title, number: game.number });
  const gone = button("delete", say("delete"), () => remove(game), `${say("delete")}: ${name}`);
  return make("li", "", "", link, " ", make("span", "", about.join(" · ")), gone, more);
}

/** What tells a game from others: when it was begun, its round, rules other than the usual ones. */
function detailsOf(game, kinds) {
  const when = game.begun === null ? [] : [say("begun", { time: asTime(game.begun) })];
  const round = game.round === null ? [] : [say("round", { number: game.round })];
  const rules = rulesOf(game.rules, kinds.find(({ name }) => name === game.game));
  return [...when, ...round, ...(rules.length ? [say("rules-of", { rules: rules.join(", ") })] : [])];
}

/** A time as the browser writes it in the language of the page. */
function asTime(seconds) {
  const own = navigator.languages.find((each) => each.startsWith(language)) ?? language;
  return new Date(1000 * seconds).toLocaleString(own, { dateStyle: "medium", timeStyle: "short" });
}

/** Rules in words; those without words are told in one. */
function rulesOf(rules, kind) {
  const { preset, ...others } = rules;
  const told = preset ? [new Map(kind.presets).get(preset)] : [];
  const known = kind.settings.filter(({ name }) => (others[name] ?? null) !== null);
  for (const setting of known) told.push(`${setting.label}: ${valueText(setting, others[setting.name])}`);
  return known.length < Object.keys(others).length ? [...told, say("other-rules")] : told;
}

function resultOf({ points, share }) {
  if (share === null) return [];
  const scored = points === null ? [] : [count("point", points).replace(" ", "\u00a0")];
  return [say(share > 0 ? "you-won" : "you-lost"), ...scored];
}

/** Delete a game, if the person agrees. */
async function remove(game) {
  const title = say("kept-game", { title: game.title, number: game.number });
  if (!confirm(`${title}: ${say("delete")}?\n${say("delete-about")}`)) return;
  try {
    await deleteGame(game.address, language);
    await show();
  } catch (error) {
    $("#games").append(make("p", "", error.message));
  }
}

showTheme();
await loadTexts();
await show();
