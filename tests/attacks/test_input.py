"""Input at fault: positions as Python objects, made of whatever there is."""

import contextlib
import copy
import random
from collections import OrderedDict, UserDict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.errors import MAX_QUOTED, GoldgriffError, PositionError, quoted
from goldgriff.eval.workers.ray import connect

RULES: dict[str, dict[str, Any]] = {
    "auruxxx": {},
    "gluecksgriff": {"bluffing": True, "penalties": True},
}


class Touchy:
    """Raises whatever is done with it."""

    __hash__ = object.__hash__

    def __eq__(self, _: object) -> bool:
        raise ZeroDivisionError

    def __repr__(self) -> str:
        raise RecursionError

    def __deepcopy__(self, _: object) -> "Touchy":
        raise MemoryError


def nested(depth: int) -> Any:
    made: Any = []
    for _ in range(depth):
        made = [made]
    return made


STRANGE: list[Any] = [
    *(None, True, False, -1, 0, 1, 255, 256, 2**31, 2**63, 2**64, -(2**63), 10**5000),
    *(0.5, 1.0, -0.0, 1e300, float("nan"), float("inf"), 3 + 4j, Fraction(1, 2)),
    *("", "x", "gold", "7", "\ud800", "a" * 10_000, b"gold", bytearray(b"x")),
    *([], {}, (), set(), frozenset({1}), [None], [[]], [[[]]], {"": 0}, nested(3000)),
    *(np.int64(1), np.uint8(255), np.float64(0.5), np.bool_(True), np.str_("gold")),
    *(np.zeros(2, int), np.zeros((2, 2)), np.array("gold"), np.array(["gold"]), np.nan),
    *(range(3), iter([]), object(), int, len, ..., NotImplemented, Touchy(), [Touchy()]),
    *(UserDict(a=1), OrderedDict(a=1), {1: 2}, {None: None}, {Touchy(): 1}, {("a",): 1}),
]


def positions(game: Game, chance: random.Random, count: int) -> list[dict[str, Any]]:
    """Positions of random games."""
    found: list[dict[str, Any]] = []
    while len(found) < count:
        players = chance.randrange(2, 5)
        settings = game.settings.from_dict({**RULES[game.name], "num_players": players})
        match = Match(game, settings)
        match.start(chance.randrange(2**32))
        for _ in range(chance.randrange(120)):
            if match.over:
                break
            match.act(int(chance.choice(np.flatnonzero(match.mask).tolist())))
        if not match.over:
            found.append(match.position())
    return found


def mutate(given: Any, chance: random.Random) -> Any:
    """Change something somewhere in a position."""
    if isinstance(given, dict | list) and given and chance.random() < 0.9:
        if isinstance(given, list) and chance.random() < 0.2:
            return chance.choice([tuple(given), given[1:], given * 2, np.array(given, object)])
        places: list[Any] = [*given] if isinstance(given, dict) else [*range(len(given))]
        place = chance.choice(places)
        if isinstance(given, dict) and chance.random() < 0.1:
            given[chance.choice([1, None, (), "x", np.int64(3), Touchy()])] = given.pop(place)
        else:
            given[place] = mutate(given[place], chance)
        return given
    if type(given) is int and abs(given) < 2**62 and chance.random() < 0.5:
        return chance.choice([np.int64(given), float(given), str(given), -given, given + 1])
    return chance.choice(STRANGE)


def attack(game: Game, number: int, seed: int) -> None:
    """Start matches in mutated positions; nothing but GoldgriffError may come of it."""
    print(f"seed {seed}")  # shown where it fails
    chance, said = random.Random(seed), list[str]()
    whole = positions(game, chance, 20)
    for _ in range(number):
        given = copy.deepcopy(chance.choice(whole))
        players = len(given["hands"])
        for _ in range(chance.choice([1, 1, 2, 3])):
            given = mutate(given, chance)
        settings = game.settings.from_dict({**RULES[game.name], "num_players": players})
        match = Match(game, settings)
        try:
            match.start(1, given)
        except GoldgriffError as error:
            said.append(str(error))
        else:
            for _ in range(30):
                if not match.over:
                    match.act(int(np.flatnonzero(match.mask)[0]))
    assert len(said) > number / 2
    assert all(len(line.splitlines()) == 1 and len(line) < 2000 for line in said)


both = pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=lambda game: game.name)


@both
def test_a_position_at_fault_is_refused_whatever_it_is_made_of(game: Game) -> None:
    attack(game, 300, 1)


@pytest.mark.long
@both
@pytest.mark.parametrize("seed", range(501, 509))
def test_thousands_of_positions_at_fault_are_refused(game: Game, seed: int) -> None:
    attack(game, 500, seed)


@both
@pytest.mark.parametrize("given", STRANGE, ids=range(len(STRANGE)))
def test_what_is_no_position_is_refused(game: Game, given: Any) -> None:
    match = Match(game, game.settings.from_dict({}))
    if given is not None:
        with pytest.raises(PositionError):
            match.start(1, given)
    if not (type(given) is dict and not given):
        with pytest.raises(GoldgriffError):
            game.settings.from_dict(given)
    with pytest.raises(GoldgriffError):
        game.settings.from_dict({"preset": given})
    with pytest.raises(GoldgriffError):
        game.settings.from_dict({"num_players": given})


@both
@pytest.mark.parametrize("given", STRANGE, ids=range(len(STRANGE)))
def test_what_is_no_deck_and_no_setting_of_a_preset_is_refused(game: Game, given: Any) -> None:
    deck = dict.fromkeys(game.cards, 1)
    card = next(iter(deck))
    settings: list[dict[str, Any]] = [{"deck": given}, {"deck": deck | {card: given}}]
    settings += [{"deck": [(card, given)]}, {"deck": [(given, 1)]}, {"max_turns": given}]
    settings += [{"preset": "tiny-a", name: given} for name in game.settings.FIXED]
    for one in settings:
        with contextlib.suppress(GoldgriffError):  # some are settings
            made = game.settings.from_dict(one)
            assert game.settings.from_dict(made.to_dict()) == made


@pytest.mark.parametrize("given", STRANGE, ids=range(len(STRANGE)))
def test_what_was_given_is_quoted_in_a_line(given: Any) -> None:
    assert quoted(given).isprintable()
    assert 0 < len(quoted(given)) <= MAX_QUOTED


def test_an_address_that_no_name_server_takes_is_refused() -> None:
    with pytest.raises(GoldgriffError, match="no Ray cluster answers at"), connect(f"{'a' * 70}:1"):
        pass
