"""Who knows which cards of whose hand: each event, and whole games against a tracker of its own."""

import json
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.observation import OBSERVATION_SPEC
from goldgriff.envs.auruxxx.rules import CARDS, Settings
from goldgriff.envs.engine.state import state_dtype
from goldgriff.envs.match import Match
from goldgriff.errors import PositionError

from ..tables import cards, play
from .tables import table_with


def known(match: Match, seat: int, other: int) -> list[str]:
    """The cards that a seat knows in another hand, sorted."""
    row = match.known_cards(seat)[(other - seat) % match.settings.num_players - 1]
    return sorted(CARDS[card] for card in np.repeat(np.arange(len(CARDS)), row))


def observed(match: Match, seat: int, name: str) -> list[int]:
    raw = match.observe(seat)[0][0, OBSERVATION_SPEC.range(name)]
    return [int(count) for count in raw[: match.settings.num_players - 1]]


# --- What happens at the table ------------------------------------------------------------------
@pytest.mark.rule("A1.1")
def test_nobody_knows_a_hand_that_was_dealt() -> None:
    match = Match(AURUXXX, Settings(num_players=6))
    match.start(1)
    assert not any(match.known_cards(seat).any() for seat in range(6))


@pytest.mark.rule("A5.4")
def test_who_swaps_knows_the_hand_he_gave() -> None:
    match = table_with("swap r7 r7 gold", "b3 gold gold", "g1 g2", discard="y7")
    play(match, "swap +1")
    assert known(match, 0, 1) == cards("r7 r7 gold")
    assert known(match, 1, 0) == cards("b3 gold gold")
    assert not match.known_cards(2).any()
    assert observed(match, 0, "known") == [3, 0]
    assert observed(match, 0, "known_gold") == [1, 0]
    assert observed(match, 1, "known") == [0, 3]
    assert observed(match, 1, "known_gold") == [0, 2]


@pytest.mark.rule("A5.4")
def test_what_others_know_moves_along_with_a_hand() -> None:
    known_before = [[[], ["b3"], ["g2"]], [[], [], []], [["r7"], [], []]]
    match = table_with("r7 r8", "swap b3 b4", "g1 g2", current_player=1, known=known_before)
    play(match, "swap +1")
    assert known(match, 0, 2) == ["b3"]
    assert known(match, 0, 1) == ["g2"]
    assert known(match, 1, 2) == cards("b3 b4")
    assert known(match, 2, 1) == cards("g1 g2")
    assert known(match, 2, 0) == ["r7"]


@pytest.mark.rule("A2.3")
def test_a_card_laid_is_one_less() -> None:
    known_before = [[[], [], []], [["r7", "r7", "b3"], [], []], [["r6"], [], []]]
    match = table_with("r6 r7 r7 b3 gold", "g1 g2", "g3 g4", discard="r9", known=known_before)
    play(match, "lay r7")
    assert known(match, 1, 0) == cards("r7 b3")
    assert known(match, 2, 0) == ["r6"]


@pytest.mark.rule("A2.2")
def test_nobody_sees_a_card_drawn() -> None:
    match = table_with("swap r7", "b3 b4", "g1 g2")
    play(match, "swap +1", "draw", "draw")
    assert known(match, 1, 0) == cards("b3 b4")
    assert match.state.hand_sizes[0] == 4


@pytest.mark.rule("A5.5")
def test_of_a_theft_thief_and_victim_know_the_card() -> None:
    known_before = [[[], ["b3"], []], [[], [], []], [[], ["b3", "b3"], []]]
    match = table_with("steal r7", "b3 b3", "g1 g2", known=known_before)
    play(match, "steal")
    assert known(match, 1, 0) == ["b3"]
    assert known(match, 0, 1) == []  # the one it knew of may be the one it took
    assert known(match, 2, 1) == ["b3"]
    assert known(match, 2, 0) == []


@pytest.mark.rule("A5.5")
def test_where_the_only_card_of_a_hand_goes_everybody_sees_who_knew_it() -> None:
    nothing: list[list[str]] = [[], [], [], []]
    known_before = [nothing, nothing, [[], ["gold"], [], []], nothing]
    match = table_with("steal r7", "gold", "g1 g2", "g3", known=known_before)
    play(match, "steal")
    assert known(match, 1, 0) == known(match, 2, 0) == ["gold"]
    assert known(match, 3, 0) == []
    # As the thief knows it, only the victim is sure to know the card.
    (believed,) = match.information_state(0)["known"]
    assert [int(believed[observer, 3 - observer].sum()) for observer in (1, 2, 3)] == [1, 0, 0]


