"""Random games through the engine and through the slow reference: they agree after every move."""

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import Settings
from goldgriff.envs.match import Match

from .reference import COLOURS, Chance, Deal, Reference

DECISIONS = 4200  # a configuration, shared among the policies


@dataclass(frozen=True)
class Variant:
    """Settings to compare, and the rare things that must have happened under them."""

    name: str
    settings: Settings
    must_see: tuple[str, ...] = ("round over",)
    decisions: int = DECISIONS


# A policy is the weight of each kind of move: the first word that a move's name starts with.
POLICIES: dict[str, dict[str, float]] = {
    "uniform": {},
    "layer": {"lay": 30, "draw": 2, "end": 0.3, "pass": 0.1},
    "actor": {"blessing": 20, "steal": 20, "swap": 20, "lay": 0.5, "draw": 0.3},
    "seeker of gold": {"lay gold": 1000, "lay": 10, "blessing": 30, "steal": 30, "pass": 0.1},
    "passer": {"pass": 20, "lay": 2, "draw": 0.5},
    "layer of 2s and 50s": {
        **{f"lay {colour}{number}": 50.0 for colour in COLOURS for number in (2, 50)},
        "lay": 5,
        "end": 0.2,
        "pass": 5,
    },
    "drawer": {"draw": 30, "end": 30, "pass": 0.1},
}

LITTLE: dict[str, Any] = {"highest_number": 3, "fifties": 1, "happy_men": 1, "golden_twelves": 3}
FEW_ACTIONS: dict[str, Any] = {"blessings": 2, "steals": 2, "swaps": 2}
NO_ACTIONS: dict[str, Any] = {"blessings": 0, "steals": 0, "swaps": 0}

BOOKS: dict[str, dict[str, Any]] = {
    "german": {},
    "english": {"after_action": "lay"},
    "web": {"edition": "web"},
    "web, lay": {"edition": "web", "after_action": "lay"},
    "italian": {"edition": "italian"},
    "italian, all draw": {"edition": "italian", "blessing_draws": "all"},
    "italian, all draw, lay": {
        "edition": "italian",
        "blessing_draws": "all",
        "after_action": "lay",
    },
}
FORCED = ("forced to lay gold", "forced to act", "nothing to lay after an action card")
MOSTLY_ACTIONS: dict[str, Any] = {
    "num_players": 3,
    "colours": 1,
    "highest_number": 4,
    "golden_twelves": 8,
    "blessings": 9,
    "steals": 9,
    "swaps": 9,
    "hand_size": 4,
}

