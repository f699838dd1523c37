"""Pairs of games that differ only in what one seat does not know look alike to it at every door.

The cards that the seat cannot place are dealt anew, by the position alone, and what the others know
is forgotten or not; then both games are played on with the same moves. A failure names the seed;
`pytest tests/attacks/test_pairs.py -k SEED` plays it again. The page has a test of its own
(`test_server.py`).
"""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.aec import CardGameEnv
from goldgriff.envs.batch import Batch
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.preview import Previewer
from goldgriff.envs.match import Match
from goldgriff.envs.policy import ObservationBatch, observation_batch
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.envs.vector import SingleAgentVectorEnv
from goldgriff.errors import PositionError

from .settings import GAMES, random_settings

CASES = [
    pytest.param(name, seed, id=f"{name}-{seed}") for name in GAMES for seed in range(301, 309)
]
LONG_CASES = [
    pytest.param(name, seed, id=f"{name}-{seed}", marks=pytest.mark.long)
    for name in GAMES
    for seed in range(401, 501)
]
PAIRS, LONG_PAIRS = 12, 150  # for each seed
LONGEST = 15  # moves that a pair is played on
HISTORY = 24
BITS = np.arange(2, dtype=np.uint64)
# Moves of others whose outcome may show what was hidden, or gives the seat other cards.
TELLING = ("blessing", "steal", "swap", "lay gold", "hand", "challenge", "grab", "blank", "call",
           "fend off")  # fmt: skip


class Side:
    """One game of a pair, at all doors at once."""

    def __init__(self, game: Game, settings: Any, seat: int) -> None:
        self.game, self.settings, self.seat = game, settings, seat
        self.env = CardGameEnv(game, settings, knowledge=True, history=HISTORY)
        self.batch = Batch(game, settings, 1, out=(None, None, None), history=HISTORY)
        self.previewer = Previewer(game)
        alone: dict[str, Any] = {"player": seat, "history": HISTORY}
        self.single = SingleAgentEnv(game, settings, **alone)
        self.vector = SingleAgentVectorEnv(game, settings, 1, **alone)

    @property
    def match(self) -> Match:
        return self.env.match

    def begin(self, seed: int, position: dict[str, Any]) -> None:
        options = {"position": position}
        self.env.reset(seed=seed, options=options)
        self.batch.start(np.array([seed]), position=position)
        self.learner: list[Any] = []
        if self.match.current_player == self.seat:  # else the others, who see more, play first
            self.learner = [self.single.reset(seed=seed, options=options)[0]]
            self.learner += [self.single.action_masks(), self.single.render()]
            self.learner += [*self.vector.reset(seed=seed, options=options)]

    def play(self, action: int) -> None:
        self.env.step(action)
        self.batch.step(np.array([action]))
        self.learner = []

    def views(self) -> dict[str, Any]:
        """What the seat is given at each door."""
        match, seat, seats = self.match, self.seat, np.array([self.seat])
        to_move = match.current_player == seat
        given = (
            observation_batch(self.batch, self.batch.rows, BITS[:1], information_states=True),
            match.observation_batch(information_states=True),
        )
        return {
            "Match.observe": match.observe(seat),
            "Match.observe_all": match.observe_all()[seat],
            "Match.known_cards": match.known_cards(seat),
            "Match.events": match.events(seat),
            "Match.information_state": match.information_state(seat),
            "Match.sample_states": match.sample_states(seat, BITS),
            "Match.draw": match.draw(seat),
            "picture": repr(self.game.show_table(match.state, seat, [])),
            "current player": (match.current_player, match.scores, match.capped_rounds),
            "Match.raw": (match.raw, match.observation, match.mask) if to_move else None,
            "AEC": self.env.observe(self.env.possible_agents[seat]),
            "Batch.observe": self.batch.observe(seats),
            "Batch.observe_history": self.batch.observe_history(seats),
            "Batch out=": (
                (self.batch.observations, self.batch.masks, self.batch.history) if to_move else None
            ),
            "agents and search": (
                [(one.raw, one.masks, one.scaled, one.information_states) for one in given]
                if to_move and not match.over
                else None
            ),
            "Previewer.features": self.previews(given[0]) if to_move and not match.over else None,
            "one learner": self.learner,
        }

    def previews(self, batch: ObservationBatch) -> list[Any]:
        """The features of the state and of its actions."""
        states: Any = batch.information_states
        base_actions = np.array([-1])
        state, actions = self.previewer.features(states, batch.raw, batch.masks, base_actions)
        return [state, *actions]


def plain(view: Any) -> Any:
    """A view as plain values, which can be compared."""
    if isinstance(view, dict):
        return {name: plain(one) for name, one in view.items()}
    if isinstance(view, list | tuple):
        return [plain(one) for one in view]
    return view.tobytes() if isinstance(view, np.ndarray) else view


