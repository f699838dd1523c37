"""Hints: their reasons in both languages, and that they follow from what the person knows."""

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldgriff.agents.registry import load_agent
from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.eval.analysis.action_probabilities import default_hint_agent
from goldgriff.eval.analysis.estimates import Estimates
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.recorder import PERSON
from goldgriff.play.narrators.advice import Advice, compare
from goldgriff.play.narrators.narrator import get_narrator
from goldgriff.play.session.event_log import position_of
from goldgriff.play.session.hints import STATES, Hint, hint
from goldgriff.play.terminal.screen import Screen
from goldgriff.play.texts import LANGUAGES, Texts, percent, read_texts
from goldgriff.play.web.data import hint_data

from .tables import CASES, SMALL, play_by_chance, small_session
from .test_grammar import faults


def reasons(game: Game, position: dict[str, Any], name: str, **rules: Any) -> list[str]:
    """Return the keys of what a game says of a move."""
    settings = game.settings.from_dict({"num_players": len(position["hands"]), **rules})
    match = Match(game, settings)
    match.start(1, position)
    assert name in match.legal
    said = get_narrator(game).advise(settings, position_of(match), name)
    return [f"{one.key} {one.points} {one.left}" if one.points else one.key for one in said]


def test_a_game_says_what_a_move_does() -> None:
    hands = {"hands": [["r12", "y2", "r5"], ["b1", "b3"]], "discard": ["r9"]}
    assert reasons(AURUXXX, hands, "lay r12") == ["lighter 12 7"]
    assert reasons(AURUXXX, hands, "lay y2") == ["lighter 2 17", "two"]
    assert reasons(AURUXXX, hands, "pass") == ["cross"]
    assert reasons(AURUXXX, hands, "draw") == []
    golden = {"hands": [["gold"], ["b1", "b3"]], "discard": ["r9"]}
    assert reasons(AURUXXX, golden, "lay gold") == ["wins-round"]
    few = {"hands": [["1", "4"], ["9", "9"]], "discard": ["7"]}
    assert reasons(GLUECKSGRIFF, few, "call") == ["hand 5 0"]
    assert reasons(GLUECKSGRIFF, few, "lay 4") == ["lighter 4 1"]


def test_a_knock_says_whether_it_ends_the_round() -> None:
    for hand, expected in ((["5"], "knock-out"), (["5", "9"], "knock")):
        match = Match(GLUECKSGRIFF, {"num_players": 2})
        match.start(1, {"hands": [hand, ["2", "3"]], "discard": ["5"]})
        match.play("lay 5")
        (said,) = get_narrator(GLUECKSGRIFF).advise(match.settings, position_of(match), "knock")
        match.play("knock")
        assert (said.key, bool(match.state.round_ended)) == (expected, expected == "knock-out")


def test_a_move_is_compared_with_the_best_other_one() -> None:
    luck = np.tile([0.1, 0.2], 50)
    outcomes = np.stack([luck, luck - 0.05, luck + np.tile([0.1, -0.1, -0.1, 0.1], 25)], axis=1)
    estimates = Estimates((4, 7, 9), outcomes)
    even = compare(estimates, 4, "search", 0.7)
    assert (even.key, even.error) == ("even", 0.03)
    assert compare(estimates, 7, "search", 0.7).key == "worse"
    found = compare(Estimates((4, 7), outcomes[:, :2]), 4, "search", 0.7)
    assert (found.key, found.other, found.states) == ("better", 7, 100)
    assert (found.agent, found.share) == ("search", 0.7)
    assert (found.value, found.other_value) == pytest.approx((0.15, 0.1))


