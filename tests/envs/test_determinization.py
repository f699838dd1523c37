"""Information states and the states sampled from them, in both games."""

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine import kernels
from goldgriff.envs.engine.deck import TAKEN
from goldgriff.envs.engine.determinization import FULL_WEIGHT, CardWeights, uniform_weights
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.state import state_at
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match

EFFECTS = ("look", "swap", "draw", "joker", "swap", "sit_out", "plain")
BLANKS = [
    {"name": effect, "points": 4 + place, "effect": effect, "amount": 2}
    for place, effect in enumerate(EFFECTS)
]
THIEVES = {"colours": 2, "number_copies": 3, "hand_size": 4, "swaps": 12, "steals": 12}
VARIANTS: dict[str, tuple[Game, dict[str, Any]]] = {
    "auruxxx-2": (AURUXXX, {"num_players": 2}),
    "auruxxx-4": (AURUXXX, {"num_players": 4}),
    "auruxxx-6": (AURUXXX, {"num_players": 6, **THIEVES}),
    "auruxxx-italian": (AURUXXX, {"num_players": 3, "preset": "italian"}),
    "auruxxx-web": (AURUXXX, {"num_players": 3, "preset": "web", **THIEVES}),
    "auruxxx-english": (AURUXXX, {"num_players": 4, "preset": "english", **THIEVES}),
    "gluecksgriff-2": (GLUECKSGRIFF, {"num_players": 2, "magic_hands": 3}),
    "gluecksgriff-4": (
        GLUECKSGRIFF,
        {
            "num_players": 4,
            "bluffing": True,
            "penalties": True,
            "magic_hands": 4,
            "blanks": BLANKS,
            "challenge_prize": "both",
            "joker_knock": "wide",
        },
    ),
    "gluecksgriff-5": (
        GLUECKSGRIFF,
        {"num_players": 5, "bluffing": True, "late_knock": 30, "hand_size": 5, "blanks": BLANKS},
    ),
}
variants = pytest.mark.parametrize("variant", VARIANTS)
RARE = ("hand", "open", "challenge", "grab", "pick", "take", "blank", "swap", "steal", "run")
ROW = np.zeros(1, np.int64)


def positions(variant: str, count: int, seed: int = 0) -> Iterator[tuple[Match, int]]:
    """Yield positions of random games, each with some seat; revealing moves are preferred."""
    game, settings = VARIANTS[variant]
    rng = random.Random(seed)
    match = Match(game, game.settings.from_dict(settings))
    match.start(rng.randrange(1000))
    for _ in range(count):
        rare = [move for move in match.legal if move.startswith(RARE)]
        legal = [move for move in match.legal if move != "call"] or match.legal
        match.play(rng.choice(rare if rare and rng.random() < 0.5 else legal))
        if match.over:
            match.start(rng.randrange(1000))
        yield match, rng.randrange(match.settings.num_players)


def new_states(match: Match, count: int = 1) -> NDArray[Any]:
    return match.game.new_states(match.settings, count)


def information_state(match: Match, games: NDArray[Any], seat: int) -> NDArray[Any]:
    """Return the information state of a seat in the first of some games."""
    out = new_states(match)
    kernels.information_states(games, ROW, np.array([seat]), out)
    return out


def samples(
    match: Match,
    known: NDArray[Any],
    seat: int,
    random_bits: NDArray[np.uint64],
    weights: CardWeights | None = None,
) -> NDArray[Any]:
    """Return a state sampled for each of the random bits; by even weights, if none are given."""
    out, rows = new_states(match, len(random_bits)), np.zeros(len(random_bits), np.int64)
    weights = uniform_weights(len(match.game.cards)) if weights is None else weights
    kernels.sample_states(known, rows, np.full(len(random_bits), seat), random_bits, weights, out)
    return out


def draw_bits(count: int, seed: int = 0) -> NDArray[np.uint64]:
    return np.random.default_rng(seed).integers(2**64, size=count, dtype=np.uint64)


