"""The parameters of the games in OpenSpiel: every setting of a game, and how it is to be played.

OpenSpiel fills up what is not given with its defaults, which say here that nothing was given: -1
for numbers and flags, an empty text for everything else.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any

from ....envs.engine.game import Game
from ....envs.engine.rewards import REWARDS, WIN
from ....envs.engine.settings import GameSettings
from ....errors import SettingsError, quoted
from ....naming import unknown_name

UNSET, NO_TEXT = -1, ""
PLAYERS = 2  # where neither the parameter nor a preset says
MAX_TURNS = 240  # a round, likewise: a whole number of turns for any number of players
MAX_ROUNDS = 20  # where the rules of a game do not fix them, likewise
EXPLICIT, SAMPLED = CHANCES = "explicit", "sampled"
SHORT_TURNS = 12  # up to so many turns, of one round, information states have a tensor by default
ROWS, ROWS_PER_TURN = 64, 48  # of that tensor; seen in the presets: at most 30 and 32
_IN_TEXT = {ord(char): f"\\u{ord(char):04x}" for char in ",;()="}  # what game strings are parsed by

OWN_PARAMETERS = {
    "players": UNSET,
    "preset": NO_TEXT,
    "reward": REWARDS[WIN],
    "chance": EXPLICIT,
    "multisets": False,
    "tensor_rows": UNSET,
    "rng_seed": UNSET,
}


@dataclass(frozen=True)
class Parameters:
    """Meaning of the parameters of a game.

    Attributes:
        settings: The settings of the game.
        reward: Whose sum the returns are.
        sampled: Whether chance is sampled.
        multisets: See `Node`.
        tensor_rows: Numbers of an information state that its tensor has room for; 0: no tensor.
        rng_seed: Of sampled chance; None for another one each time.
        max_rounds: Rounds that a game has at most.
        changed: The parameters that are not defaults, in a form that OpenSpiel can write and read.
    """

    settings: GameSettings
    reward: str
    sampled: bool
    multisets: bool
    tensor_rows: int
    rng_seed: int | None
    max_rounds: int
    changed: Mapping[str, Any]


def specification(game: Game) -> dict[str, Any]:
    """Return all parameters of a game by name, with their defaults."""
    return OWN_PARAMETERS | {
        entry.name: UNSET if type(entry.default) in (int, bool) else NO_TEXT
        for entry in fields(game.settings)
        if entry.name != "num_players"
    }


def read_parameters(game: Game, parameters: Mapping[str, Any]) -> Parameters:
    """Return what the parameters of a game mean.

    Args:
        game: The game.
        parameters: Those of `specification`; left out ones have their defaults.

    Raises:
        SettingsError: A parameter is unknown or not allowed.
    """
    defaults = specification(game)
    values = {**defaults, **parameters}
    changed = {name: value for name, value in values.items() if value != defaults[name]}
    settings: Any = _read_settings(game, changed)
    for name, allowed in (("reward", REWARDS), ("chance", CHANCES)):
        if values[name] not in allowed:
            raise unknown_name(SettingsError, name, values[name], allowed)
    rounds = getattr(settings, "max_rounds", None) or getattr(settings, "rounds", None)
    if rounds is None:
        raise SettingsError("max_rounds must be at least 1: a game of OpenSpiel has an end")
    rows, turns = values["tensor_rows"], getattr(settings, "max_turns", 0)
    if rows == UNSET:
        short = rounds == 1 and 0 < turns <= SHORT_TURNS
        rows = ROWS + ROWS_PER_TURN * turns if short else 0
    if rows < 0:
        raise SettingsError(f"tensor_rows must be at least 0, not {rows}")
    for name in {"deck", "blanks"} & changed.keys():
        changed[name] = write_json(_read_json(name, changed[name]))
    sampled, multisets = values["chance"] == SAMPLED, bool(values["multisets"])
    seed = None if values["rng_seed"] == UNSET else values["rng_seed"]
    reward = values["reward"]
    return Parameters(settings, reward, sampled, multisets, rows, seed, rounds, changed)


def _read_settings(game: Game, changed: Mapping[str, Any]) -> GameSettings:
    """Return the settings among some parameters, bounded where nothing else is said."""
    defaults = {entry.name: entry.default for entry in fields(game.settings)}
    chosen = {name: value for name, value in changed.items() if name in (*defaults, "preset")}
    if "players" in changed:
        chosen["num_players"] = changed["players"]
    for name, value in chosen.items():
        if type(defaults.get(name)) is bool:
            if value not in (0, 1):
                raise SettingsError(f"{name} must be 0 or 1, not {quoted(value)}")
            chosen[name] = bool(value)
        elif type(defaults.get(name)) is tuple:
            chosen[name] = _read_json(name, value)
    resolved = game.settings.resolve(chosen)
    bounds = {"num_players": PLAYERS, "max_turns": MAX_TURNS, "max_rounds": MAX_ROUNDS}
    for name, bound in bounds.items():
        if name in defaults and name not in resolved:
            chosen[name] = bound
    return game.read_settings(chosen)


def _read_json(name: str, text: str) -> Any:
    """Read a parameter that is JSON text, in which `;` may stand for a comma."""
    with suppress(ValueError):
        return json.loads(text)
    try:
        return json.loads(text.replace(";", ","))
    except ValueError as error:
        raise SettingsError(f"{name} must be JSON text, not {quoted(text)} ({error})") from None


def write_json(value: Any) -> str:
    """Write a value as JSON text that OpenSpiel reads in a game string.

    It would be parsed at commas, brackets and equals signs: commas become `;`, and inside texts all
    of these are escaped.
    """
    text = json.dumps(value, separators=(";", ":"))
    return re.sub(r'"(\\.|[^"])*"', lambda string: string[0].translate(_IN_TEXT), text)
