"""Every algorithm trains on every tiny preset."""

from pathlib import Path

import pytest

import goldgriff
from goldgriff.envs.engine.game import GAMES
from goldgriff.errors import AgentError
from goldgriff.eval.game_theory.exploit import exploit
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.api import TrainingRun

CASES = [
    (game, preset)
    for game in GAMES
    for preset in GAMES[game].settings.PRESETS
    if preset.startswith("tiny-")
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "preset"), CASES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_trains_on_it(
    game: str, preset: str, algorithm: str, tmp_path: Path
) -> None:
    """All but `rollout` in Glücksgriff, which has no features of actions."""

    rules = {"preset": preset}

    def train() -> TrainingRun:
        return goldgriff.train_agent(game, algorithm, preset="smoke", rules=rules, out=tmp_path)

    if (game, algorithm) == ("gluecksgriff", "rollout"):
        with pytest.raises(AgentError, match="gluecksgriff has no features of actions"):
            train()
        return
    assert 0 < exploit(game, train().best, rules).nash_conv < 4


def test_both_games_have_three_of_them() -> None:
    assert [preset for _, preset in CASES] == ["tiny-a", "tiny-b", "tiny-c"] * 2
