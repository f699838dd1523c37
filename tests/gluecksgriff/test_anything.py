"""Any position of the right kinds: refused with a word, or played."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.state import PHASES
from goldgriff.envs.match import Match
from goldgriff.errors import PositionError

from ..envs.playing import cards_on, deck_of, random_play, started
from ..tables import hand
from .tables import new_table
from .variants import EVERYTHING, READINGS, SMALL

FIELDS = sorted(new_table(num_players=2).position())
CHANGEABLE = [
    name for name in FIELDS if name not in ("pile", "scores", "round", "decisions", "capped_rounds")
]
NAMES = st.sampled_from(["0", "1", "2", "3", "4", "5", "joker", "hourglass", "hand"])
SEATS = st.none() | st.integers(0, 2)
COUNTS = st.integers(0, 4)


def none_or_names(size: int) -> st.SearchStrategy[list[str | None]]:
    return st.lists(st.none() | NAMES, min_size=size, max_size=size)


@settings(max_examples=600, deadline=None, derandomize=True)
@given(
    position=st.fixed_dictionaries(
        {
            "hands": st.lists(st.lists(NAMES, max_size=4), min_size=3, max_size=3),
            "discard": st.lists(NAMES, max_size=5),
        },
        optional={
            "phase": st.sampled_from(PHASES),
            "last_play": COUNTS,
            "run": st.booleans(),
            "laid": COUNTS,
            "laid_kind": st.sampled_from([None, "set", "run", "low", "high", "special"]),
            "laid_low": COUNTS,
            "drawn": st.none() | NAMES,
            "current_player": st.integers(0, 2),
            "front": none_or_names(3),
            "sat_out": st.lists(st.integers(0, 1), min_size=3, max_size=3),
            "must_sit_out": st.lists(st.integers(0, 1), min_size=3, max_size=3),
            "open": none_or_names(3),
            "magician": SEATS,
            "challenged": SEATS,
            "caller": SEATS,
            "turns_left": COUNTS,
            "scores": st.lists(st.integers(0, 100), min_size=3, max_size=3),
        },
    ),
    bluffing=st.booleans(),
    prize=st.sampled_from(["one", "both"]),
    seed=st.integers(0, 2**64 - 1),
)
def test_a_made_up_position_is_refused_or_played(
    position: dict[str, Any], bluffing: bool, prize: str, seed: int
) -> None:
    variant = replace(SMALL, bluffing=bluffing, challenge_prize=prize)
    match = Match(GLUECKSGRIFF, variant)
    try:
        match.start(seed, position)
    except PositionError:
        return
    assert match.legal
    assert hand(match, 0) == sorted(position["hands"][0])
    deck = deck_of(GLUECKSGRIFF, variant)
    assert cards_on(match) == deck
    for _ in random_play(match, 20, seed % 100):
        assert match.over or cards_on(match) == deck


def altered(name: str, position: dict[str, Any], rng: random.Random) -> Any:
    """Another value of a field, of the right kind."""
    seats = [None, 0, 1, 2]
    names = [None, "1", "2", "5", "joker", "hourglass", "hand", "blank2", "blank3"]
    some: dict[str, list[Any]] = {
        **dict.fromkeys(("magician", "challenged", "caller"), seats),
        **{field: [0, 1, 2, 3] for field in ("laid", "last_play", "laid_low", "turns_left")},
        "current_player": [0, 1, 2],
        "run": [False, True],
        "laid_kind": [None, "set", "run", "low", "high", "special"],
        "phase": [*PHASES],
        "drawn": names,
    }
    each: dict[str, list[Any]] = {
        "front": [None, None, "hourglass", "blank3"],
        "open": names,
        "sat_out": [0, 1],
        "must_sit_out": [0, 1],
    }
    if name in some:
        return rng.choice(some[name])
    if name in each:
        return [rng.choice(each[name]) for _ in range(3)]
    if name == "layers":
        return [rng.choice(seats) for _ in position["discard"]]
    if name == "discard":
        return rng.sample(position["discard"], len(position["discard"]))
    hands = [list(cards) for cards in position["hands"]]
    rng.choice(hands).clear()
    return hands


@pytest.mark.parametrize("batch", range(4))
def test_a_position_like_a_real_one_is_refused_or_played(batch: int) -> None:
    """Fields changed to something of the right kind: what is accepted can be played on."""
    played, variant = Counter[str](), (EVERYTHING, READINGS)[batch % 2]
    for number in range(150):
        seed = 1000 * batch + number
        rng = random.Random(seed)
        match, again = started(GLUECKSGRIFF, variant, seed), Match(GLUECKSGRIFF, variant)
        list(random_play(match, rng.randrange(25), seed))
        position = match.position()
        if match.over:
            continue
        for name in rng.sample(CHANGEABLE, rng.randrange(1, 4)):
            position[name] = altered(name, position, rng)
        del position["pile"]
        try:
            match.start(seed, position)
        except PositionError:
            continue
        played[position["phase"]] += 1
        deck = deck_of(GLUECKSGRIFF, variant)
        assert cards_on(match) == deck, position
        for move in random_play(match, 20, seed):
            if match.over:
                break
            assert cards_on(match) == deck, (move, position)
            now = match.position()
            try:
                again.start(1, now)
            except PositionError as error:
                raise AssertionError(f"{error}: {now} after {move} from {position}") from error
            assert again.legal == match.legal, (move, position)
    assert played["play"] > 3
    assert played["lay"] > 3