def twin_of(match: Match, seat: int, rng: np.random.Generator) -> NDArray[Any]:
    """Return a game that differs in all that a seat cannot know and in nothing else."""
    twin = match._states.copy()
    state, others = state_at(twin, 0), set(range(match.settings.num_players)) - {seat}
    known = {
        other: match.known_cards(seat)[(other - seat) % match.settings.num_players - 1].astype(int)
        for other in others
    }
    slots = state.slots[: state.deck_size]
    types = range(len(match.game.cards))
    unseen = [int(card) for card in slots[slots < TAKEN]]
    for other in others:
        unseen += np.repeat(types, state.hands[other] - known[other]).tolist()
    rng.shuffle(unseen)
    for other in others:
        missing = int(state.hand_sizes[other] - known[other].sum())
        dealt, unseen = unseen[:missing], unseen[missing:]
        state.hands[other] = known[other] + np.bincount(dealt, minlength=len(types))
        if match.game is GLUECKSGRIFF and state.drawn >= 0 and state.current_player == other:
            state.drawn = rng.choice(dealt)
    for card in types:
        copies = np.flatnonzero(slots % TAKEN == card)
        slots[copies] = card + TAKEN
        slots[rng.permutation(copies)[: unseen.count(card)]] = card
    state.seed = rng.integers(2**63)
    state.streams[:] = rng.integers(2**63, size=len(state.streams))
    if state.current_player in others:
        state.legal[:] = rng.integers(2, size=len(state.legal))
    forget(match, state, others)
    return twin


def forget(match: Match, state: Any, others: set[int]) -> None:
    """Let the others know nothing of each other's hands."""
    players = match.settings.num_players
    for other in others:
        for about in others - {other}:
            state.known[other, (about - other) % players - 1] = 0
            state.known_sizes[about, other] = 0


# --- Hiding -------------------------------------------------------------------------------------
@variants
def test_games_that_differ_in_what_is_hidden_are_the_same_to_the_seat(variant: str) -> None:
    rng = np.random.default_rng(1)
    for match, seat in positions(variant, 300):
        twin = twin_of(match, seat, rng)
        assert twin.tobytes() != match._states.tobytes()
        known = information_state(match, match._states, seat)
        assert information_state(match, twin, seat).tobytes() == known.tobytes()
        assert information_state(match, known, seat).tobytes() == known.tobytes()


@variants
def test_what_the_seat_sees_is_left(variant: str) -> None:
    for match, seat in positions(variant, 200, seed=2):
        known = information_state(match, match._states, seat)
        raw, mask = match.observe(seat)
        seen, legal = np.empty_like(raw), np.empty_like(mask)
        kernels.observe_each(known, ROW, np.array([seat]), seen, legal)
        assert (seen == raw).all()
        assert (legal == mask).all()


def test_a_seat_keeps_what_it_has_shown() -> None:
    match = Match(AURUXXX, AURUXXX.settings.from_dict({"num_players": 3}))
    match.start(1, {"hands": [["swap", "r7"], ["b3", "b4"], ["g1"]], "discard": ["y9"]})
    match.play("swap +1")
    known = state_at(information_state(match, match._states, 1), 0)
    left = {match.game.cards[card] for *_, card in np.argwhere(known.known)}
    assert left == {"b3", "b4", "r7"}  # what player_1 knows, and what it knows to be known
    assert not state_at(information_state(match, match._states, 2), 0).known.any()


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("steps", range(1, 4))
def test_both_keep_what_they_have_shown_by_a_swap_and_nobody_else(seat: int, steps: int) -> None:
    match = Match(AURUXXX, AURUXXX.settings.from_dict({"num_players": 4}))
    hands, other = [["r1"], ["y2"], ["g3"], ["b4"]], (seat + steps) % 4
    (shown,), (seen,) = hands[seat][:], hands[other][:]
    hands[seat].append("swap")
    match.start(1, {"hands": hands, "discard": ["y9"], "current_player": seat})
    match.play(f"swap +{steps}")
    both = {(seat, steps - 1, shown), (other, 3 - steps, seen)}
    for viewer in range(4):
        known = state_at(information_state(match, match._states, viewer), 0)
        left = {(one, row, match.game.cards[card]) for one, row, card in np.argwhere(known.known)}
        assert left == (both if viewer in (seat, other) else set())
        sums = np.zeros((4, 4), int)
        for one, row, _ in left:
            sums[(one + row + 1) % 4, one] += 1
        assert (known.known_sizes[:4, :4] == sums).all()


