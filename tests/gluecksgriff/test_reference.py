"""Random games through the engine and through the slow reference: they agree after every move."""

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.rules import Blank, Settings
from goldgriff.envs.match import Match

from .reference import BlankCard, Chance, Deal, Reference, is_trick

DECISIONS = 3600  # a configuration, shared among the policies


@dataclass(frozen=True)
class Variant:
    """Settings to compare, and the rare things that must have happened under them."""

    name: str
    settings: Settings
    must_see: tuple[str, ...] = ()
    decisions: int = DECISIONS


# A policy is the weight of each kind of move: the first word that a move's name starts with.
POLICIES: dict[str, dict[str, float]] = {
    "uniform": {},
    "knocker": {"knock": 40, "add": 5, "low": 20, "high": 20, "run": 5, "keep": 0.3, "call": 0.1},
    "layer of runs": {
        "run": 40,
        "low": 40,
        "high": 40,
        "knock low": 60,
        "knock": 10,
        "draw": 5,
        "take low": 8,
        "take high": 8,
        "hourglass": 8,
        "add": 0.5,
        "call": 0.1,
        "decline": 0.1,
    },
    "layer of sets": {"add": 30, "take": 5, "draw": 1, "call": 0.2, "run": 0.3},
    "player of specials": {
        "hourglass": 30,
        "hand": 60,
        "blank1": 20,
        "blank2": 20,
        "blank3": 20,
        "blank4": 20,
        "blank5": 20,
        "lay joker": 10,
        "lay hourglass": 10,
        "challenge": 3,
        "fend off": 5,
        "play on": 5,
        "take": 3,
        "call": 0.5,
        "decline": 0.1,
    },
    "caller": {"call": 30, "take": 0.3, "lay 14": 9, "lay 13": 9, "lay 12": 9, "lay 11": 9},
    "hoarder of specials": {
        "lay": 1,
        "take": 0.5,
        "hourglass": 0.1,
        "hand": 0.05,
        "add": 4,
        "call": 3,
    },
}

SMALL: dict[str, Any] = {"highest_value": 4, "copies": 3}
OTHER_READINGS: dict[str, Any] = {
    "fend_off": "turn",
    "challenge_prize": "both",
    "joker_knock": "wide",
}
EFFECTS = ("plain", "joker", "sit_out", "draw", "look", "swap")


def blank(effect: str, points: int = 10, amount: int = 1) -> Blank:
    return Blank(name=f"our {effect}", points=points, effect=effect, amount=amount)


ALL_BLANKS = (*(blank(effect, points) for points, effect in enumerate(EFFECTS)), blank("joker"))
JOKING = (blank("joker", 0), blank("joker", 15), blank("joker", 7), blank("sit_out", 15))

