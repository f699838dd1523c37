"""Listed chance is the chance that is played: every random event of the rules, by chi-square."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from goldgriff.envs.engine.compile import kernel
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.engine.listing import new_tree_states, outcome_weight
from goldgriff.envs.engine.protocol import apply, begin
from goldgriff.envs.engine.rng import derive

BEGIN = -1  # in place of an action
SAMPLES, MOST_OUTCOMES = 3000, 2000
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


@kernel
def sample(states: Any, action: int, seed: np.uint64) -> None:
    """Play an action, or begin, in many states with random streams of their own."""
    for k in range(len(states)):
        state = states[k]
        state.seed = derive(seed, k)
        for stream in range(len(state.streams)):
            state.streams[stream] = derive(state.seed, stream)
        if action == BEGIN:
            begin(state)
        else:
            apply(state, action)


@kernel
def follow(states: Any, action: int) -> None:
    """Play an action in the only state."""
    apply(states[0], action)


@kernel
def play(states: Any, action: int) -> None:
    """Play an action of the first state, or begin, in the second one by the script."""
    states[1] = states[0]
    state = states[1]
    state.num_events = state.num_outcomes = state.drawn_in_all = 0
    if action == BEGIN:
        begin(state)
    else:
        apply(state, action)


@kernel
def weights(states: Any, written: Any) -> None:
    """Write the weights of the outcomes of the event that is open."""
    for place in range(len(written)):
        written[place] = outcome_weight(states[1], place)


def keys(states: NDArray[Any]) -> list[bytes]:
    """What there is to see of states: all but streams and places in the deck."""
    hidden = {"seed", "streams", "slots", "_rest"}
    names = [name for name in states.dtype.names or () if name not in hidden]
    flat = [np.ascontiguousarray(states[name]).reshape(len(states), -1) for name in names]
    return [b"".join(part[row].tobytes() for part in flat) for row in range(len(states))]


def listed(states: NDArray[Any], action: int, fields: list[str]) -> dict[bytes, float]:
    """Every result of an action with its probability, by scripts one longer each time."""
    found: dict[bytes, float] = defaultdict(float)
    scripts: list[tuple[list[int], float]] = [([], 1.0)]
    while scripts:
        script, chance = scripts.pop()
        states[0]["script_size"] = len(script)
        states[0]["script"][: len(script)] = script
        play(states, action)
        count = int(states[1]["num_outcomes"])
        if count == 0:
            found[keys(states[1:][fields])[0]] += chance
            if len(found) > MOST_OUTCOMES:
                return {}
            continue
        written = np.zeros(count)
        weights(states, written)
        outcomes = states[1]["outcomes"][:count].tolist()
        parts = (written / written.sum()).tolist()
        scripts += [
            ([*script, outcome], chance * part)
            for outcome, part in zip(outcomes, parts, strict=True)
        ]
    return found


def met(game: Game, settings: dict[str, Any]) -> Iterator[tuple[str, str, NDArray[Any], int]]:
    """Random events of random games: purpose, first word of the action, state before, action."""
    random = np.random.default_rng(5)
    states = game.new_states(game.settings(**settings), 1)
    deal = states.copy()
    deal["hand_size"] = 1
    yield "DEAL", "begin", deal, BEGIN
    for number in range(300):
        sample(states, BEGIN, np.uint64(number))
        while states[0]["over"] == 0:
            before = states.copy()
            action = int(random.choice(np.flatnonzero(states[0]["legal"])))
            follow(states, action)
            if states[0]["round_ended"] == 0:
                for stream in np.flatnonzero(states[0]["streams"] != before[0]["streams"]):
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
    game, settings = GAMES[name], SETTINGS[name][case]
    compared: Counter[tuple[str, str]] = Counter()
    for event, word, before, action in met(game, settings):
        if compared[event, word] == 3:
            continue
        fields = list(before.dtype.names or ())
        samples = np.repeat(before, SAMPLES)
        sample(samples, action, np.uint64(sum(compared.values())))
        counts = Counter(keys(samples))
        for multisets in (False, True):
            tree = new_tree_states(game, game.settings(**settings), 2, multisets=multisets)
            for field in set(fields) - {"_rest"}:
                tree[field] = before[field]
            chances = listed(tree, action, fields)
            if not chances:
                break
            assert sum(chances.values()) == pytest.approx(1)
            assert counts.keys() <= chances.keys()
            assert p_value(counts, chances) > 1e-4
        else:
            compared[event, word] += 1
    assert EVENTS[case] <= compared.keys()


def p_value(counts: Counter[bytes], chances: dict[bytes, float]) -> float:
    """How probable counts are that deviate at least as much; rare results are put together."""
    expected, observed, rare = [], [], np.zeros(2)
    for key, chance in chances.items():
        if chance * SAMPLES < 5:
            rare += (chance * SAMPLES, counts[key])
        else:
            expected.append(chance * SAMPLES)
            observed.append(counts[key])
    if rare[0] > 0:
        expected.append(rare[0])
        observed.append(int(rare[1]))
    return float(chisquare(observed, expected).pvalue) if len(expected) > 1 else 1.0
