// The form for a new game. What is left as usual is not sent: the server knows what is usual.

import { $, make } from "./dom.js";
import { beginGame, keepToken } from "./api.js";
import { language, say } from "./texts.js";

const USUAL_AGENT = "level-3";
const USUAL_PLAYERS = 4;
const SEED = /^\d{0,20}$/;
const PERSON = "you"; // in the place of an agent's name

let fields = 0; // that have been made: each has an id for its label

/** Draw the form; `kinds` are the games that can be begun. */
export function drawForm(kinds) {
  const game = select("game", kinds.map(({ name, title }) => [name, title]));
  const own = make("div", "own");
  const title = make("h2", "", say("new"));
  title.id = "form-title";
  const fault = make("p");
  fault.id = "form-fault";
  fault.setAttribute("role", "alert");
  const begin = make("button", "primary", say("begin"));
  $("#form").noValidate = true; // the server says what cannot be
  const draw = () => drawOwn(own, kinds.find(({ name }) => name === game.value));
  game.addEventListener("change", draw);
  draw();
  $("#form").replaceChildren(title, labelled(say("game"), game), own, make("div", "begin", "", fault, begin));
  $("#form").onsubmit = submit;
}

/** The fields that depend on the game. */
function drawOwn(place, kind) {
  const [fewest, most] = kind.players;
  const sizes = Array.from({ length: most - fewest + 1 }, (_, more) => fewest + more);
  const players = select("players", sizes.map((size) => [size, size]));
  players.value = USUAL_PLAYERS;
  const opponents = make("div", "opponents");
  const draw = () => opponents.replaceChildren(...opponentsOf(kind, players.value - 1));
  const rules = houseRules(kind);
  const preset = rules.querySelector("[data-setting=preset]");
  const tellUsual = () => showUsual(rules, kind, preset?.value ?? "");
  const fixed = () => String(kind.preset_players[preset?.value] ?? players.value);
  players.addEventListener("change", () => {
    if (fixed() !== players.value) preset.value = "";
    tellUsual();
    draw();
  });
  preset?.addEventListener("change", () => {
    tellUsual();
    if (fixed() === players.value) return;
    players.value = fixed();
    draw();
  });
  tellUsual();
  draw();
  const seed = input("seed", "text");
  seed.inputMode = "numeric";
  place.replaceChildren(
    ...how(kind), labelled(say("players"), players), opponents, rules, labelled(say("seed"), seed),
  );
}

function opponentsOf(kind, number) {
  return Array.from({ length: number }, (_, place) => {
    const agents = select("agent", []);
    for (const [label, isLevel] of [["levels", true], ["other-agents", false]]) {
      const some = kind.agents.filter(({ level }) => Boolean(level) === isLevel);
      const names = some.map(({ name, level }) => [name, level ? `${name}: ${level}` : name]);
      agents.append(...group(say(label), names));
    }
    agents.append(new Option(say("a-person"), PERSON));
    for (const [k, { description }] of kind.agents.entries()) agents.options[k].title = description;
    const usual = kind.agents.some(({ name }) => name === USUAL_AGENT);
    agents.value = usual ? USUAL_AGENT : kind.agents[0].name;
    const made = labelled(say("opponent", { number: place + 1 }), agents);
    const about = describe(agents, "about");
    const tell = () => { about.textContent = agents.selectedOptions[0].title; };
    agents.addEventListener("change", tell);
    tell();
    made.append(about);
    return made;
  });
}

/** How a game is played, in half a page. */
function how(kind) {
  if (!kind.how.length) return [];
  const lines = kind.how.map((text) => make("p", "", text));
  return [make("details", "how", "", make("summary", "", say("how")), make("div", "", "", ...lines))];
}

function houseRules(kind) {
  const rules = kind.settings.map((setting) => labelled(setting.label, field(setting), tip(setting)));
  if (kind.presets.length) {
    rules.unshift(labelled(say("preset"), presets(kind), say("preset-about")));
  }
  return make("details", "", "", make("summary", "", say("house-rules")), make("div", "", "", ...rules));
}