VARIANTS = [
    *(Variant(f"box, {players} players", Settings(num_players=players)) for players in range(2, 6)),
    *(
        Variant(
            f"all options, {players} players",
            Settings(
                num_players=players,
                bluffing=True,
                penalties=True,
                late_knock=30,
                magic_hands=3,
                blanks=ALL_BLANKS,
            ),
            ("late knock", "play on", "hand"),
        )
        for players in range(2, 6)
    ),
    *(
        Variant(
            f"all options, the other readings, {players} players",
            Settings(
                num_players=players,
                bluffing=True,
                penalties=True,
                late_knock=30,
                magic_hands=3,
                hourglasses=8,
                jokers=8,
                hand_size=5,
                blanks=ALL_BLANKS,
                last_turn="forced" if players % 2 else "optional",
                **OTHER_READINGS,
            ),
            ("late knock", "play on", "fend off", "grabbed after an open card"),
        )
        for players in range(2, 6)
    ),
    *(
        Variant(
            f"runs and jokers, joker_knock={reading}",
            Settings(
                num_players=3, copies=5, hand_size=9, jokers=8, joker_knock=reading, blanks=JOKING
            ),
            ("run of 3", "knock of a joker alone on a run", "take low", "take high"),
        )
        for reading in ("run_end", "wide")
    ),
    Variant(
        "sets under jokers",
        Settings(
            num_players=4, copies=10, highest_value=4, hand_size=6, jokers=8, joker_knock="wide"
        ),
        ("knock on a joker", "drawn: knock on a joker", "knock with several cards"),
    ),
    Variant(
        "runs",
        Settings(num_players=3, copies=5, highest_value=8, hand_size=9, jokers=9, blanks=JOKING),
        (
            "run of 3",
            "run of 5",
            "knock after low",
            "knock after high",
            "drawn: knock low",
            "drawn: knock high",
            "drawn: knock low joker",
            "drawn: knock high joker",
            "take low",
            "take high",
        ),
    ),
    Variant(
        "sets",
        Settings(num_players=4, copies=10, highest_value=4, hand_size=6, jokers=5),
        (
            "set of 4",
            "knock with several cards",
            "drawn: knock",
            "drawn: knock joker",
            "drawn card kept that fits",
            "not asked: a joker on top",
            "taken and nothing laid over it",
        ),
    ),
    Variant(
        "hands of one card",
        Settings(num_players=2, hand_size=1, copies=2, highest_value=9, jokers=2, late_knock=100),
        ("late knock with the last card",),
    ),
    Variant(
        "tiny pile",
        Settings(num_players=3, hand_size=4, jokers=1, hourglasses=3, magic_hands=2, **SMALL),
        (
            "pile used up",
            "taken and nothing laid over it",
            "round ended by an empty hand",
        ),
    ),
    Variant(
        "tinier pile, all options",
        Settings(
            num_players=2,
            hand_size=6,
            copies=1,
            highest_value=8,
            jokers=1,
            hourglasses=2,
            magic_hands=2,
            bluffing=True,
            penalties=True,
            late_knock=50,
            blanks=(blank("draw", 3, 5), blank("draw", 0, 2), blank("swap", 1)),
        ),
        (
            "pile used up",
            "nothing to draw",
            "pile used up while taking",
            "challenge right",
            "challenge wrong",
        ),
    ),
    Variant(
        "nearly no pile",
        Settings(
            num_players=3,
            hand_size=3,
            copies=1,
            highest_value=4,
            jokers=1,
            hourglasses=1,
            magic_hands=2,
            late_knock=100,
            blanks=(blank("draw", 3, 5), blank("draw", 0, 2)),
        ),
        ("nothing to draw", "late knock with the last card"),
    ),
    Variant(
        "hourglasses",
        Settings(num_players=3, hourglasses=10, hand_size=3, penalties=True, copies=2),
        (
            "sit out",
            "forced to sit out",
            "fend off",
            "play on",
            "hourglass laid as a plain card",
            "taken and nothing laid over it",
        ),
    ),
    Variant(
        "hourglasses, fending off as a turn",
        Settings(
            num_players=3,
            hourglasses=10,
            hand_size=2,
            copies=2,
            highest_value=5,
            late_knock=30,
            fend_off="turn",
        ),
        (
            "fend off",
            "fending off as the last turn",
            "late knock",
            "late knock with the last card",
            "round ended by an empty hand",
        ),
    ),
    Variant(
        "hourglasses and runs",
        Settings(num_players=3, hourglasses=8, hand_size=7, copies=6, highest_value=5),
        ("run of three or more left", "hourglass given after a call", "knock after low"),
        decisions=2 * DECISIONS,
    ),
    Variant(
        "hourglasses for two, late",
        Settings(num_players=2, hourglasses=10, hand_size=2, late_knock=40, copies=1),
        ("fend off", "late knock", "round ended by fending off", "discard pile used up"),
    ),
    Variant(
        "magic",
        Settings(num_players=4, magic_hands=4, hand_size=3, copies=2, jokers=6),
        (
            "magic: pick",
            "magic: draw",
            "magic: take",
            "special card laid open",
            "hand laid as a plain card",
        ),
    ),
    Variant(
        "magic and bluff",
        Settings(num_players=3, magic_hands=4, hand_size=4, copies=1, bluffing=True),
        (
            "challenge right",
            "challenge wrong",
            "magic: grab",
            "special card laid open",
            "pile used up in phase magic",
        ),
    ),
    Variant(
        "magic and bluff, both prizes",
        Settings(
            num_players=3,
            magic_hands=4,
            hand_size=4,
            copies=1,
            bluffing=True,
            challenge_prize="both",
        ),
        ("grabbed after an open card", "challenge right", "challenge wrong", "magic: draw"),
    ),
    Variant(
        "magic, hands of one card",
        Settings(num_players=3, magic_hands=4, hand_size=1, copies=1, highest_value=3),
        ("only card laid open",),
    ),
    Variant(
        "magic, nearly all cards in the hands",
        Settings(
            num_players=5,
            magic_hands=4,
            hand_size=2,
            copies=2,
            highest_value=3,
            jokers=0,
            hourglasses=0,
        ),
        ("pile used up in phase magic", "only card laid open", "round ended by an empty hand"),
    ),
    Variant(
        "calls",
        Settings(num_players=4, hand_size=2, copies=6, highest_value=5, penalties=True),
        (
            "call",
            "right call",
            "wrong call",
            "empty hand after a call",
            "call with seven or more",
            "halved",
            "declined",
            "declined with cards on top",
        ),
    ),
    Variant(
        "calls and forced last turns",
        Settings(num_players=4, hand_size=2, copies=6, highest_value=5, last_turn="forced"),
        ("call", "right call", "wrong call", "empty hand after a call"),
    ),
    Variant(
        "nothing left to draw",
        Settings(num_players=3, hand_size=4, copies=1, highest_value=9, jokers=2, hourglasses=0),
        ("nothing to draw", "pile used up", "round ended by an empty hand"),
    ),
    Variant(
        "blanks after a call",
        Settings(
            num_players=3,
            hand_size=3,
            copies=3,
            highest_value=3,
            jokers=1,
            hourglasses=1,
            blanks=(
                blank("sit_out", 0),
                blank("draw", 1, 3),
                blank("look", 0),
                blank("swap", 2),
            ),
        ),
        (
            "sit_out given after a call",
            "draw given after a call",
            "look given after a call",
            "swap given after a call",
        ),
    ),
    Variant(
        "short rounds",
        Settings(num_players=3, hand_size=3, max_decisions=14, bluffing=True, magic_hands=4),
        ("round capped", "capped in phase lay", "capped in phase play", "capped in phase magic"),
    ),
    Variant(
        "short rounds with calls",
        Settings(num_players=4, hand_size=2, max_decisions=9, copies=6, highest_value=5),
        ("capped after a call",),
    ),
    Variant(
        "one decision a round",
        Settings(num_players=2, hand_size=1, max_decisions=1, copies=4, penalties=True),
        ("round capped", "call with seven or more"),
    ),
    Variant(
        "three turns a round, two rounds, a deck by card",
        Settings(
            num_players=2,
            hand_size=3,
            deck={"0": 3, "1": 4, "2": 3, "9": 2, "joker": 1, "hourglass": 2, "hand": 1},
            bluffing=True,
            max_turns=3,
            max_rounds=2,
        ),
        ("turns over", "rounds over", "last turns beyond the cap", "right call", "wrong call"),
    ),
    Variant(
        "six turns a round, three players, penalties",
        Settings(
            num_players=3,
            hand_size=2,
            deck={"3": 6, "4": 6, "5": 6, "hourglass": 4, "hand": 2},
            blanks=(blank("draw", 4), blank("swap", 2)),
            penalties=True,
            late_knock=20,
            max_turns=6,
            max_rounds=3,
            point_limit=200,
        ),
        ("turns over", "rounds over", "last turns beyond the cap"),
    ),
    Variant(
        "high limit, round numbers",
        Settings(
            num_players=2,
            hand_size=2,
            copies=10,
            highest_value=0,
            hourglasses=2,
            jokers=2,
            max_decisions=6,
            point_limit=300,
            blanks=(blank("plain", 25), blank("plain", 50), blank("look", 35)),
        ),
        ("halved", "nothing written, nothing halved"),
    ),
]