def test_what_third_players_know_of_a_hand_swapped_for_is_hidden() -> None:
    """Player_1 had this hand before player_2, and player_0 cannot tell which cards it held."""
    seen = []
    for card in ("b3", "g5"):
        match = Match(AURUXXX, AURUXXX.settings.from_dict({"num_players": 3}))
        hands = [["swap", "r1"], ["y1"], ["r7", "b3", "g5"]]
        known = [[[], [], []], [[], [], ["r7", card]], [[], [], []]]
        match.start(1, {"hands": hands, "discard": ["y9"], "known": known})
        match.play("swap +2")
        assert match.known_cards(1)[1].sum() == 2
        seen.append(information_state(match, match._states, 0).tobytes())
    assert seen[0] == seen[1]


# --- Sampling ------------------------------------------------------------------------------------
@variants
def test_a_sampled_state_has_the_information_state_it_comes_from(variant: str) -> None:
    checked = 0
    for step, (match, seat) in enumerate(positions(variant, 500, seed=3)):
        known = information_state(match, match._states, seat)
        state = samples(match, known, seat, draw_bits(1, step))
        assert information_state(match, state, seat).tobytes() == known.tobytes()
        checked += int(match.known_cards(seat).any())
    assert variant == "auruxxx-italian" or checked > 20


@variants
def test_sampled_states_are_whole_games_of_the_same_deck(variant: str) -> None:
    public = ("discard", "current_player", "phase", "scores", "round", "decisions")
    for step, (match, seat) in enumerate(positions(variant, 60, seed=4)):
        known = information_state(match, match._states, seat)
        games = samples(match, known, seat, draw_bits(2, step))
        for row in range(2):
            one, other = match.position(), match.game.write_position(state_at(games, row))
            assert [one[name] for name in public] == [other[name] for name in public]
            assert one["hands"][seat] == other["hands"][seat]
            assert [*map(len, one["hands"])] == [*map(len, other["hands"])]
            assert all_cards(one) == all_cards(other)
            Match(match.game, match.settings).start(1, other)  # refuses what cannot arise


def all_cards(position: dict[str, Any]) -> Counter[str]:
    return Counter(
        card
        for pile in (*position["hands"], position["discard"], position["pile"])
        for card in pile
    )


@variants
def test_sampled_states_can_be_played_to_the_end(variant: str) -> None:
    seeds = draw_bits(4, 5)
    for step, (match, seat) in enumerate(positions(variant, 120, seed=5)):
        if step % 40:
            continue
        known = information_state(match, match._states, seat)
        games = samples(match, known, seat, draw_bits(4, step))
        rows, rewards = np.arange(4), np.zeros((4, match.settings.num_players), np.float32)
        for turn in range(200_000):
            rows = rows[games["over"][rows] == 0]
            if not len(rows):
                break
            assert games["legal"][rows].any(axis=1).all()
            actions = np.empty(len(rows), np.int64)
            kernels.pick_random(games["legal"][rows].astype(np.int8), seeds[rows], turn, actions)
            batch = match._batch
            kernels.step_each(games, rows, actions, 0, rewards, batch._resets, batch._out)
        assert games["over"].all()