def test_what_is_compared_is_shown_and_no_equal_move_looks_better_without_a_word() -> None:
    """The advised move may have the lower chance: the sentence says why it is the advice."""
    session = small_session(AURUXXX, SMALL["auruxxx"])
    reason = Advice("even", 0.25, 7, 0.26, 200, 0.04, "search", 0.69)
    given = Hint("search", {3: 0.69, 5: 0.309, 7: 0.001}, {3: 0.25, 5: 0.2, 7: 0.26}, (reason,))
    assert given.shown(1) == [3, 7]
    for language, base, error in (
        ("en", "search plays it most often (69%)", "Another move has 26%: "),
        ("de", "search spielt ihn am häufigsten (69 %)", "nur auf ±4 % genau"),
    ):
        texts = Texts(language, AURUXXX, session.settings, session.names)
        said = texts.advice(reason, 0).replace("\N{NO-BREAK SPACE}", " ")
        assert base in said
        assert error in said
    assert [percent(share, "en") for share in (0.0, 0.004, 0.006, 0.996, 1.0)] == [
        *("0%", "<1%", "1%"),
        *(">99%", "100%"),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_reason_can_be_said(game: Game, language: str) -> None:
    settings = game.settings.from_dict(SMALL[game.name])
    texts = Texts(language, game, settings, [PERSON, "Ann", "Ben"])
    keys = [key[7:] for key in read_texts("shared") | read_texts(game.name) if key[:7] == "advice."]
    lines = [
        texts.advice(Advice(key, 0.5, other, 0.25, 200, 0.02, "Ann", 0.7, points, points), 0)
        for key in keys
        for other, name in enumerate(game.actions)
        if not name.endswith(("+3", "+4", "+5"))  # there are three seats
        for points in (1, 2)
    ]
    assert len(keys) >= 8
    assert faults(lines, language) == []
    assert [line for line in lines if "  " in line or not line.endswith(".")] == []
    expected = {"en": "Chance to win 50% in 200 sampled games", "de": "Gewinnchance 50 %"}
    assert any(expected[language] in line.replace("\N{NO-BREAK SPACE}", " ") for line in lines)


@pytest.mark.parametrize(("game", "rules"), [CASES[0], CASES[3]])
def test_hints_follow_from_what_the_person_knows(game: Game, rules: dict[str, Any]) -> None:
    session, differed, compared = small_session(game, rules), 0, 0
    twin = Match(game, session.settings)
    twin.start(1)
    search = Player("search@60", load_agent("search@60", game))
    both = [Texts(each, game, session.settings, session.names) for each in LANGUAGES]
    for number, _ in enumerate(play_by_chance(session)):
        if not session.your_turn or number % 2:
            continue
        (sampled,) = session.match.sample_states(0, np.array([number], np.uint64))
        differed += sampled["hands"].tobytes() != session.match.state.hands.tobytes()
        again = session.match.clone()
        for name in sampled.dtype.names:
            again.state[name] = sampled[name]
        given = hint(session.match, search)
        assert hint(again, search) == given
        for texts in both:
            lines = [texts.advice(reason, 0) for reason in given.reasons]
            assert faults(lines, texts.language) == []
        compared += 1
        if compared == 8:
            break
    assert compared > 4
    assert differed > 2


def test_a_hint_has_its_reason_on_the_page_and_in_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = small_session(AURUXXX, SMALL["auruxxx"])
    given = session.hint("search@100")
    data = hint_data(session, given, "en")
    first, *others = data["moves"]
    assert re.search(rf"(Chance|chance) to win .*in {STATES} sampled games", data["reasons"][0])
    assert others == [] or first["win"] is not None
    assert given.values.keys() == given.probabilities.keys()
    texts = Texts("en", AURUXXX, session.settings, session.names)
    Screen(session, texts).hint(given)
    assert f"{first['text']}: {' '.join(data['reasons'])}" in capsys.readouterr().out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_names_both_percentages(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    session = small_session(AURUXXX, SMALL["auruxxx"])
    given = session.hint("expert")
    assert len(given.values) > 1
    texts = Texts(language, AURUXXX, session.settings, session.names)
    Screen(session, texts).hint(given)
    _, heads, first, *_, about, _ = capsys.readouterr().out.splitlines()
    named = {"en": ["plays it", "chance to win"], "de": ["spielt ihn", "Gewinnchance"]}[language]
    assert re.split("  +", heads.strip()) == named
    action = next(iter(given.probabilities))
    share, win = given.probabilities[action], given.values[action]
    shown = [int(each) for each in re.findall(r"(\d+)\s?%", first)]
    assert shown == [round(100 * share), round(100 * win)]
    assert all(name.lower() in about.lower() for name in named)
    assert "expert" in about


def test_the_search_gives_hints_unless_another_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert {default_hint_agent(game) for game in GAMES.values()} == {"search"}
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\n"))
    out = ["--out", str(tmp_path), "--seed", "1", "--agents", "random"]
    assert main(["play", "auruxxx", "--players", "2", "--rules", "hand_size=4", *out]) == 0
    printed = capsys.readouterr().out
    assert "search would play:" in printed
    assert "--hints" not in printed