def deck_of(settings: Settings) -> list[str]:
    """The deck as G0 lists it, as many copies as the settings say."""
    blanks = [f"blank{number}" for number in range(1, len(settings.blanks) + 1)]
    if settings.deck:
        return [*Counter(dict(settings.deck)).elements(), *blanks]
    deck = [str(value) for value in range(settings.highest_value + 1)] * settings.copies
    deck += ["joker"] * settings.jokers + ["hourglass"] * settings.hourglasses
    deck += ["hand"] * settings.magic_hands
    return deck + blanks


def deal_of(position: dict[str, Any]) -> Deal:
    return Deal([list(hand) for hand in position["hands"]], list(position["discard"]))


def new_reference(settings: Settings, position: dict[str, Any]) -> Reference:
    blanks = {
        f"blank{number}": BlankCard(card.points, card.effect, card.amount)
        for number, card in enumerate(settings.blanks, start=1)
    }
    return Reference(
        deck_of(settings),
        settings.num_players,
        deal_of(position),
        point_limit=settings.point_limit,
        hand_size=settings.hand_size,
        bluffing=settings.bluffing,
        penalties=settings.penalties,
        late_knock=settings.late_knock,
        last_turn=settings.last_turn,
        fend_off=settings.fend_off,
        challenge_prize=settings.challenge_prize,
        joker_knock=settings.joker_knock,
        blanks=blanks,
        max_rounds=settings.max_rounds,
        max_turns=settings.max_turns,
        max_decisions=settings.max_decisions,
    )


def play_on_without_end(twin: Match, match: Match, move: str) -> dict[str, Any] | None:
    """The position after a move, had it not been the last that the cap or a call allowed.

    When a round ends, the next deal hides what the last decision did to the hands. A twin with
    the same chance, but with one decision and one last turn more, shows it. None if the round
    ends all the same, with an empty hand or a call that is none.
    """
    twin._states[0] = match.state
    twin.state.max_decisions += 1
    twin.state.max_turns *= 2
    if twin.state.turns_left:
        twin.state.turns_left += 1
    twin.play(move)
    return None if twin.state.round_ended else twin.position()