def twin_of(position: dict[str, Any], seat: int, rng: random.Random) -> dict[str, Any]:
    """A position that a seat cannot tell from this one; what it cannot know is dealt anew."""
    hands, known = position["hands"], position["known"]
    players, mover = range(len(hands)), position["current_player"]
    others = [other for other in players if other != seat]
    hidden = list(position["pile"])
    for other in others:
        hidden += (Counter(hands[other]) - Counter(known[seat][other])).elements()
    rng.shuffle(hidden)
    dealt = {
        other: [hidden.pop() for _ in range(len(hands[other]) - len(known[seat][other]))]
        for other in others
    }
    new_hands = [
        hands[seat] if other == seat else [*known[seat][other], *dealt[other]] for other in players
    ]
    twin = position | {"hands": new_hands, "pile": hidden}
    if position.get("drawn") and isinstance(position["drawn"], str) and mover != seat:
        twin["drawn"] = rng.choice(dealt[mover])
    twin["known"] = [
        [
            known[one][other]
            if one == seat or (other == seat and (one in position["aware"][seat]))
            else []
            for other in players
        ]
        for one in players
    ]
    return twin


def pair_of(
    match: Match, seat: int, rng: random.Random
) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Two positions that a seat cannot tell apart; None where no other deal was found."""
    position, twin = match.position(), Match(match.game, match.settings)
    for _ in range(20):
        other = twin_of(position, seat, rng)
        try:
            twin.start(0, other)
        except PositionError:  # a run that the new hand cannot complete, for one
            continue
        return position, other
    return None


def is_telling(match: Match, move: str) -> bool:
    phase, settings = match.position()["phase"], match.settings.to_dict()
    return (
        move.startswith(TELLING)
        or phase in ("drawn", "open", "magic", "prize", "grab")
        or (move == "knock" and settings["late_knock"] > 0)
    )


def choose(sides: list[Side], rng: random.Random) -> str | None:
    """A move that is legal in both games."""
    both = sorted(set(sides[0].match.legal) & set(sides[1].match.legal))
    return rng.choice(both) if both else None


def compare(sides: list[Side], done: str) -> None:
    one, other = (side.views() for side in sides)
    for door in one:
        assert plain(one[door]) == plain(other[door]), f"{door} after {done}"


def attack(name: str, seed: int, pairs: int) -> Counter[str]:
    """Play pairs of games of random settings; what was compared."""
    rng, game, seen = random.Random(f"{name} {seed}"), GAMES[name], Counter[str]()
    settings = random_settings(game, rng)
    match = Match(game, settings)
    match.start(seed)
    try:
        for _ in range(pairs):
            for _ in range(rng.randint(1, 40)):
                match.play(rng.choice([m for m in match.legal if m != "call"] or match.legal))
                if match.over:
                    match.start(rng.randrange(2**64))
            seat = rng.randrange(settings.num_players)
            pair = pair_of(match, seat, rng)
            if pair is not None:
                sides = [Side(game, settings, seat) for _ in pair]
                for side, position in zip(sides, pair, strict=True):
                    side.begin(rng.randrange(2**64), position)
                seen["pairs"] += 1
                seen["other hands"] += pair[0]["hands"] != pair[1]["hands"]
                play_on(sides, rng, seen)
    except AssertionError as error:
        raise AssertionError(f"seed {seed}: {error}: {settings}") from error
    return seen


def play_on(sides: list[Side], rng: random.Random, seen: Counter[str]) -> None:
    """Compare a pair, and play it on while the seat learns nothing of what is different."""
    one = sides[0].match
    compare(sides, "the deal")
    for _ in range(LONGEST):
        move = choose(sides, rng)
        if move is None:
            return
        own = one.current_player == sides[0].seat
        telling = own or is_telling(one, move)
        for side in sides:
            side.play(side.game.actions.index(move))
        if any(side.match.state.round_ended for side in sides):
            return
        looks = [plain(side.match.observe(side.seat)) for side in sides]
        if telling and looks[0] != looks[1]:
            return
        drawn = [plain(side.views()["Match.events"]) for side in sides] if own else [0, 0]
        if drawn[0] != drawn[1]:  # the same cards, but from other hands
            return
        compare(sides, move)
        seen["moves"] += 1
        seen["moves of others"] += not telling
        seen["previews"] += one.current_player == sides[0].seat


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_a_pair_looks_alike(name: str, seed: int) -> None:
    attack(name, seed, PAIRS)


@pytest.mark.parametrize(("name", "seed"), LONG_CASES)
def test_a_pair_looks_alike_for_long(name: str, seed: int) -> None:
    attack(name, seed, LONG_PAIRS)


@pytest.mark.parametrize("name", GAMES)
def test_pairs_differ_and_are_played_on(name: str) -> None:
    seen = sum((attack(name, seed, PAIRS) for seed in range(351, 355)), Counter[str]())
    assert seen["pairs"] > 40
    assert seen["other hands"] > seen["pairs"] / 2
    assert seen["moves of others"] > seen["pairs"]
    assert seen["previews"] > seen["pairs"] / 4
