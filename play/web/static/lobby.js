// The lobby: the games that there are, and the form for a new one.

import { $, button, make } from "./dom.js";
import { drawForm } from "./form.js";
import { readLobby } from "./server.js";
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
    drawGames(games, faults);
  } catch (error) {
    $("#games").replaceChildren(make("p", "", error.message));
  }
}

async function changeLanguage() {
  await turnLanguage();
  await show();
}

function drawGames(games, faults) {
  const lists = [["running", false], ["finished", true]].flatMap(([key, over]) => {
    const some = games.filter((game) => game.over === over);
    return some.length ? [make("h2", "", say(key)), make("ul", "", "", ...some.map(shown))] : [];
  });
  const shownLists = lists.length ? lists : [make("p", "", say("none-yet"))];
  $("#games").replaceChildren(...shownLists, ...faults.map((fault) => make("p", "", fault)));
}

function shown(game) {
  const link = make("a", "", say("kept-game", { title: game.title, number: game.number }));
  link.href = game.address;
  const others = game.people.length - 1;
  const people = others > 0 ? [count("person", others)] : [];
  const players = game.players.map((name) => name.replaceAll("-", "\u2011")); // which breaks no line
  const names = [...people, ...players].join(", ");
  const about = [say(game.seat === null ? "watched" : "against", { names }), ...resultOf(game)];
  return make("li", "", "", link, " ", make("span", "", about.join(" · ")));
}

function resultOf({ points, share }) {
  if (points === null) return [];
  return [say(share > 0 ? "you-won" : "you-lost"), count("point", points).replace(" ", "\u00a0")];
}

showTheme();
await loadTexts();
await show();
