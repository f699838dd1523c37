"""Observations in whole games: raw ones by the page, and every float one as the raw one divided."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import goldgriff
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.envs.policy import observation_batch
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.envs.vector import SingleAgentVectorEnv

from ..auruxxx.observed import expected as expect_auruxxx
from ..gluecksgriff.observed import expected as expect_gluecksgriff
from ..gluecksgriff.variants import EVERYTHING, READINGS
from ..observations import Expect, compare, divided

EXPECT: dict[str, Expect] = {"auruxxx": expect_auruxxx, "gluecksgriff": expect_gluecksgriff}
THIEVES = {"colours": 2, "number_copies": 3, "hand_size": 4, "swaps": 12, "steals": 12}
VARIANTS: dict[str, tuple[Game, dict[str, Any]]] = {
    **{f"auruxxx-{players}": (AURUXXX, {"num_players": players}) for players in (2, 4)},
    "auruxxx-6": (AURUXXX, {"num_players": 6, "preset": "english", **THIEVES}),
    "auruxxx-italian": (AURUXXX, {"num_players": 3, "preset": "italian", "rounds": 1}),
    **{f"gluecksgriff-{players}": (GLUECKSGRIFF, {"num_players": players}) for players in (2, 5)},
    "gluecksgriff-everything": (GLUECKSGRIFF, EVERYTHING.to_dict()),
    "gluecksgriff-readings": (GLUECKSGRIFF, READINGS.to_dict() | {"num_players": 5}),
}
# The most players, and the last feature set: who sits before a seat holds a Golden 12 that it knows
# of, or the last of the readings is chosen.
MOST: dict[Game, tuple[dict[str, Any], dict[str, Any]]] = {
    AURUXXX: (
        {"num_players": 6, "rounds": 1},
        {
            "hands": [["y7", "y8"], *([f"g{seat}", "gold"] for seat in range(1, 6))],
            "discard": ["v4"],
            "known": [
                [["gold"] if other not in (0, seat) else [] for other in range(6)]
                for seat in range(6)
            ],
        },
    ),
    GLUECKSGRIFF: (
        {"num_players": 5, "joker_knock": "wide"},
        {"hands": [["7", "joker", f"{seat}"] for seat in range(4)] + [["9", "5"]],
         "discard": ["4"]},
    ),
}  # fmt: skip
GAMES = pytest.mark.parametrize("game", MOST, ids=lambda game: game.name)


@pytest.mark.parametrize("variant", VARIANTS)
def test_observations_in_random_games_are_those_of_the_page(variant: str) -> None:
    game, settings = VARIANTS[variant]
    rng, match = random.Random(variant), Match(game, game.settings.from_dict(settings))
    for _ in range(4):
        match.start(rng.randrange(2**64))
        for _ in range(60):
            compare(match, EXPECT[game.name])
            if match.over:
                break
            match.play(rng.choice([move for move in match.legal if move != "call"] or match.legal))


# --- Floats ---------------------------------------------------------------------------------------
def same(game: Game, floats: NDArray[np.float32], raw: NDArray[np.uint8]) -> bool:
    """Whether floats are raw observations divided as the page says."""
    assert floats.dtype == np.float32
    assert floats.shape == raw.shape
    return np.allclose(floats, divided(game.name, raw), rtol=1e-6, atol=0)


def most(game: Game) -> tuple[Any, dict[str, Any]]:
    """Settings and a position with the most players, where the last feature is set."""
    settings, position = MOST[game]
    return game.settings.from_dict(settings), position


def decisions(game: Game, number: int = 40) -> Iterator[Match]:
    """A game with the most players, decision by decision."""
    settings, position = most(game)
    match, rng = Match(game, settings), random.Random(3)
    match.start(1, position)
    assert match.raw[-1] > 0
    for _ in range(number):
        yield match
        if match.over:
            return
        match.play(rng.choice(match.legal))


@GAMES
def test_floats_of_a_match_and_of_agents(game: Game) -> None:
    for match in decisions(game):
        raw, _ = match.observe(match.current_player)
        assert (raw[0] == match.raw).all()
        assert same(game, match.observation, match.raw)
        assert same(game, game.observation_spec.to_float(raw), raw)


@GAMES
def test_floats_of_a_batch_and_of_its_agents(game: Game) -> None:
    settings, position = most(game)
    size, actions = game.observation_spec.size, len(game.actions)
    floats, masks = np.zeros((4, size), np.float32), np.zeros((4, actions), np.int8)
    batch = Batch(game, settings, 4, out=(floats, masks))
    batch.start(derive_seeds(1, 4), position=position)
    rng = np.random.default_rng(2)
    for step in range(40):
        playing = batch.rows[batch.states["over"] == 0]
        asked = observation_batch(batch, playing, derive_seeds(step, len(playing)))
        assert same(game, asked.scaled, asked.raw)
        assert (batch.raw[playing] == asked.raw).all()
        assert same(game, floats[playing], asked.raw)
        assert step or (floats[:, -1] > 0).all()
        batch.step(
            np.array([rng.choice(np.flatnonzero(masks[row])) for row in playing], np.int64), playing
        )


@GAMES
def test_floats_of_the_aec_environment(game: Game) -> None:
    settings, position = most(game)
    env = goldgriff.make(game, **settings.to_dict())
    env.reset(seed=1, options={"position": position})
    rng = np.random.default_rng(4)
    assert env.observe(env.agent_selection)["observation"][-1] > 0
    for _ in range(40):
        for seat, agent in enumerate(env.possible_agents):
            raw, _ = env.match.observe(seat)
            assert same(game, env.observe(agent)["observation"][None], raw)
        if env.match.over:
            return
        env.step(rng.choice(np.flatnonzero(env.match.mask)))


@GAMES
@pytest.mark.parametrize("player", [0, 3])
def test_floats_of_the_environments_of_one_learner(game: Game, player: int) -> None:
    settings, position = most(game)
    single = SingleAgentEnv(game, settings, player=player)
    vector = SingleAgentVectorEnv(game, settings, 3, player=player)
    observation, _ = single.reset(seed=1, options={"position": position})
    observations, infos = vector.reset(seed=1, options={"position": position})
    rng = np.random.default_rng(5)
    for _ in range(12):
        raw, _ = single.match.observe(player)
        assert same(game, observation[None], raw)
        raw, _ = vector.games.observe(seats=np.full(3, player))
        assert same(game, observations, raw)
        observation, _, over, cut, _ = single.step(
            rng.choice(np.flatnonzero(single.action_masks()))
        )
        chosen = [rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]]
        observations, _, _, _, infos = vector.step(np.array(chosen))
        if over or cut:
            return