VARIANTS = [
    *(
        Variant(
            f"box, {players} players, {book}",
            Settings(num_players=players, **rules),
            must_see=(),
            decisions=DECISIONS // 6,  # for long: tests/attacks/test_invariants.py
        )
        for players in range(2, 7)
        for book, rules in BOOKS.items()
    ),
    Variant(
        "mostly action cards, english",
        Settings(**MOSTLY_ACTIONS, **BOOKS["english"]),
        ("forced after an action card", *FORCED),
    ),
    Variant(
        "mostly action cards, web",
        Settings(**MOSTLY_ACTIONS, **BOOKS["web"]),
        (
            "forced after an action card",
            "forced after draw 1",
            "forced after draw 2",
            *FORCED,
        ),
    ),
    Variant(
        "hands of two cards, web",
        Settings(num_players=3, hand_size=2, rounds=1, **BOOKS["web"]),
        ("nothing to lay after draw 1", "nothing to lay after draw 2", "forced to lay gold"),
    ),
    Variant(
        "mostly action cards, all draw",
        Settings(**MOSTLY_ACTIONS, **BOOKS["italian, all draw"]),
        ("nothing to draw", "pile turned over"),
    ),
    Variant(
        "two colours, tiny pile",
        Settings(num_players=3, colours=2, hand_size=5, **LITTLE, **FEW_ACTIONS),
        (
            "pile turned over",
            "pile turned over while taking",
            "nothing to draw",
            "figure taken from its owner",
        ),
    ),
    Variant(
        "two colours, tiny pile, italian",
        Settings(
            num_players=4, colours=2, hand_size=3, edition="italian", **(LITTLE | FEW_ACTIONS)
        ),
        ("pile turned over", "nothing to draw"),
    ),
    Variant(
        "one colour",
        Settings(num_players=2, colours=1, hand_size=6, number_copies=3, fifties=4, rounds=2),
        ("multiple", "nothing to add", "twin left as the last card"),
    ),
    Variant(
        "hands of one card",
        Settings(num_players=3, colours=2, hand_size=1, golden_value=3, **LITTLE, **FEW_ACTIONS),
        (
            "swap with an empty hand",
            "steal on an empty hand",
            "blessing on an empty hand",
            "Golden 12 after an action card",
            "draw after an action card",
            "end after an action card",
            "empty hand: draw",
            "empty hand: pass",
        ),
    ),
    Variant(
        "many 2s",
        Settings(
            num_players=4,
            highest_number=2,
            number_copies=5,
            hand_size=4,
            golden_twelves=10,
            max_decisions=200,
        ),
        (
            "multiple of 2s",
            "demand passed on",
            "demand without a pass left",
            "demand back at its layer",
            "several Golden 12s",
        ),
    ),
    Variant(
        "50s, Happy-Man cards and actions",
        Settings(
            num_players=3, number_copies=0, fifties=4, happy_men=4, golden_twelves=6, hand_size=4
        ),
        ("multiple of 50s", "figure taken from its owner", "winner owns the figure"),
    ),
    Variant(
        "no action cards, one round",
        Settings(num_players=5, hand_size=4, golden_twelves=15, rounds=1, **NO_ACTIONS),
        ("half a point",),
    ),
    Variant(
        "mostly action cards",
        Settings(**MOSTLY_ACTIONS),
        (
            "action card after an action card",
            "Golden 12 after an action card",
            "swap with an empty hand",
            "empty hand: end",
        ),
    ),
    Variant(
        "short rounds",
        Settings(num_players=3, colours=3, hand_size=2, max_decisions=12, golden_twelves=20),
        (
            "round capped",
            "capped by draw",
            "capped by take",
            "demand ended by the cap",
            "won without winning a round",
        ),
    ),
    Variant(
        "four turns a round, a deck by card",
        Settings(
            num_players=2,
            rounds=2,
            hand_size=2,
            deck={"r0": 3, "r2": 3, "y3": 1, "g50": 2, "bH": 1, "swap": 1, "steal": 1, "gold": 2},
            max_passes=1,
            max_draws=1,
            cards_per_two=1,
            max_turns=4,
        ),
        ("turns over", "demand ended by the last turn", "multiple of 2s"),
    ),
    Variant(
        "seven turns a round, three players, no passes, web",
        Settings(
            num_players=3,
            rounds=3,
            hand_size=3,
            deck={"r1": 6, "y2": 6, "r3": 4, "blessing": 3, "gold": 3},
            max_passes=0,
            max_draws=1,
            cards_per_two=3,
            max_turns=7,
            edition="web",
            after_action="lay",
        ),
        ("turns over", "multiple of 2s", "forced after draw 1"),
    ),
    Variant(
        "one decision a round",
        Settings(
            num_players=2, colours=2, hand_size=1, max_decisions=1, golden_twelves=30, rounds=2
        ),
        ("round capped", "Golden 12 as the last decision allowed", "shared win"),
    ),
    Variant(
        "gold among Happy-Man cards",
        Settings(
            num_players=4,
            hand_size=2,
            highest_number=1,
            happy_men=5,
            golden_twelves=25,
            golden_value=40,
        ),
        ("figure without points to halve", "several Golden 12s", "winner owns the figure"),
    ),
]


def deck_of(settings: Settings) -> list[str]:
    """The deck as A0 lists it, as many copies as the settings say."""
    if settings.deck:
        return [*Counter(dict(settings.deck)).elements()]
    deck = []
    for colour in COLOURS[: settings.colours]:
        for number in range(settings.highest_number + 1):
            deck += [f"{colour}{number}"] * settings.number_copies
        deck += [f"{colour}50"] * settings.fifties
        deck += [f"{colour}H"] * settings.happy_men
    deck += ["gold"] * settings.golden_twelves + ["blessing"] * settings.blessings
    return deck + ["steal"] * settings.steals + ["swap"] * settings.swaps


def deal_of(position: dict[str, Any]) -> Deal:
    return Deal([list(hand) for hand in position["hands"]], list(position["discard"]))


def new_reference(settings: Settings, position: dict[str, Any]) -> Reference:
    return Reference(
        deck_of(settings),
        settings.num_players,
        deal_of(position),
        rounds=settings.rounds,
        hand_size=settings.hand_size,
        edition=settings.edition,
        after_action=settings.after_action,
        blessing_draws=settings.blessing_draws,
        golden_value=settings.golden_value,
        max_passes=settings.max_passes,
        max_draws=settings.max_draws,
        cards_per_two=settings.cards_per_two,
        max_turns=settings.max_turns,
        max_decisions=settings.max_decisions,
    )


