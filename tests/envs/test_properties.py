"""What holds in every game: conservation, masks, endings, rewards, round trips."""

import json
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match, replay
from goldgriff.errors import MoveError

from ..gluecksgriff.variants import EVERYTHING
from .playing import (
    BOTH_GAMES,
    SHORT,
    SMALL,
    VARIANTS,
    cards_on,
    deck_of,
    everything,
    random_play,
    started,
)


# --- Cards, masks, endings ----------------------------------------------------------------------
@VARIANTS
@pytest.mark.parametrize("seed", range(3))
def test_no_card_is_ever_lost_or_made(game: Game, variant: Any, seed: int) -> None:
    match, deck = started(game, variant, seed), deck_of(game, variant)
    assert cards_on(match) == deck
    for move in random_play(match, 700, seed):
        assert match.over or cards_on(match) == deck, move


@VARIANTS
def test_the_mask_is_exactly_the_legal_set(game: Game, variant: Any) -> None:
    match = started(game, variant)
    for _ in random_play(match, 100):
        before, position = everything(match), match.position()
        assert [game.actions[action] for action in np.flatnonzero(match.mask)] == match.legal
        for action in np.flatnonzero(match.mask == 0):
            with pytest.raises(MoveError):
                match.play(int(action))
        assert everything(match) == before
        if match.over:
            return
        for move in match.legal:
            copy = Match(game, variant)
            copy.start(1, position)
            copy.play(move)


NO_MOVES = {
    "negative": [-1, -(2**70)],
    "too large": [10**6, 2**63],
    "no whole number": [1.5, None],
    "no name": ["", "lay", "LAY r7", "LAY 7", "lay r13", "lay 15", "swap", "hand +1"],
}


@BOTH_GAMES
@pytest.mark.parametrize("moves", NO_MOVES.values(), ids=NO_MOVES.keys())
def test_what_is_no_move_is_refused_and_changes_nothing(game: Game, moves: list[Any]) -> None:
    match = started(game, game.settings.from_dict({"num_players": 3}))
    match.play(match.legal[0])
    before = everything(match)
    for move in (*moves, len(game.actions)):
        with pytest.raises(MoveError):
            match.play(move)
    assert everything(match) == before


@BOTH_GAMES
def test_a_refused_move_is_named_with_what_is_legal(game: Game) -> None:
    match = started(game, SMALL[game])
    illegal = next(name for name in game.actions if name not in match.legal)
    legal = ", ".join(match.legal[:3]).replace("+", r"\+")
    with pytest.raises(MoveError, match=rf"'{illegal}' is not legal here.*{legal}"):
        match.play(illegal)
    with pytest.raises(MoveError, match=rf"unknown move 'fly'.*{legal}"):
        match.play("fly")


@BOTH_GAMES
def test_nothing_is_legal_after_the_end(game: Game) -> None:
    match = started(game, SHORT[game])
    list(random_play(match, 10_000))
    assert (match.over, match.legal, int(match.mask.sum())) == (True, [], 0)
    for action in range(len(game.actions)):
        with pytest.raises(MoveError, match="after the end"):
            match.play(action)


OPTIONS = {"bluffing": True, "penalties": True, "late_knock": 50}
ENDINGS = [
    *((AURUXXX, {"preset": preset}, range(2, 7)) for preset in AURUXXX.settings.PRESETS),
    (GLUECKSGRIFF, {"max_decisions": 400}, range(2, 6)),
    (GLUECKSGRIFF, {"max_decisions": 400, **OPTIONS}, range(2, 6)),
]


@pytest.mark.parametrize(
    ("game", "rules", "players"),
    [(game, rules, number) for game, rules, numbers in ENDINGS for number in numbers],
)
def test_games_end_and_there_is_always_a_move_before(
    game: Game, rules: dict[str, Any], players: int
) -> None:
    fixed = game.settings.fixed_players(rules)
    match = started(
        game, game.settings.from_dict({**rules, "num_players": fixed or players}), players
    )
    for _ in random_play(match, 100 * 400):
        assert match.over == (not match.legal)
    assert match.over
    assert sum(match.win_shares()) == pytest.approx(1)
    assert game is AURUXXX or max(match.scores) > 100


