"""Listed chance is the chance that is played: every random event of the rules, by chi-square."""

from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.envs.batch import Batch
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.engine.listing import TREE_FIELDS

from .listed import BEGIN, listed, p_value, sample

SETTINGS: dict[str, dict[str, dict[str, Any]]] = {
    "auruxxx": {
        edition: {
            "num_players": 2,
            "rounds": 1,
            "hand_size": 2,
            "colours": 1,
            "highest_number": 3,
            "number_copies": 1,
            "golden_twelves": 2,
            "blessings": 1,
            "steals": 1,
            "swaps": 1,
            "edition": edition,
        }
        for edition in ("german", "italian")
    },
    "gluecksgriff": {
        name: {
            "num_players": players,
            "point_limit": 1,
            "hand_size": 2,
            "copies": 2,
            "highest_value": 2,
            "jokers": 1,
            "hourglasses": 1,
            "late_knock": 30,
            "bluffing": True,
            "penalties": True,
            "blanks": [
                {"name": effect, "points": 1, "effect": effect, "amount": 2} for effect in effects
            ],
        }
        for name, players, effects in (
            ("box", 2, ()),
            ("blanks", 3, ("draw", "swap", "look")),
        )
    },
}
COMMON = {("DEAL", "begin"), ("DRAWS", "draw")}
EVENTS = {  # what must have been met: purpose, first word of the action
    "german": COMMON | {("DRAWS", "take"), ("THEFTS", "steal")},
    "italian": COMMON | {("DRAWS", "take"), ("DRAWS", "blessing")},
    "box": COMMON | {("DRAWS", "knock"), ("KNOCKS", "knock")},
    "blanks": {("DRAWS", "draw"), ("DRAWS", "blank1")},
}


def keys(states: NDArray[Any]) -> list[bytes]:
    """What there is to see of states: all but streams and places in the deck."""
    hidden = {"seed", "streams", "slots", "_rest"} | {name for name, *_ in TREE_FIELDS}
    names = [name for name in states.dtype.names or () if name not in hidden]
    flat = [np.ascontiguousarray(states[name]).reshape(len(states), -1) for name in names]
    return [b"".join(part[row].tobytes() for part in flat) for row in range(len(states))]


def met(game: Game, settings: Any) -> Iterator[tuple[str, str, NDArray[Any], int]]:
    """Random events of random games: purpose, first word of the action, state before, action."""
    random = np.random.default_rng(5)
    batch = Batch(game, settings, 1)
    deal = game.new_states(batch.settings, 1)
    deal["hand_size"] = 1
    yield "DEAL", "begin", deal, BEGIN
    for number in range(300):
        batch.start([number])
        while not batch.over[0]:
            before = batch.states.copy()
            action = int(random.choice(np.flatnonzero(before[0]["legal"])))
            batch.step([action])
            if batch.states[0]["round_ended"] == 0:
                for stream in np.flatnonzero(batch.states[0]["streams"] != before[0]["streams"]):
                    yield (
                        purpose(game, int(stream)),
                        game.actions[action].split()[0],
                        before,
                        action,
                    )


def purpose(game: Game, stream: int) -> str:
    """The name of what a random stream is for."""
    streams = import_module(f"goldgriff.envs.{game.name}.state").Stream
    return str(max(member for member in streams if member <= stream).name)


CASES = [(game, name) for game, cases in SETTINGS.items() for name in cases]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_sampled_events_have_the_listed_probabilities(name: str, case: str) -> None:
    """Every event of the rules, in up to three positions each; several at once in either way."""
    game = GAMES[name]
    settings = game.settings(**SETTINGS[name][case])
    compared: Counter[tuple[str, str]] = Counter()
    for event, word, before, action in met(game, settings):
        if compared[event, word] == 3:
            continue
        samples = sample(game, settings, before, action, compared.total())
        counts = Counter(keys(samples))
        for multisets in (False, True):
            chances = listed(game, settings, before, action, keys, multisets=multisets)
            if not chances:
                break
            assert sum(chances.values()) == pytest.approx(1)
            assert counts.keys() <= chances.keys()
            assert p_value(counts, chances) > 1e-4
        else:
            compared[event, word] += 1
    assert EVENTS[case] <= compared.keys()
