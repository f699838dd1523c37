// Begins the page: the tools that all pages have, then the game or the replay.

import { $, button, make, showDialog } from "./dom.js";
import { gameTools, startGame } from "./game.js";
import { menuButton, sideButton } from "./panels.js";
import { startReplay } from "./replay.js";
import { rewriteRules, showRules } from "./rules.js";
import { isReplay, keepToken, whenLost } from "./api.js";
import { complain } from "./table.js";
import { loadTexts, say, turnLanguage } from "./texts.js";
import { showTheme, turnTheme } from "./theme.js";

const KEYS = isReplay ? ["step"] : ["number", "arrows", "undo", "hint", "pause"];
let redraw = () => {};

async function start() {
  showTheme();
  await loadTexts();
  whenLost(showLost);
  drawTools();
  try {
    redraw = isReplay ? await startReplay() : await startGame();
  } catch (error) {
    complain(error);
  }
}

function drawTools() {
  $("#title").title = say("lobby");
  const own = isReplay ? [] : gameTools();
  $("#tools").replaceChildren(
    ...own,
    sideButton(),
    button("home", say("lobby"), () => { location.href = keepToken("/"); }),
    button("rulebook seldom", say("rules"), () => showRules()),
    button("seldom", say("language"), changeLanguage),
    button("icon seldom", "◐", turnTheme, say("theme")),
    button("icon seldom", "?", showKeys, say("keys")),
    menuButton(),
  );
}

async function changeLanguage() {
  await turnLanguage();
  drawTools();
  await redraw();
  await rewriteRules();
}

/** Say that the server is lost, as long as it is. */
function showLost(lost) {
  $("#lost").textContent = lost ? say("lost") : "";
  $("#lost").hidden = !lost;
}

function showKeys() {
  const lines = [...KEYS, "rules", "theme", "help"].map((key) => make("li", "", say(`key.${key}`)));
  return showDialog(say("keys"), make("ul", "keys", "", ...lines), [[say("close"), "ok"]]);
}

document.addEventListener("keydown", (event) => {
  if ($("#dialog").open || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "?") showKeys();
  if (key === "r") showRules();
  if (key === "t") turnTheme();
  if (key === "l") changeLanguage();
});

start();
