"""The options that several commands have."""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..envs.engine.game import GAMES, get_game
from ..envs.engine.settings import GameSettings
from ..envs.engine.threads import cores
from ..errors import GoldgriffError, SettingsError
from .options import Options, named_values, option


def _game_name(text: str) -> str:
    """Return the name of the game that was given, in whatever way; for argparse."""
    try:
        return get_game(text).name
    except GoldgriffError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _rules_help() -> str:
    presets = {name: ", ".join(game.settings.PRESETS) for name, game in GAMES.items()}
    return (
        "settings of the game (`goldgriff settings GAME` lists them), values as in JSON: "
        "max_decisions=1000; preset=NAME for settings of a book or for research: "
    ) + "; ".join(f"{names} ({game})" for game, names in presets.items() if names)


@dataclass(kw_only=True)
class GameOptions(Options):
    """A game and its settings.

    Attributes:
        game: Its name.
        rules: Its settings.
    """

    game: str = option(type=_game_name, help=f"one of: {', '.join(GAMES)}")
    rules: list[str] = option((), metavar="NAME=VALUE", help=_rules_help())

    def rule_values(self) -> dict[str, Any]:
        """Return the settings that `--rules` names. Raises SettingsError."""
        rules = named_values("--rules", self.rules)
        if "num_players" in rules and getattr(self, "players", None) is not None:
            raise SettingsError(code="given-twice", name="num_players")
        return rules


@dataclass(kw_only=True)
class TableOptions(GameOptions):
    """A game for one number of players.

    Attributes:
        players: Number of players (default: the preset's, or 4).
    """

    players: int | None = None

    def settings(self) -> GameSettings:
        """Return the settings of the game, with the number of players. Raises SettingsError."""
        players = {} if self.players is None else {"num_players": self.players}
        return get_game(self.game).settings.from_dict({**self.rule_values(), **players})


@dataclass(kw_only=True)
class TablesOptions(GameOptions):
    """A game for one number of players or several.

    Attributes:
        players: Number of players, or several numbers (default: the preset's, or 4).
    """

    players: list[int] | None = None


@dataclass(kw_only=True)
class JsonOptions(Options):
    """Output for scripts.

    Attributes:
        json: Print the results as JSON, nothing else.
    """

    json: bool = False


@dataclass(kw_only=True)
class TrustOptions(Options):
    """A folder whose files may name agents.

    Attributes:
        out: Folder of what is written.
        trust: Import, run and download what files in DIR name as module:Class or hf://user/name.
    """

    out: Path | None = None
    trust: bool = False


@dataclass(kw_only=True)
class ResumeOptions(TrustOptions):
    """A folder that keeps what is done, so that the command can go on after it was stopped.

    Attributes:
        resume: Continue what was begun in DIR, with its settings.
    """

    resume: bool = False


@dataclass(kw_only=True)
class RayOptions(Options):
    """Work on other machines.

    Attributes:
        ray: Work on a Ray cluster in place of processes of this machine: HOST:PORT of its head, or
            auto for one that runs on this machine; without ADDRESS Ray starts on this machine.
    """

    ray: str | bool = option(False, nargs="?", const=True, metavar="ADDRESS")


@dataclass(kw_only=True)
class WorkersOptions(RayOptions):
    """Work in several processes.

    Attributes:
        workers: Number of worker processes (default: the number of available cores).
    """

    workers: int | None = None

    def num_workers(self) -> int:
        """Return the number of worker processes. Raises SettingsError for `--ray` beside it."""
        if self.workers is None:
            return cores()
        if self.ray:
            raise SettingsError("give --workers or --ray: on Ray the cluster's processors work")
        return self.workers
