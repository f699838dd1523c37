"""The scripted players: legal everywhere, each true to its tips, and the expert above them all."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldgriff.agents.registry import AGENTS, load_agent
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.rules import EFFECTS, Blank, Settings
from goldgriff.envs.match import Match
from goldgriff.envs.policy import ObservationBatch, Policy
from goldgriff.eval.tournament.config import tournament_config
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.matches import play_games
from goldgriff.eval.tournament.tournament import run_tournament

from ...gluecksgriff.tables import run_on_pile, table_with
from ...tables import field
from .style_statistics import statistics_of

NAMES = [entry.name for entry in AGENTS if entry.scripted and entry.game == "gluecksgriff"]
NAMES.remove("random")
STYLES = [name for name in NAMES if name != "expert"]


def scripted(name: str) -> Policy:
    return load_agent(name, GLUECKSGRIFF)


def decide(policy: Policy, match: Match) -> str:
    """Return what an agent plays in a match."""
    observations = ObservationBatch(
        GLUECKSGRIFF, match.raw[None], match.mask[None], derive_seeds(1, 1)
    )
    return match.game.actions[int(policy.act(observations)[0])]


def turn(policy: Policy, match: Match) -> list[str]:
    """The moves of seat 0 in a turn that begins now."""
    moves: list[str] = []
    while not (moves and (match.current_player != 0 or match.state.round_ended)):
        moves.append(decide(policy, match))
        match.play(moves[-1])
    return moves


TABLES = st.builds(
    Settings,
    num_players=st.integers(2, 5),
    point_limit=st.sampled_from([20, 100]),
    hand_size=st.integers(1, 8),
    copies=st.integers(3, 4),
    jokers=st.integers(0, 6),
    hourglasses=st.integers(0, 6),
    magic_hands=st.integers(0, 4),
    bluffing=st.booleans(),
    penalties=st.booleans(),
    late_knock=st.sampled_from([0, 30]),
    last_turn=st.sampled_from(["optional", "forced"]),
    fend_off=st.sampled_from(["free", "turn"]),
    challenge_prize=st.sampled_from(["one", "both"]),
    joker_knock=st.sampled_from(["strict", "run_end", "wide"]),
    blanks=st.lists(
        st.builds(
            Blank,
            name=st.just("blank"),
            points=st.integers(0, 50),
            effect=st.sampled_from(EFFECTS),
        ),
        max_size=4,
    ).map(tuple),
    max_decisions=st.just(150),
)


@given(variant=TABLES, seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None, derandomize=True)
def test_every_style_plays_legally_by_any_settings(variant: Settings, seed: int) -> None:
    players = [Player(name, scripted(name)) for name in NAMES]
    rng = np.random.default_rng(seed)
    seating = rng.integers(len(players), size=(8, variant.num_players))
    play_games(GLUECKSGRIFF, variant, players, seating, derive_seeds(seed, 8))  # or AgentError


@pytest.mark.parametrize("name", NAMES)
def test_a_second_prize_is_taken_out_of_any_hand(name: str) -> None:
    """Also out of one that holds special cards alone (G7.5)."""
    settings = {"bluffing": True, "challenge_prize": "both"}
    match = table_with(
        *("8", "joker hourglass", "6"), phase="grab", magician=0, challenged=1,
        open=[None, "14", None], settings=settings,
    )  # fmt: skip
    assert decide(scripted(name), match) in ("grab joker", "grab hourglass")


# --- The tips -----------------------------------------------------------------------------------
FULL = ("7 8 13 6 12", "7 8 13 6 12")  # hands that nobody gets rid of in a turn


@pytest.mark.parametrize(
    ("hand", "callers"),
    [
        ("0 1", {*NAMES}),
        ("0 3", {*NAMES} - {"late", "knocker"}),
        ("1 4", {"early", "counter", "expert"}),
        ("2 4", {"early", "counter"}),
    ],
)
def test_a_threshold_for_the_call(hand: str, callers: set[str]) -> None:
    called = {name for name in NAMES if decide(scripted(name), table_with(hand, *FULL)) == "call"}
    assert called == callers


def test_the_expert_does_not_call_when_somebody_is_close() -> None:
    assert decide(scripted("expert"), table_with("1 4", "7", FULL[0])) != "call"
    assert decide(scripted("early"), table_with("1 4", "7", FULL[0])) == "call"


@pytest.mark.parametrize(
    ("hand", "discard", "move"),
    [
        ("3", "9", "decline"),  # a card drawn would cost more
        ("0 1", "14", "decline"),
        ("3", "3", "lay 3"),  # knocked, it costs none
        ("5", "2", "lay 5"),  # the 2 may be taken instead
        ("12 1", "9", "lay 12"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_decline_a_last_turn_that_costs_points(
    name: str, hand: str, discard: str, move: str
) -> None:
    match = table_with(hand, *FULL, discard=discard, caller=2, turns_left=2)
    assert decide(scripted(name), match) == move
    settings = {"last_turn": "forced"}
    forced = table_with(hand, *FULL, discard=discard, caller=2, turns_left=2, settings=settings)
    assert decide(scripted(name), forced) != "decline"


@pytest.mark.parametrize("name", NAMES)
def test_all_shed_sets_and_knock_when_it_costs_nothing(name: str) -> None:
    assert turn(scripted(name), table_with("9 9 10 2", *FULL, discard="9"))[:3] == [
        "lay 9", "add 9", "knock",
    ]  # fmt: skip
    assert turn(scripted(name), table_with("12 12 3 14", *FULL, discard="1"))[:2] == [
        "lay 12", "add 12",
    ]  # fmt: skip


def test_knock_early() -> None:
    """The knocker knocks a low card rather than shed two high ones, and keeps its joker."""
    hand = "4 13 13 joker 1"
    assert turn(scripted("knocker"), table_with(hand, *FULL, discard="4")) == ["lay 4", "knock"]
    assert turn(scripted("early"), table_with(hand, *FULL, discard="4"))[0] == "lay 13"
    assert turn(scripted("knocker"), table_with("joker 7 2", *FULL, discard="11")) == [
        "lay joker",
        "knock",
    ]


def test_keep_runs_together() -> None:
    """The run builder lays a low run before two high cards, and takes what lengthens one."""
    hand = "2 3 4 14 14 9"
    assert turn(scripted("runner"), table_with(hand, *FULL, discard="10"))[:3] == [
        "lay 2", "run 3", "run 4",
    ]  # fmt: skip
    assert turn(scripted("early"), table_with(hand, *FULL, discard="10"))[:2] == [
        "lay 14",
        "add 14",
    ]
    gap = table_with("5 7 14 14", *FULL, discard="6")
    assert turn(scripted("runner"), gap) == ["lay 14", "add 14", "take"]


def test_runs_on_the_pile_are_extended_and_knocked() -> None:
    match = run_on_pile("3 4 5", "6 joker 2 14", *FULL)
    assert turn(scripted("expert"), match) == ["low", "low joker", "high", "knock"]


def test_the_hourglass_goes_to_the_smallest_hand() -> None:
    match = table_with("hourglass 3 4", "7 8 9", "7 8", discard="14")
    assert decide(scripted("expert"), match) == "hourglass +2"


def test_watch_what_is_taken_openly() -> None:
    """The card counter does not lay what the next player was seen to take."""

    match = table_with("12 11 0 3", "14 2 5", "9 9 8 8", discard="12", current_player=1)
    for move in ("lay 14", "take", "lay 9", "add 9", "draw"):
        match.play(move)
    if match.current_player != 0:
        match.play("keep")
    assert decide(scripted("counter"), match) == "lay 11"
    assert decide(scripted("late"), match) == "lay 12"


def test_the_card_counter_calls_by_what_it_knows() -> None:
    """Two cards that nobody saw may be low ones; a 13 that was taken openly is not."""
    unseen = table_with("2 3", "7 13")
    assert decide(scripted("counter"), unseen) != "call"
    seen = table_with("2 3", "7 9", discard="13", current_player=1)
    for move in ("lay 9", "take"):
        seen.play(move)
    assert decide(scripted("counter"), seen) == "call"


def test_a_bluffer_lays_its_highest_card_open_and_doubts_high_ones() -> None:
    bluffing = {"bluffing": True}

    def opened(policy: Policy) -> str:
        match = table_with("hand 2 3", "1 5 12 8", settings=bluffing)
        match.play("hand")
        return decide(policy, match)

    assert opened(scripted("bluffer")) == "open 12"
    assert opened(scripted("early")) == opened(scripted("expert")) == "open 1"

    def answer(policy: Policy, card: str) -> str:
        match = table_with("hand 2 3", "1 5 12 8 9", settings=bluffing)
        match.play("hand")
        match.play(f"open {card}")
        return decide(policy, match)

    assert answer(scripted("bluffer"), "9") == answer(scripted("expert"), "12") == "challenge +1"
    assert answer(scripted("bluffer"), "1") == answer(scripted("early"), "1") == "pick +1"


def test_the_spoils_are_the_lowest_card() -> None:
    match = table_with("hand 9 14", "1 5 12 8 9", settings={"bluffing": True})
    for move in ("hand", "open 12", "challenge +1"):
        match.play(move)
    held = {int(card) for card in field(match, "hands")[1] if card.isdigit()}
    assert decide(scripted("expert"), match) == f"grab {min(held)}"


# --- Distinct, and the expert first ---------------------------------------------------------------
@pytest.mark.slow
def test_the_styles_differ_in_what_is_seen_of_them() -> None:
    statistics = {name: statistics_of(scripted(name)) for name in NAMES}

    def ranked(of: Callable[[str], float]) -> list[str]:
        return sorted(NAMES, key=of)

    points = [statistics[name].call_points for name in ("late", "bluffer", "early")]
    assert points[0] < 1 < points[1] < points[2] - 1
    assert ranked(lambda name: statistics[name].knocks)[-1] == "knocker"
    assert ranked(lambda name: statistics[name].runs)[-1] == "runner"
    assert ranked(lambda name: statistics[name].opened)[-1] == "bluffer"
    assert statistics["bluffer"].opened > 2 * statistics["early"].opened
    assert statistics["bluffer"].challenges > 10 > statistics["counter"].challenges
    assert statistics["knocker"].calls < statistics["early"].calls / 1.3


@pytest.mark.slow
def test_the_page_shows_these_statistics(root: Path) -> None:
    page = (root / "docs" / "agents" / "gluecksgriff.md").read_text()
    for name in NAMES:
        assert f"| `{name}` | {' | '.join(statistics_of(scripted(name)).row())} |\n" in page, name


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [2, 4])
@pytest.mark.parametrize("name", STYLES)
def test_the_expert_beats_every_style(name: str, num_players: int) -> None:
    players = [Player(each, scripted(each)) for each in ("expert", name)]
    deals = 3000 if num_players == 2 else 500
    seats = Settings(num_players=num_players)
    plan = tournament_config(GLUECKSGRIFF, ["expert", name], seats, deals=deals, seed=11)
    tournament = run_tournament(plan, players)
    best = tournament.standings[0]
    assert best.name == "expert"
    assert best.win_share.low > 1 / num_players


@pytest.mark.parametrize("name", STYLES)
def test_every_style_beats_chance(name: str) -> None:
    players = [Player(each, scripted(each)) for each in (name, "random")]
    plan = tournament_config(
        GLUECKSGRIFF, [name, "random"], Settings(num_players=2), deals=60, seed=1
    )
    tournament = run_tournament(plan, players)
    assert tournament.standings[0].name == name
    assert tournament.standings[0].win_share.low > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [2, 4])
@pytest.mark.parametrize("name", ["counter", "expert"])
def test_agents_that_count_cards_end_their_rounds(name: str, num_players: int) -> None:
    """With one known low card each, laying it and taking the last one's could go on for ever."""
    settings = Settings(num_players=num_players)
    plan = tournament_config(GLUECKSGRIFF, [name, "twin"], settings, deals=500, seed=3)
    tournament = run_tournament(plan, [Player(each, scripted(name)) for each in (name, "twin")])
    assert tournament.by_player_count[0].capped_games == 0


@pytest.mark.parametrize("name", ["counter", "expert"])
def test_who_knows_the_last_card_of_everybody_calls_with_the_lowest(name: str) -> None:
    match = Match(GLUECKSGRIFF, Settings(num_players=3))
    for hand, calls in (("0", True), ("1", False), ("2", False)):
        known = [[[], ["4"], ["1"]], [[hand], [], ["1"]], [[hand], ["4"], []]]
        match.start(1, {"hands": [[hand], ["4"], ["1"]], "discard": ["3"], "known": known})
        assert (decide(scripted(name), match) == "call") == calls
