"""The study of policies with a history: what the encoder does, and what the study prints."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from gymnasium import spaces

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.events import EVENT_FIELDS
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.engine.settings import GameSettings
from goldgriff.envs.history import history_space
from goldgriff.envs.policy import RandomPolicy
from goldgriff.examples.studies.history_policy import (
    WIDTH,
    EventEncoder,
    HistoryVecEnv,
    Trained,
    main,
    num_parameters,
    train_both,
    win_shares,
)
from goldgriff.train.maskable_ppo import MaskableSettings

from ..train.small import new_envs, random_actions

HISTORY = 12
SHORT: dict[str, dict[str, Any]] = {"auruxxx": {"rounds": 1}, "gluecksgriff": {"point_limit": 10}}


SETTINGS = MaskableSettings(
    n_envs=8, n_steps=32, batch_size=64, hidden=[32, 16], self_play=0.0, total_timesteps=512
)


def train(game: Game, players: int, **settings: Any) -> Iterator[tuple[Trained, GameSettings]]:
    """Yield both policies, trained against a random one, and the settings of their games."""
    rules = game.settings.from_dict({"num_players": players, **SHORT[game.name]})
    changed = replace(SETTINGS, **settings)
    for trained in train_both(game, rules, RandomPolicy(), changed, HISTORY):
        yield trained, rules


def encoder() -> tuple[EventEncoder, torch.Tensor]:
    """Return an encoder and five histories of different events."""
    torch.manual_seed(1)
    rules = AURUXXX.settings.from_dict({"num_players": 3})
    space = history_space(AURUXXX, rules, HISTORY)
    high = np.minimum(space.high, 20)
    events = np.random.default_rng(1).integers(1, high + 1, (5, *space.shape))
    return EventEncoder(space), torch.from_numpy(events).float()


def test_padding_does_not_change_what_the_encoder_returns() -> None:
    encode, events = encoder()
    alone = encode(events)
    assert alone.shape == (5, WIDTH)
    padded = torch.cat([torch.zeros(5, 7, len(EVENT_FIELDS)), events], dim=1)
    assert torch.equal(encode(padded), alone)
    assert not encode(torch.zeros_like(events)).any()


def test_order_and_each_field_count() -> None:
    encode, events = encoder()
    alone = encode(events)
    assert (encode(events.flip(1)) - alone).abs().max(dim=1).values.min() > 1e-3
    for name in ("kind", "actor", "other", "card", "count"):
        changed = events.clone()
        changed[:, -1, EVENT_FIELDS.index(name)] -= 1
        assert (encode(changed) - alone).abs().max(dim=1).values.min() > 1e-4, name


@pytest.mark.parametrize("name", GAMES)
def test_both_policies_are_trained_and_measured(name: str) -> None:
    game, sizes, control_first = GAMES[name], [], (0, HISTORY)
    for (trained, rules), history in zip(train(game, 3), control_first, strict=True):
        policy: Any = trained.policy
        assert trained.history == history
        assert isinstance(policy.observation_space, spaces.Dict) == bool(history)
        assert policy.features_dim == 16
        assert trained.steps_per_second > 0
        sizes.append(num_parameters(policy))
        shares, again = (win_shares(game, rules, trained, RandomPolicy(), 4) for _ in range(2))
        assert shares.shape == (4,)
        assert ((shares >= 0) & (shares <= 1)).all()
        assert (shares == again).all()
    assert sizes[0] == pytest.approx(sizes[1], rel=0.02)


def test_the_encoder_learns() -> None:
    before, after = (
        next(one.policy.state_dict() for one, _ in train(AURUXXX, 2, **rate) if one.history)
        for rate in ({"learning_rate": 1e-9}, {})
    )
    for name in ("gru.weight_hh_l0", "embeddings.card.weight", "count.weight"):
        key = f"features_extractor.encoder.{name}"
        assert (before[key] - after[key]).abs().max() > 1e-4


def test_the_table(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    options = "--timesteps 1 --deals 2 --seeds 3 4 --history 2 --opponent random"
    monkeypatch.setattr("sys.argv", ["history_policy.py", "auruxxx", *options.split()])
    main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "auruxxx, 2 players: win share against random"
    assert [line.split()[:2] for line in lines[2:]] == [
        [seed, name] for seed in "34" for name in ("none", "2", "difference")
    ]
    assert re.fullmatch(r" +3  2 events +137,144 +[\d.]+ %  [\d.]+ to [\d.]+ +[\d,]+", lines[3])


def test_the_learner_is_shown_its_own_history() -> None:
    env = HistoryVecEnv(new_envs(2, 3, count=6, self_play=0.0, history=12, rounds=1), 3)
    games, rng, ended = env.games, np.random.default_rng(0), 0
    observations: Any = env.reset()
    for _ in range(200):
        assert env.observation_space.contains({key: rows[0] for key, rows in observations.items()})
        for batch, rows in zip(games.batches, (slice(0, 3), slice(3, 6)), strict=True):
            known = batch.observe_history(games.learners[rows])
            assert (observations["history"][rows] == known).all()
        observations, _, _, infos = env.step(random_actions(env.env_method("action_masks"), rng))
        for info in infos:
            ended += bool(info)
            assert not info or env.observation_space.contains(info["terminal_observation"])
    assert observations["history"].any()
    assert ended
