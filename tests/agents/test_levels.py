"""Levels: each beats the one below, errs by the random bits alone, and tells how often it errs."""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from goldgriff.agents.levels import LEVELS
from goldgriff.agents.registry import fingerprint, load_agent, load_level
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.eval.tournament.config import tournament_config
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.tournament import run_tournament

from .helpers import rows_of, some_observations

BOTH = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
STEPS = [*pairwise(LEVELS)]


def test_the_ratings_are_those_of_the_documentation(root: Path) -> None:
    page = (root / "docs/agents/levels.md").read_text()
    rows = re.findall(r"^\| `(level-\d)` \| (\d+) \(.*\| (\d+) \(", page, re.MULTILINE)
    stated = {name: {"auruxxx": int(one), "gluecksgriff": int(two)} for name, one, two in rows}
    assert stated == {name: level.ratings for name, level in LEVELS.items()}


@BOTH
@pytest.mark.slow
@pytest.mark.parametrize("pair", STEPS, ids="-".join)
def test_each_level_beats_the_one_below(game: Game, pair: tuple[str, str]) -> None:
    config = tournament_config(
        game, pair, game.settings.from_dict({"num_players": 2}), deals=100, seed=6
    )
    results = run_tournament(config, [Player(name, load_agent(name, game)) for name in pair])
    assert results.standings[0].name == pair[1]
    assert results.standings[0].win_share.low > 0.5


@BOTH
def test_a_level_chooses_by_the_probabilities_it_tells(game: Game) -> None:
    weakest = load_agent("level-1", game)
    observations = some_observations(rows=1, decisions=9, game=game)
    many = rows_of(observations, [0] * 20_000, derive_seeds(1, 20_000))
    told = weakest.action_probabilities(observations)[0]  # type: ignore[attr-defined]
    counts = np.bincount(weakest.act(many), minlength=len(told))
    legal = observations.masks[0] == 1
    assert told[legal].min() > 0
    assert told[~legal].max() == 0
    assert counts / len(many) == pytest.approx(told, abs=0.015)


@BOTH
def test_the_highest_level_is_the_champion(game: Game) -> None:
    observations = some_observations(game=game)
    champion, highest = load_agent("champion", game), load_level(game.name, "level-6")
    expected = champion.action_probabilities(observations)
    assert highest.action_probabilities(observations) == pytest.approx(expected)
    assert fingerprint("level-1", game) == fingerprint("champion", game) != ""