@pytest.mark.rule("A5.3")
def test_a_blessing_takes_from_every_hand_unseen() -> None:
    known_before = [[[], [], []], [[], [], ["g1", "g1", "g2"]], [[], ["b3"], []]]
    match = table_with("blessing r7", "b3", "g1 g1 g2", known=known_before)
    play(match, "blessing")
    assert known(match, 1, 0) == ["b3"]
    assert known(match, 1, 2) == ["g1"]
    assert known(match, 2, 1) == []
    assert len(known(match, 2, 0)) == 2  # the only b3, and the card taken from himself


@pytest.mark.rule("A5.8")
def test_in_the_italian_reading_nobody_learns_anything() -> None:
    for draws in ("others", "all"):
        settings = {"edition": "italian", "blessing_draws": draws}
        match = table_with("blessing steal r7", "b3", "g1", settings=settings)
        play(match, "blessing", "steal")
        assert not any(match.known_cards(seat).any() for seat in range(3))


@pytest.mark.rule("A6.2")
def test_with_the_round_all_is_forgotten() -> None:
    match = table_with("swap gold", "gold gold", "g1")
    play(match, "swap +1")
    assert known(match, 0, 1) == ["gold"]
    play(match, "lay gold")
    assert not any(match.known_cards(seat).any() for seat in range(3))


# --- The last card type ---------------------------------------------------------------------------
LAST = CARDS[-1]


@pytest.mark.rule("A5.4")
def test_the_last_card_type_moves_and_is_known_as_any_other() -> None:
    """A Kartentausch in a hand that is swapped, and known to a third player."""
    assert LAST == "swap"
    known_before = [[[], [], []], [[], [], []], [["swap"], ["swap"], []]]
    match = table_with("swap swap r7", "b3 swap swap", "g1 g2", known=known_before)
    play(match, "swap +1")
    assert known(match, 0, 1) == cards("swap r7")
    assert known(match, 1, 0) == cards("b3 swap swap")
    assert known(match, 2, 0) == ["swap"]
    assert known(match, 2, 1) == []  # the one it knew of was laid
    assert observed(match, 0, "known") == [2, 0]


@pytest.mark.rule("A5.5")
def test_the_last_card_type_is_stolen_as_any_other() -> None:
    known_before = [[[], ["swap"], []], [[], [], []], [[], ["swap", "swap"], []]]
    match = table_with("steal r7", "swap swap", "g1 g2", known=known_before)
    play(match, "steal")
    assert known(match, 1, 0) == ["swap"]
    assert known(match, 0, 1) == []
    assert known(match, 2, 1) == ["swap"]
    assert [int(match.state.known_sizes[1, seat]) for seat in (0, 2)] == [0, 1]


# --- Whole games --------------------------------------------------------------------------------
class Tracker:
    """Follows who knows what from the moves and the open hands, by the rules and nothing else."""

    def __init__(self, players: int, *, german: bool) -> None:
        self.players = players
        self.german = german
        self.forget()

    def forget(self) -> None:
        seats = range(self.players)
        self.known = {(o, h): Counter[str]() for o in seats for h in seats if o != h}

    def follow(
        self, move: str, seat: int, before: list[Counter[str]], after: list[Counter[str]]
    ) -> None:
        """Follow a move of `seat`; the hands as they were before it and are after it."""
        word, *rest = move.split()
        name = rest[0] if word == "lay" else word
        if name in ("draw", "pass", "take", "end"):
            return
        for observer in range(self.players):
            if observer != seat:
                self.known[observer, seat] -= Counter([name])
        others = [(seat + steps) % self.players for steps in range(1, self.players)]
        if word == "swap":
            self.swap(seat, (seat + int(rest[0])) % self.players, after)
        elif word in ("steal", "blessing") and self.german:
            for victim in others[:1] if word == "steal" else others:
                for card in before[victim] - after[victim]:
                    self.theft(seat, victim, card, alone=before[victim].total() == 1)

    def swap(self, seat: int, other: int, after: list[Counter[str]]) -> None:
        for observer in set(range(self.players)) - {seat, other}:
            one, two = (observer, seat), (observer, other)
            self.known[one], self.known[two] = self.known[two], self.known[one]
        self.known[seat, other] = Counter(after[other])
        self.known[other, seat] = Counter(after[seat])

    def theft(self, thief: int, victim: int, card: str, *, alone: bool) -> None:
        for observer in set(range(self.players)) - {thief, victim}:
            seen = self.known[observer, victim]
            if alone and seen:
                self.known[observer, thief][card] += 1
            self.known[observer, victim] = seen - Counter(list(seen))
        self.known[thief, victim] -= Counter([card])
        self.known[victim, thief][card] += 1


