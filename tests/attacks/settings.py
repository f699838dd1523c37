"""Settings at random: every field, presets and blank cards included."""

import random
from dataclasses import fields
from typing import Any

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.rules import EFFECTS
from goldgriff.envs.gluecksgriff.rules import Settings as GluecksgriffSettings
from goldgriff.errors import SettingsError

GAMES = {game.name: game for game in (AURUXXX, GLUECKSGRIFF)}
CAPS = (3000, 3000, 3000, 200, 17, 1)  # on decisions


def random_settings(game: Game, rng: random.Random) -> Any:
    """Settings that can be dealt; most fields keep their defaults."""
    while True:
        given: dict[str, Any] = {"max_decisions": rng.choice(CAPS)}
        if rng.random() < 0.4:
            given["preset"] = rng.choice(sorted(game.settings.PRESETS))
        for entry in fields(game.settings):
            if entry.name in given or rng.random() < 0.6:
                continue
            if "range" in entry.metadata:
                low, high = entry.metadata["range"]
                given[entry.name] = rng.randint(low, min(high, low + 12))
            elif "choices" in entry.metadata:
                given[entry.name] = rng.choice(entry.metadata["choices"])
        if game.settings is GluecksgriffSettings and rng.random() < 0.5:
            given["blanks"] = [random_blank(rng) for _ in range(rng.randint(1, 7))]
        try:
            return game.settings.from_dict(given)
        except SettingsError:
            continue


def random_blank(rng: random.Random) -> dict[str, Any]:
    effect = rng.choice(EFFECTS)
    return {
        "name": effect, "points": rng.randint(0, 50), "effect": effect, "amount": rng.randint(1, 5)
    }  # fmt: skip