/** The field of the presets: those of books, then those for research, which fix the players. */
function presets(kind) {
  const sameAs = (name) => JSON.stringify(kind.usual[name]) === JSON.stringify(kind.usual[""]);
  const [usual] = kind.presets.filter(([name]) => sameAs(name)).map(([, text]) => say("usual", { value: text }));
  const books = kind.presets.filter(([name]) => !kind.preset_players[name] && !sameAs(name));
  const made = rule(select("rule", [["", usual ?? say("as-usual")], ...books]), "preset");
  made.append(...group(say("for-research"), kind.presets.filter(([name]) => kind.preset_players[name])));
  return made;
}

/** Show in each field what its setting is if nothing is chosen. */
function showUsual(rules, kind, preset) {
  for (const setting of kind.settings) {
    const made = rules.querySelector(`[data-setting=${setting.name}]`);
    const value = valueText(setting, kind.usual[preset][setting.name]);
    if (setting.range) made.placeholder = value;
    else made.options[0].textContent = say("usual", { value });
  }
}

/** The text of a value of a setting. */
export function valueText({ choices }, value) {
  if (typeof value === "boolean") return say(value ? "forced.yes" : "forced.no");
  return new Map(choices).get(value) ?? String(value);
}

function tip({ name, about, range }) {
  return `${name}: ${about}${range ? `, ${range.join(" - ")}` : ""}`;
}

/** The field of a setting; `data-kind` says how its value is sent. */
function field({ name, range, choices }) {
  if (range) {
    const made = rule(input("rule", "number"), name, "number");
    [made.min, made.max] = range;
    return made;
  }
  const isFlag = choices.some(([value]) => value === true);
  const options = choices.map(([value]) => [value, valueText({ choices }, value)]);
  return rule(select("rule", [["", ""], ...options]), name, isFlag ? "flag" : "text");
}

function rule(made, name, kind = "text") {
  made.dataset.setting = name;
  made.dataset.kind = kind;
  return made;
}

function select(name, options) {
  const made = make("select");
  made.name = name;
  for (const [value, text] of options) made.append(new Option(text, value));
  return made;
}

/** Options under a heading; nothing where there are none. */
function group(label, options) {
  if (!options.length) return [];
  const made = make("optgroup");
  made.label = label;
  for (const [value, text] of options) made.append(new Option(text, value));
  return [made];
}

function input(name, type) {
  const made = make("input");
  made.name = name;
  made.type = type;
  return made;
}

function labelled(text, made, title = "") {
  const label = make("label", "", text);
  made.id = label.htmlFor = `field-${fields += 1}`;
  const field = make("div", "field", "", label, made);
  if (title) {
    made.title = label.title = title;
    field.append(describe(made, "about tip", title));
  }
  return field;
}

/** A text about a field, which screen readers read after its label. */
function describe(made, name, text = "") {
  const about = make("p", name, text);
  about.id = `${made.id}-about`;
  made.setAttribute("aria-describedby", about.id);
  return about;
}

async function submit(event) {
  event.preventDefault();
  const { game, players, seed } = event.target.elements;
  const of = (name) => [...event.target.querySelectorAll(`[name=${name}]`)];
  const rules = { num_players: Number(players.value) };
  for (const { dataset, value } of of("rule")) {
    if (value !== "") rules[dataset.setting] = READ[dataset.kind](value);
  }
  const agents = of("agent").map(({ value }) => value);
  $("#form-fault").textContent = faultOf(of("rule"), seed);
  if ($("#form-fault").textContent) return;
  try {
    const asked = { game: game.value, rules, agents, seed: seed.value.trim() };
    const address = await beginGame(asked, language);
    location.href = keepToken(address) + (agents.includes(PERSON) ? "#links" : "");
  } catch (error) {
    $("#form-fault").textContent = error.message;
  }
}

/** What is wrong with the numbers of the form, empty if nothing is. */
function faultOf(rules, seed) {
  const wrong = rules.find((each) => !each.validity.valid);
  const about = wrong && { label: wrong.labels[0].textContent, low: wrong.min, high: wrong.max };
  if (about) return say("not-in-range", about);
  return SEED.test(seed.value.trim()) ? "" : say("no-seed");
}

const READ = { number: Number, flag: (value) => value === "true", text: String };