DECKS: dict[str, dict[str, Any]] = {
    "box": {},
    "small": {"colours": 2, "highest_number": 4, "hand_size": 3, "number_copies": 4, "swaps": 8},
    "thieves": {"colours": 1, "number_copies": 5, "hand_size": 2, "steals": 20, "blessings": 10},
}


def hands_of(match: Match) -> list[Counter[str]]:
    return [
        Counter({CARDS[card]: int(hand[card]) for card in np.flatnonzero(hand)})
        for hand in match.state.hands[: match.settings.num_players]
    ]


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("preset", ["german", "english", "web", "italian"])
@pytest.mark.parametrize("players", range(2, 7))
def test_whole_games_agree_with_a_tracker(players: int, preset: str, deck: str) -> None:
    rng = random.Random(f"{players} {preset} {deck}")
    rules = {"preset": preset, "num_players": players, **DECKS[deck]}
    match = Match(AURUXXX, Settings.from_dict(rules))
    tracker = Tracker(players, german=preset != "italian")
    match.start(rng.randrange(100))
    learned = 0
    for _ in range(600):
        acting = [move for move in match.legal if move.startswith(("swap", "steal", "blessing"))]
        move = rng.choice(acting if acting and rng.random() < 0.5 else match.legal)
        seat, before = match.current_player, hands_of(match)
        match.play(move)
        if match.over:
            break
        if match.state.round_ended:
            tracker.forget()
        else:
            tracker.follow(move, seat, before, hands_of(match))
        compare(match, tracker)
        learned += sum(count.total() for count in tracker.known.values())
    assert learned > 50


def compare(match: Match, tracker: Tracker) -> None:
    """The game's knowledge is the tracker's, it is true, and the sums in the record fit."""
    seats, hands = range(tracker.players), hands_of(match)
    for seat in seats:
        rows = match.known_cards(seat)
        for other in set(seats) - {seat}:
            row = rows[(other - seat) % tracker.players - 1]
            told = Counter({CARDS[card]: int(row[card]) for card in np.flatnonzero(row)})
            assert told == tracker.known[seat, other]
            assert told <= hands[other]
            assert match.state.known_sizes[other, seat] == told.total()


# --- As data ------------------------------------------------------------------------------------
def test_positions_hold_the_knowledge() -> None:
    rng = random.Random(3)
    match, again = (
        Match(AURUXXX, Settings(num_players=4, swaps=11, steals=4, blessings=0)) for _ in range(2)
    )
    match.start(3)
    for _ in range(400):
        match.play(rng.choice(match.legal))
    assert match.known_cards(match.current_player).any()
    position = match.position()
    again.start(3, json.loads(json.dumps(position)))
    assert again.position() == position
    for seat in range(4):
        assert (again.known_cards(seat) == match.known_cards(seat)).all()
        assert (again.observe(seat)[0] == match.observe(seat)[0]).all()


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"known": [[[], ["b4"]], [[], []]]}, "known: seat 0 cannot know b4 in hand 1"),
        ({"known": [[[], ["b3", "b3"]], [[], []]]}, "known: seat 0 cannot know b3 in hand 1"),
        ({"known": [[["r7"], []], [[], []]]}, "known: seat 0 cannot know r7 in hand 0"),
        ({"known": [[[], []]]}, "known must be a list of 2"),
        ({"known": [[[]], [[], []]]}, r"known\[0\] must be a list of 2"),
        ({"known": [[[], ["x"]], [[], []]]}, r"known\[0\]\[1\]\[0\]: unknown name 'x'"),
        ({"aware": [[2], []]}, r"aware\[0\]\[0\] must be a whole number from 0 to 1"),
    ],
)
def test_knowledge_that_cannot_be_is_refused(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(PositionError, match=named):
        table_with("r7 gold", "b3 gold", **wrong)


def test_the_record_stays_small() -> None:
    """Searches copy it all the time."""
    assert state_dtype(AURUXXX.state).itemsize <= 4096
