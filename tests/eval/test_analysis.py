"""Analysis: a planted blunder is marked, a best move is not, and nothing hidden counts."""

import json
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
from goldgriff.errors import RecordError
from goldgriff.eval.analysis.analysis import (
    ERRORS,
    MARKS,
    Decision,
    GameAnalysis,
    analyse_decision,
)
from goldgriff.eval.analysis.estimates import Estimates
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.replay import StoredGame, read_game
from goldgriff.eval.tournament.store import Store
from goldgriff.eval.tournament.tournament import run_tournament

from .small import players_of, small_config

LAST_ROUND = {AURUXXX: {"rounds": 1}, GLUECKSGRIFF: {"point_limit": 10}}
BIG = ["r10", "b10", "g11", "y11", "v9"]
# Positions in which one move wins the game, or gives it away: the moves before, good and bad ones.
PLANTED: list[tuple[Game, dict[str, Any], list[str], str, str]] = [
    (AURUXXX, {"hands": [["gold"], BIG], "discard": ["r5"]}, [], "lay gold", "draw"),
    (AURUXXX, {"hands": [["gold", "swap"], BIG], "discard": ["r5"]}, [], "", "swap +1"),
    (
        GLUECKSGRIFF,
        {"hands": [["5"], ["2"]], "discard": ["5"], "scores": [9, 10]},
        ["lay 5"],
        "knock",
        "draw",
    ),
]


def planted(game: Game, position: dict[str, Any], moves: list[str]) -> Match:
    match = Match(game, game.settings.from_dict({"num_players": 2, **LAST_ROUND[game]}))
    match.start(1, position)
    for move in moves:
        match.play(move)
    return match


def player(game: Game) -> Player:
    return Player("expert", load_agent("expert", game))


@pytest.mark.parametrize(("game", "position", "moves", "best", "blunder"), PLANTED)
def test_a_planted_blunder_is_marked_and_a_best_move_is_not(
    game: Game, position: dict[str, Any], moves: list[str], best: str, blunder: str
) -> None:
    match = planted(game, position, moves)
    bad = analyse_decision(match, game.actions.index(blunder), player(game))
    assert bad.mark == "??"
    assert bad.loss > 0.1
    assert bad.values[bad.best] == max(bad.values.values())
    if best:
        assert game.actions[bad.best] == best
    good = analyse_decision(match, bad.best, player(game))
    assert (good.mark, good.loss, good.best) == ("", 0.0, bad.best)
    assert sum(good.probabilities.values()) == pytest.approx(1)
    assert good.probabilities.keys() == good.values.keys()


def test_a_loss_is_marked_from_its_threshold_on_and_beyond_its_error() -> None:
    def mark(loss: float, error: float) -> str:
        return Decision(1, 0, 0, 1, {}, {}, loss, error).mark

    (blunder, high), (mistake, low) = MARKS
    assert mark(low, low / ERRORS - 1e-9) == mistake
    assert mark(low, low / ERRORS) == ""
    assert mark(low - 1e-9, 0.0) == ""
    assert mark(high, 0.0) == blunder


def test_actions_are_compared_in_the_same_states() -> None:
    """What all actions share adds to the outcomes, not to the error of their difference."""
    luck = np.array([0.0, 1.0, 0.0, 1.0])
    estimates = Estimates((3, 5), np.stack([luck + 0.1, luck], axis=1))
    assert estimates.best() == 3
    assert estimates.lead(3, 5) == pytest.approx((0.1, 0.0))
    assert estimates.values == pytest.approx({3: 0.6, 5: 0.5})


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_analysis_depends_on_nothing_that_the_seat_does_not_know(game: Game) -> None:
    match = Match(game, {"num_players": 3})
    match.start(5)
    agent, rng, differed = player(game), np.random.default_rng(2), 0
    for number in range(24):
        legal = np.flatnonzero(match.mask)
        if len(legal) > 1 and number % 3 == 0:
            twin, seat = match.clone(), match.current_player
            (world,) = match.sample_states(seat, np.array([number], np.uint64))
            differed += world["hands"].tobytes() != match.state.hands.tobytes()
            for name in world.dtype.names:
                twin.state[name] = world[name]
            both = [analyse_decision(each, int(legal[0]), agent) for each in (match, twin)]
            assert both[0] == both[1]
        match.act(int(rng.choice(legal)))
        if match.over:
            break
    assert differed > 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with games of an expert and a random player."""
    folder = tmp_path_factory.mktemp("games")
    config = small_config("expert", "random", players=2, deals=2)
    with Store.create(folder / "games.sqlite", AURUXXX, dict(config.rules)) as store:
        run_tournament(config, players_of(config), store=store)
    return folder


def stored(folder: Path) -> StoredGame:
    with Store.open(folder) as store:
        return read_game(store, 1)


def test_every_decision_with_a_choice_is_analysed_once(folder: Path) -> None:
    game = stored(folder)
    analysis, match, choices = GameAnalysis(game, "expert"), Match(AURUXXX, game.settings), []
    match.start(game.seed)
    while not analysis.complete:
        if match.mask.sum() > 1:
            choices.append((len(match.moves) + 1, match.current_player))
        match.act(game.actions[analysis.done])
        analysis.step()
    assert [(one.move, one.seat) for one in analysis.decisions] == choices != []
    assert [one.played for one in analysis.decisions] == [game.actions[n - 1] for n, _ in choices]
    assert all(one.mark == "" for one in analysis.decisions if one.played == one.best)


def test_a_game_that_does_not_replay_is_one_clear_line(folder: Path) -> None:
    game = stored(folder)
    wrong = StoredGame(**{**vars(game), "actions": (255, *game.actions)})
    with pytest.raises(RecordError, match="game 1 does not replay: move 1"):
        GameAnalysis(wrong, "expert").step()


def test_the_command_prints_a_table_or_json(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["replay", str(folder), "1", "--analyse", "--agent", "expert"]
    assert main(given) == 0
    shown = capsys.readouterr().out
    assert "the value of each decision" in shown
    assert "sampled states" in shown
    assert main([*given, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    decisions = record["analysis"]["decisions"]
    assert record["analysis"]["agent"] == "expert"
    for one in decisions:
        assert record["moves"][one["move"] - 1] == one["played"]
        wins = {each["move"]: each["win"] for each in one["moves"]}
        assert max(wins.values()) == wins[one["best"]]
    for wrong, fault in (
        (given[:3] + given[4:], "--agent goes with --analyse"),
        ([*given[:4], "--agent", "nobody"], "unknown agent 'nobody'"),
    ):
        assert main(wrong) == 1
        assert fault in capsys.readouterr().err
