"""Nothing hidden shows: games that differ only in what a seat cannot know look the same to it."""

import copy
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.engine import kernels
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.observation import OBSERVATION_SPEC
from goldgriff.envs.gluecksgriff.rules import CARDS, Blank, Settings
from goldgriff.envs.gluecksgriff.state import Phase
from goldgriff.envs.match import Match

BLANKS = tuple(
    Blank(name=effect, points=points, effect=effect, amount=2)
    for points, effect in ((4, "look"), (9, "swap"), (12, "draw"), (15, "joker"))
)
TABLES = (
    Settings(num_players=2, magic_hands=3),
    Settings(
        num_players=4,
        bluffing=True,
        penalties=True,
        magic_hands=4,
        fend_off="turn",
        challenge_prize="both",
        joker_knock="wide",
    ),
    Settings(num_players=3, bluffing=True, blanks=BLANKS, magic_hands=4, late_knock=30),
)


def known_to(state: Any, seat: int, other: int) -> Any:
    """The cards that a seat knows to be in another hand, by card type."""
    steps = (other - seat) % int(state.num_players)
    return state.known[seat, steps - 1].astype(int)


def twin_of(match: Match, seat: int, rng: np.random.Generator) -> Match:
    """Another game that `seat` cannot tell from this one: what it does not know is dealt anew."""
    twin = copy.deepcopy(match)
    state = twin.state
    others = [other for other in range(match.settings.num_players) if other != seat]
    in_pile = state.slots[: state.deck_size] < 128
    hidden = [int(card) for card in state.slots[: state.deck_size][in_pile]]
    for other in others:
        unknown = state.hands[other] - known_to(state, seat, other)
        assert (unknown >= 0).all(), "a seat is sure of a card that is not there"
        hidden += np.repeat(np.arange(len(CARDS)), unknown).tolist()
    rng.shuffle(hidden)
    for other in others:
        hand = known_to(state, seat, other)
        for _ in range(int(state.hand_sizes[other] - hand.sum())):
            hand[hidden.pop()] += 1
        state.hands[other] = hand
    kinds = state.slots[: state.deck_size] % 128
    for card in range(len(CARDS)):
        slots = np.flatnonzero(kinds == card)
        state.slots[slots] = card + 128
        state.slots[slots[: hidden.count(card)]] = card
    if state.phase == Phase.DRAWN and state.current_player != seat:
        state.drawn = rng.choice(np.flatnonzero(state.hands[state.current_player]))
    state.streams[:] = rng.integers(2**63, size=len(state.streams), dtype=np.uint64)
    kernels.list_legal_each(twin._states)
    return twin


@pytest.mark.parametrize("settings", TABLES, ids=lambda s: f"{s.num_players} players")
def test_nothing_hidden_shows(settings: Settings) -> None:
    rng = np.random.default_rng(0)
    match, compared, known = Match(GLUECKSGRIFF, settings), 0, 0
    for seed in range(3):
        match.start(seed)
        while not match.over and len(match.moves) < 600:
            for seat in range(settings.num_players):
                twin = twin_of(match, seat, rng)
                for one, other in zip(match.observe(seat), twin.observe(seat), strict=True):
                    assert (one == other).all(), match.draw()
                compared += 1
                known += int(match.observe(seat)[0][0, OBSERVATION_SPEC.range("known")].sum() > 0)
            for _ in range(2):
                if not match.over:
                    moves = [move for move in match.legal if move != "call"]
                    match.play(str(rng.choice(moves or match.legal)))
    assert compared > 1000
    assert known > 200  # the twins keep what is known


def test_a_card_taken_openly_stays_known() -> None:
    match = Match(GLUECKSGRIFF, Settings(num_players=3))
    hands = [["9", "9", "4"], ["8", "1"], ["12", "12"]]
    match.start(1, {"hands": hands, "discard": ["3"]})
    match.play("lay 9")
    match.play("take")
    known = OBSERVATION_SPEC.start("known")
    raw = match.observe(1)[0][0]  # player_0 sits 2 seats on from player_1
    assert raw[known + len(CARDS) + CARDS.index("3")] == 1
    assert raw[OBSERVATION_SPEC.range("known")].sum() == 1
    for move in ("lay 8", "draw", "keep", "lay 12", "draw", "keep", "lay 3", "draw", "keep"):
        match.play(move)
    assert match.observe(1)[0][0][OBSERVATION_SPEC.range("known")].sum() == 0


def test_a_hand_looked_at_is_known_to_who_looked_alone() -> None:
    blanks = (Blank(name="spyglass", points=5, effect="look"),)
    match = Match(GLUECKSGRIFF, Settings(num_players=3, blanks=blanks))
    hands = [["blank1", "4"], ["8", "1"], ["12", "12", "joker"]]
    match.start(1, {"hands": hands, "discard": ["3"]})
    match.play("blank1 +2")
    start = OBSERVATION_SPEC.start("known") + len(CARDS)
    seen = match.observe(0)[0][0][start : start + len(CARDS)]
    assert [CARDS[card] for card in np.repeat(np.arange(len(CARDS)), seen)] == ["12", "12", "joker"]
    assert match.observe(1)[0][0][OBSERVATION_SPEC.range("known")].sum() == 0


def test_others_are_not_told_which_card_was_grabbed() -> None:
    """Who knew two cards of the deceiver's hand is sure of neither when one has left it."""
    settings = Settings(num_players=3, bluffing=True, hand_size=3)
    match = Match(GLUECKSGRIFF, settings)
    hands = [["hand", "14"], ["9", "9", "1"], ["12", "12"]]
    known = [[[], [], []], [[], [], []], [[], ["9", "1"], []]]
    play = {"discard": ["5", "6", "7"], "last_play": 3, "run": True}
    match.start(1, {"hands": hands, "known": known, **play})
    for move in ("hand", "open 9", "open 12", "challenge +1"):
        match.play(move)
    assert match.state.known[0, 0].sum() == 3  # the challenger has seen the whole hand
    grabbed = [copy.deepcopy(match) for _ in range(2)]
    grabbed[0].play("grab 9")
    grabbed[1].play("grab 1")
    observations = [game.observe(2)[0][0][OBSERVATION_SPEC.range("known")] for game in grabbed]
    assert (observations[0] == observations[1]).all()
    assert observations[0].sum() == 0