@pytest.mark.parametrize("variant", ["auruxxx-4", "gluecksgriff-4"])
def test_unseen_cards_lie_anywhere_with_the_same_chance(variant: str) -> None:
    """Means of each card type in each hand over sampled states, against the share of its size."""
    *_, (match, seat) = positions(variant, 60, seed=6)
    count, players = 20_000, match.settings.num_players
    known = information_state(match, match._states, seat)
    hands = samples(match, known, seat, draw_bits(count))["hands"].astype(np.int64)
    state = state_at(known, 0)
    slots = state.slots[: state.deck_size]
    unseen = np.bincount(slots[slots < TAKEN], minlength=len(match.game.cards))
    for other in set(range(players)) - {seat}:
        dealt = hands[:, other] - state.hands[other]
        share = (int(state.hand_sizes[other]) - int(state.hands[other].sum())) / unseen.sum()
        error = np.sqrt(unseen * share * (1 - share) / count) + 1e-9
        assert (np.abs(dealt.mean(axis=0) - unseen * share) < 5 * error).all()
    assert len(np.unique(hands.reshape(count, -1), axis=0)) > count / 2


@pytest.mark.parametrize("variant", ["auruxxx-4", "gluecksgriff-4"])
def test_states_are_sampled_by_weights(variant: str) -> None:
    """As NumPy draws without replacement by weights."""
    *_, (match, seat) = positions(variant, 60, seed=6)
    rng, random_bits, types = np.random.default_rng(3), draw_bits(4000), len(match.game.cards)
    known = information_state(match, match._states, seat)
    others = [other for other in range(match.settings.num_players) if other != seat]
    state = state_at(known, 0)
    slots = state.slots[: state.deck_size]
    unseen = slots[slots < TAKEN].astype(int)
    weights = rng.choice([0.1, 0.5, 1.0], types)
    dealt = samples(match, known, seat, random_bits, (weights * FULL_WEIGHT).astype(np.uint64))
    counts = (dealt["hands"].astype(int) - state.hands)[:, others].sum(axis=1)
    missing = int(state.hand_sizes[others].sum() - state.hands[others].sum())
    assert (counts.sum(axis=1) == missing).all()
    expected, probabilities = (
        np.zeros((len(random_bits), types)),
        weights[unseen] / weights[unseen].sum(),
    )
    for row in expected:
        np.add.at(row, rng.choice(unseen, missing, replace=False, p=probabilities), 1)
    error = np.sqrt((counts.var(axis=0) + expected.var(axis=0)) / len(random_bits))
    assert (np.abs(counts.mean(axis=0) - expected.mean(axis=0)) <= 4 * error).all()


@variants
def test_equal_random_bits_give_equal_states(variant: str) -> None:
    *_, (match, seat) = positions(variant, 40, seed=7)
    known = information_state(match, match._states, seat)
    one, same, other = samples(match, known, seat, np.array([1, 1, 2], np.uint64))
    assert one.tobytes() == same.tobytes() != other.tobytes()


def test_a_match_samples_from_its_information_state() -> None:
    *_, (match, seat) = positions("auruxxx-4", 40, seed=7)
    dealt = match.sample_states(seat, draw_bits(50))
    known = information_state(match, match._states, seat)
    assert dealt.tobytes() == samples(match, known, seat, draw_bits(50)).tobytes()
    others = [(seat + steps) % 4 for steps in (1, 2, 3)]
    assert (dealt["hands"][:, others] >= match.known_cards(seat)).all()
    assert (dealt["hands"][:, seat] == match.state.hands[seat]).all()


# --- Compiled or not ----------------------------------------------------------------------------
def fingerprint(variant: str) -> str:
    """Return a digest of information states and sampled states along a game."""
    digest = hashlib.sha256()
    for step, (match, seat) in enumerate(positions(variant, 150, seed=8)):
        digest.update(match._states.tobytes())
        if step % 5 == 0:
            known = information_state(match, match._states, seat)
            digest.update(known.tobytes())
            digest.update(samples(match, known, seat, draw_bits(1, step)).tobytes())
    return digest.hexdigest()


def test_sampled_states_are_the_same_compiled_or_not(run_fresh: Callable[..., str]) -> None:
    chosen = ("auruxxx-6", "gluecksgriff-4")
    code = (
        f"from tests.envs import test_determinization as t; print(*map(t.fingerprint, {chosen!r}))"
    )
    assert run_fresh(code).split() == [fingerprint(variant) for variant in chosen]