def chance_of(
    settings: Settings,
    current_player: int,
    move: str,
    before: dict[str, Any],
    after: dict[str, Any],
) -> Chance:
    """What chance did, from the hands before and after a move.

    A move that ends a round without the cap, a Golden 12, leaves nothing to chance.
    """
    chance = Chance()
    if move not in ("draw", "take", "blessing", "steal"):
        return chance
    draws = move in ("draw", "take") or (move == "blessing" and settings.blessing_draws == "all")
    for seat, hands in enumerate(zip(before["hands"], after["hands"], strict=True)):
        old, new = (Counter[str](hand) for hand in hands)
        if seat == current_player:
            old -= Counter([move])  # the action card that was laid
        gained, lost = new - old, old - new
        if seat != current_player or draws:
            chance.drawn[seat] = list(gained.elements())
            chance.stolen[seat] = list(lost.elements())
    return chance


def play_past_the_cap(twin: Match, match: Match, move: str) -> dict[str, Any]:
    """The position after a move, had the cap on decisions come one later.

    When the cap ends a round, the next deal hides what the last decision did to the hands. A
    twin with the same chance, but without that cap, shows it. The cap on turns hides nothing that
    needs it: the decision that ends a turn leaves nothing to chance.
    """
    twin._states[0] = match.state
    twin.state.max_decisions += 1
    twin.play(move)
    return twin.position()


def choose(moves: list[str], weights: dict[str, float], rng: random.Random) -> str:
    def weight(move: str) -> float:
        return weights.get(move, weights.get(move.split(maxsplit=1)[0], 1.0))

    return rng.choices(moves, [weight(move) for move in moves])[0]


def compare(match: Match, reference: Reference, position: dict[str, Any], context: str) -> None:
    """Everything that both know must be the same."""
    assert len(match.legal) == len(set(match.legal)), context
    assert set(match.legal) == reference.legal(), context
    assert match.over == reference.over, context
    assert match.scores == reference.scores, context
    assert position["figure"] == reference.figure, context
    assert position["capped_rounds"] == reference.capped_rounds, context

    result, state = reference.result, match.state
    assert state.round_ended == (result is not None), context
    if result is not None:
        assert state.round_winner == (-1 if result.winner is None else result.winner), context
        points = [float(half) / 2 for half in state.round_points[: reference.players]]
        assert points == result.points, context
    if reference.over:
        assert match.win_shares() == pytest.approx(reference.win_shares()), context
        return

    assert [Counter(hand) for hand in position["hands"]] == [
        Counter(hand) for hand in reference.hands
    ], context
    assert position["discard"] == reference.discard, context
    assert Counter(position["pile"]) == Counter(reference.pile), context
    for name in (
        "current_player",
        "phase",
        "drawn",
        "acted",
        "demand",
        "crosses",
        "round",
        "decisions",
        "turns",
    ):
        assert position[name] == getattr(reference, name), f"{name}: {context}"


def play_both(settings: Settings, policy: str, seed: int, decisions: int) -> Counter[str]:
    """Play games until so many decisions were compared; returns what happened in them."""
    rng = random.Random(f"{settings} {policy} {seed}")
    seen: Counter[str] = Counter()
    match, twin = Match(AURUXXX, settings), Match(AURUXXX, settings)
    twin.start(0)
    while decisions > 0:
        match.start(rng.randrange(2**64))
        after = match.position()
        reference = new_reference(settings, after)
        compare(match, reference, after, "the first deal")
        while not match.over and decisions > 0:
            before, decisions = after, decisions - 1
            current_player, move = match.current_player, choose(match.legal, POLICIES[policy], rng)
            capped = before["decisions"] + 1 == settings.max_decisions and move != "lay gold"
            uncapped = play_past_the_cap(twin, match, move) if capped else None
            match.play(move)
            after, ended = match.position(), bool(match.state.round_ended)
            chance = chance_of(settings, current_player, move, before, uncapped or after)
            chance.deal = deal_of(after) if ended and not match.over else None
            reference.play(move, chance)
            seen["round over"] += ended
            compare(match, reference, after, f"{move} by seat {current_player} in {before}")
        seen += reference.seen
    return seen


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_engine_agrees_with_the_reference(variant: Variant) -> None:
    seen: Counter[str] = Counter()
    for policy in POLICIES:
        seen += play_both(variant.settings, policy, 1, variant.decisions // len(POLICIES))
    missing = [event for event in variant.must_see if not seen[event]]
    assert not missing, f"never happened: {missing}; seen: {dict(seen)}"