# --- Rewards ------------------------------------------------------------------------------------
@VARIANTS
def test_points_are_the_others_mean_less_ones_own(game: Game, variant: Any) -> None:
    players, rounds = variant.num_players, 0
    for seed in range(5):
        match, scores = started(game, variant, seed), [0.0] * variant.num_players
        for _ in random_play(match, 4000, seed):
            gained = [new - old for new, old in zip(match.scores, scores, strict=True)]
            scores, total = match.scores, sum(gained)
            expected = [((total - own) / (players - 1) - own) / 100 for own in gained]
            assert match.rewards == pytest.approx(expected, abs=1e-6)
            assert float(match.rewards.sum()) == pytest.approx(0, abs=1e-5)
            rounds += any(gained)
    assert rounds >= 5


@VARIANTS
def test_winning_is_the_whole_reward_and_comes_last(game: Game, variant: Any) -> None:
    players = variant.num_players
    for seed in range(5):
        match = started(game, variant, seed, "win")
        for _ in random_play(match, 10_000, seed):
            if not match.over:
                assert not match.rewards.any()
        assert match.over
        best = min(match.scores)
        winners = match.scores.count(best)
        won, lost = (players / winners - 1) / (players - 1), -1 / (players - 1)
        expected = [won if score == best else lost for score in match.scores]
        assert match.rewards == pytest.approx(expected, abs=1e-6)
        assert float(match.rewards.sum()) == pytest.approx(0, abs=1e-6)


# --- Positions and game records there and back --------------------------------------------------
PHASES = {
    AURUXXX: {"play", "demand", "multiple"},
    GLUECKSGRIFF: {"play", "lay", "drawn", "hourglass", "giving", "magic"},
}


@VARIANTS
@pytest.mark.parametrize("seed", range(2))
def test_positions_go_through_json_unchanged(game: Game, variant: Any, seed: int) -> None:
    """In 500 decisions at least, and in more until every phase was met."""
    match, again = Match(game, variant), Match(game, variant)
    expected = PHASES[game] | ({"open", "prize"} if variant is EVERYTHING else set())
    phases, decisions = set[str](), 0
    for number in range(12):
        if decisions >= 500 and phases >= expected:
            break
        match.start(seed * 100 + number)
        for move in random_play(match, 200, number):
            if match.over:
                break
            position = match.position()
            again.start(99, json.loads(json.dumps(position)))
            assert again.position() == position, move
            assert again.legal == match.legal, move
            assert (again.mask == match.mask).all(), move
            assert again.scores == match.scores
            phases.add(position["phase"])
            decisions += 1
    assert phases >= expected


@VARIANTS
def test_one_seed_is_one_game(game: Game, variant: Any) -> None:
    match, twin, other = (started(game, variant, seed) for seed in (7, 7, 8))
    assert match.position() == twin.position() != other.position()
    for move in random_play(match, 400):
        twin.play(move)
        assert everything(match) == everything(twin)


@VARIANTS
@pytest.mark.parametrize("decisions", [0, 1, 50, 10_000])
def test_game_records_replay_identically(game: Game, variant: Any, decisions: int) -> None:
    match = started(game, variant, 2**64 - 1)
    played = list(random_play(match, decisions))
    again = replay(match.record())
    assert again.record() == match.record()
    assert again.settings == variant
    assert again.state.tobytes() == match.state.tobytes()
    assert json.loads(match.record())["moves"] == played


@BOTH_GAMES
def test_game_records_from_a_position_replay_identically(game: Game) -> None:
    first = started(game, SMALL[game], 3)
    list(random_play(first, 40))
    match = Match(game, SMALL[game])
    match.start(11, first.position())
    list(random_play(match, 100))
    assert replay(match.record()).state.tobytes() == match.state.tobytes()