def may_be_written(before: int, after: int) -> set[int]:
    """The points that lead from one total to another, which may have been halved (G8.7)."""
    unhalved = {total for total in (after, 2 * after) if (total % 50 == 0) == (total != after)}
    return {total - before for total in unhalved} | ({0} if after == before else set())


def chance_of(
    move: str, before: dict[str, Any], after: dict[str, Any] | None, match: Match
) -> Chance:
    """What chance did in a move, given the position after it, if there is one without a new deal.

    Without, the hands after it are known by their points only: nobody has called then who could
    write something else, as a Magic Hand is the only way to draw in the move that empties a hand.
    """
    if after is None:
        totals = zip(before["scores"], match.scores, strict=True)
        return Chance(points=[may_be_written(old, int(new)) for old, new in totals])
    chance = Chance(hands=after["hands"])
    if move.startswith("knock") or move == "fend off":  # G5.7
        current_player = before["current_player"]
        on_time = len(before["hands"][current_player]) - (before["phase"] in ("drawn", "hourglass"))
        chance.late = len(after["hands"][current_player]) > on_time
    return chance


def choose(moves: list[str], weights: dict[str, float], rng: random.Random) -> str:
    def weight(move: str) -> float:
        return weights.get(move, weights.get(move.split(maxsplit=1)[0], 1.0))

    return rng.choices(moves, [weight(move) for move in moves])[0]


FIELDS = (
    "current_player",
    "phase",
    "laid",
    "last_play",
    "run",
    "front",
    "sat_out",
    "must_sit_out",
    "open",
    "magician",
    "challenged",
    "caller",
    "turns_left",
    "turns",
    "round",
    "decisions",
    "drawn",
    "laid_kind",
    "laid_low",
)


def compare(match: Match, reference: Reference, position: dict[str, Any], context: str) -> None:
    """Everything that both know must be the same."""
    assert len(match.legal) == len(set(match.legal)), context
    assert set(match.legal) == reference.legal(), context
    assert match.over == reference.over, context
    assert match.scores == reference.scores, context
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
    assert takeable_layers(position["discard"], position["layers"]) == takeable_layers(
        reference.discard, reference.layers
    ), context
    for name in FIELDS:
        assert position[name] == getattr(reference, name), f"{name}: {context}"


def takeable_layers(discard: list[str], layers: list[int | None]) -> list[int | None]:
    """Who laid the trick cards: special cards are never taken, whoever laid them (G4.3)."""
    return [layer for card, layer in zip(discard, layers, strict=True) if is_trick(card)]


def play_both(settings: Settings, policy: str, seed: int, decisions: int) -> Counter[str]:
    """Play games until so many decisions were compared; returns what happened in them."""
    rng = random.Random(f"{settings} {policy} {seed}")
    seen: Counter[str] = Counter()
    match, twin = Match(GLUECKSGRIFF, settings), Match(GLUECKSGRIFF, settings)
    twin.start(0)
    while decisions > 0:
        match.start(rng.randrange(2**64))
        after = match.position()
        reference = new_reference(settings, after)
        compare(match, reference, after, "the first deal")
        while not match.over and decisions > 0:
            before, decisions = after, decisions - 1
            current_player, move = match.current_player, choose(match.legal, POLICIES[policy], rng)
            capped = before["decisions"] + 1 == settings.max_decisions
            last = before["turns_left"] == 1 or before["turns"] + 1 == settings.max_turns
            endless = play_on_without_end(twin, match, move) if capped or last else None
            match.play(move)
            after, ended = match.position(), bool(match.state.round_ended)
            chance = chance_of(move, before, endless if ended else after, match)
            chance.deal = deal_of(after) if ended and not match.over else None
            context = f"{move} by seat {current_player} in {before}"
            try:
                reference.play(move, chance)
            except AssertionError as error:
                raise AssertionError(f"{error}: {context}, then {after}") from error
            seen["round over"] += ended
            compare(match, reference, after, context)
        seen += reference.seen
    return seen


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_engine_agrees_with_the_reference(variant: Variant) -> None:
    seen: Counter[str] = Counter()
    for policy in POLICIES:
        seen += play_both(variant.settings, policy, 1, variant.decisions // len(POLICIES))
    missing = [event for event in ("round over", *variant.must_see) if not seen[event]]
    assert not missing, f"never happened: {missing}; seen: {dict(seen)}"
