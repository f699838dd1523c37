"""The form of the lobby for a new game: what it offers, and what it asks for."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from ...agents.heuristics.catalog import AgentEntry
from ...agents.levels import LEVELS
from ...agents.registry import AGENTS
from ...envs.engine.game import GAMES, Game, get_game
from ...envs.engine.settings import GameSettings
from ...errors import SettingsError, quoted
from ...eval.tournament.recorder import PERSON
from ...naming import unknown_name
from ..session.session import random_seed
from ..texts import texts_in

MAX_SEED_DIGITS = 20
RULE_ID = r"\b[A-Z]\d+\.\d+\b"


def new_game_form(language: str) -> list[dict[str, Any]]:
    """Return the choices of the new-game form, per game.

    Of each its `name`, `title`, `players` (fewest and most), `presets` and their texts, the players
    of those that are for one number only (`preset_players`), which are for research, `agents` with
    their `description`, levels first, and the main `settings`: those that have a text. A level has
    a `level`, how hard it is with its rating. A choice of a setting that is no switch has a text
    behind it. `how` says in paragraphs how the game is played. `usual` has the values of the main
    settings by preset, "" for those without one.
    """
    return [_game_form(game, texts_in(language, "shared", game.name)) for game in GAMES.values()]


def _game_form(game: Game, texts: Mapping[str, str]) -> dict[str, Any]:
    declared = {entry.name: entry.metadata for entry in fields(game.settings)}

    def choices(name: str, values: Iterable[Any]) -> list[tuple[Any, str]]:
        return [(value, texts.get(f"choice.{name}.{value}", str(value))) for value in values]

    def about(name: str) -> str:
        meaning = declared[name]["meaning"]
        rules = f" ({', '.join(re.findall(RULE_ID, meaning))})"
        return texts[f"about.{name}"] + rules if f"about.{name}" in texts else meaning

    return {
        "name": game.name,
        "title": game.title,
        "players": declared["num_players"]["range"],
        "presets": choices("preset", game.settings.PRESETS),
        "preset_players": {
            name: rules["num_players"]
            for name, rules in game.settings.PRESETS.items()
            if "num_players" in rules
        },
        "usual": {
            preset: {name: value for name, value in rules.items() if f"setting.{name}" in texts}
            for preset, rules in usual_rules(game).items()
        },
        "how": [text for key, text in texts.items() if key.startswith("how.")],
        "agents": [
            _agent(entry, texts)
            for entry in sorted(AGENTS, key=lambda entry: entry.name not in LEVELS)
            if entry.game == game.name
        ],
        "settings": [
            {
                "name": name,
                "label": texts[f"setting.{name}"],
                "about": about(name),
                "range": metadata.get("range"),
                "choices": choices(name, metadata.get("choices", ())),
            }
            for name, metadata in declared.items()
            if f"setting.{name}" in texts
        ],
    }


def usual_rules(game: Game) -> dict[str, dict[str, Any]]:
    """Return all settings by the name of a preset, "" for those without one."""
    presets = {"": dict[str, Any](), **{name: {"preset": name} for name in game.settings.PRESETS}}
    return {name: game.settings.from_dict(rules).to_dict() for name, rules in presets.items()}


def unusual_rules(game: Game, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a game, without `num_players`, that are not the usual ones.

    Where they are those of a preset, `preset` stands for them: the one that leaves the fewest
    others.
    """
    differences = []
    for preset, usual in usual_rules(game).items():
        other = {name: rules[name] for name in rules if rules[name] != usual.get(name)}
        differences.append({"preset": preset, **other} if preset else other)
    return min(differences, key=lambda difference: (len(difference), "preset" not in difference))


def _agent(entry: AgentEntry, texts: Mapping[str, str]) -> dict[str, str]:
    """Return an agent; `level` says how hard it is, with its rating, and is empty for others."""
    about, level = texts.get(f"agent.{entry.name}", entry.description), ""
    if entry.name in LEVELS and entry.game in LEVELS[entry.name].ratings:
        rating = LEVELS[entry.name].ratings[entry.game]
        level = f"{texts[f'level.{entry.name}']} ({rating})"
        about = texts["level.rated"].format(rating=rating, about=about)
    return {"name": entry.name, "description": about, "level": level}


def read_form(asked: dict[str, Any]) -> tuple[Game, GameSettings, list[str]]:
    """Return the game, the settings and the agents that a form names.

    Raises:
        GoldgriffError: Something of it cannot be.
    """
    name, agents = asked.get("game"), asked.get("agents")
    if not isinstance(name, str):
        raise SettingsError(code="game-name", given=quoted(name))
    game = get_game(name)
    if not isinstance(agents, list) or not agents:
        raise SettingsError(code="agents", given=quoted(agents))
    names = [PERSON, *(entry.name for entry in AGENTS if entry.game == game.name)]
    for agent in agents:
        if agent not in names:  # nothing else: a name could be that of a module, which would run
            raise unknown_name(SettingsError, "agent", agent, names)
    return game, game.settings.from_dict(asked.get("rules", {})), agents


def read_seed(text: Any) -> Any:
    """Return the seed that a form gives as text, a random one if it is empty.

    What is none is returned as it is: a match refuses it.
    """
    if text == "":
        return random_seed()
    is_number = isinstance(text, str) and text.isdecimal() and len(text) <= MAX_SEED_DIGITS
    return int(text) if is_number else text
