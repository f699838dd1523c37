"""Neural Fictitious Self-Play: targets, buffers, which policy a seat follows, resuming."""

from typing import Any

import numpy as np
import pytest
import torch

from goldgriff.errors import SettingsError
from goldgriff.train.buffers import ReplayBuffer, ReservoirBuffer
from goldgriff.train.nfsp import NFSP, NFSPSettings, double_q_targets

from .learners import SMALL, envs_of, same, share_against_random

CPU = torch.device("cpu")
BUFFERS = {"buffer_size": 600, "reservoir_size": 200, "batch_size": 64, "gradient_steps": 4}


def new_nfsp(**given: Any) -> NFSP:
    settings = NFSPSettings.from_dict({**SMALL, **BUFFERS, **given})
    learner = NFSP(envs_of(settings), settings)
    learner.begin()
    return learner


def test_targets_by_hand() -> None:
    """The online network chooses among legal actions only, the target's says what that is worth."""
    online = torch.tensor([[1.0, 2.0, 9.0], [5.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    target = torch.tensor([[10.0, 20.0, 30.0], [40.0, 50.0, 60.0], [70.0, 80.0, 90.0]])
    masks = torch.tensor([[True, True, False], [True, True, True], [True, True, True]])
    over = torch.tensor([False, False, True])
    targets = double_q_targets(torch.tensor([1.0, 2.0, 3.0]), over, online, target, masks, 0.5)
    assert targets.tolist() == [1 + 0.5 * 20, 2 + 0.5 * 40, 3]


def add(replay: ReplayBuffer, numbers: list[int], players: list[int]) -> None:
    """Decisions that are known by their feature and action."""
    shown = torch.tensor(numbers)
    masks = torch.ones(len(numbers), 4, dtype=torch.bool)
    replay.add(shown[:, None].to(torch.uint8), masks, shown, torch.tensor(players))


def drawn(replay: ReplayBuffer) -> list[int]:
    places: list[int] = replay.sample(100, torch.Generator().manual_seed(1)).tolist()
    return places


def test_a_decision_is_followed_by_its_seats_own_next_one() -> None:
    """One table, two seats: 0, 1, 1, 0, and the game ends, which pays seat 0 and costs seat 1."""
    replay = ReplayBuffer(8, 1, 4, (1, 2), CPU)
    nothing, over = torch.tensor([False]), torch.tensor([True])
    for number, (player, reward) in enumerate([(0, 1.0), (1, 2.0), (1, 4.0)]):
        add(replay, [number], [player])
        replay.add_rewards(torch.tensor([[reward, -reward]]), nothing)
    assert set(drawn(replay)) == {1}
    add(replay, [3], [0])
    replay.add_rewards(torch.tensor([[8.0, -8.0]]), over)
    assert replay.rewards[:4].tolist() == [7, -2, -12, 8]
    assert replay.next_rows[:2].tolist() == [3, 2]
    assert replay.terminal(torch.arange(4)).tolist() == [False, False, True, True]
    add(replay, [4], [0])  # of the next game: nothing of the last one leads here
    assert replay.next_rows[:2].tolist() == [3, 2]
    assert set(drawn(replay)) == {0, 1, 2, 3}


def test_the_oldest_decisions_make_way_and_late_news_of_them_is_dropped() -> None:
    """Seat 1 waits so long that its decision is overwritten: what it earns goes to nobody."""
    replay = ReplayBuffer(4, 1, 4, (2, 2), CPU)
    nothing = torch.tensor([False, False])
    add(replay, [0, 1], [1, 1])
    for number in (2, 4, 6):
        add(replay, [number, number + 1], [0, 0])
        replay.add_rewards(torch.tensor([[1.0, 100.0], [1.0, 100.0]]), nothing)
    assert replay.actions.tolist() == [4, 5, 6, 7]
    assert replay.rewards.tolist() == [1, 1, 1, 1]
    assert replay.next_rows[:2].tolist() == [2, 3]
    add(replay, [8, 9], [1, 1])
    assert replay.next_rows[2:].tolist() == [-1, -1]


def test_a_reservoir_keeps_every_decision_with_the_same_chance() -> None:
    """200 decisions in batches of differing sizes, 20 places: each is kept in a tenth of trials."""
    rng, trials = torch.Generator().manual_seed(5), 1000
    kept = np.zeros(200)
    for _ in range(trials):
        reservoir, begun = ReservoirBuffer(20, 1, 1, CPU), 0
        for size in (5, 40, 1, 0, 60, 94):
            shown = torch.arange(begun, begun + size)
            masks = torch.ones(size, 1, dtype=torch.bool)
            reservoir.add(shown[:, None].to(torch.uint8), masks, shown, rng)
            begun += size
        assert len(set(reservoir.actions.tolist())) == 20
        assert (reservoir.raw[:, 0] == reservoir.actions).all()
        kept[reservoir.actions.numpy()] += 1
    spread = np.sqrt(trials * 0.1 * 0.9)
    assert abs(kept - trials * 0.1).max() < 4.5 * spread
    assert abs(kept.reshape(4, 50).mean(axis=1) - trials * 0.1).max() < 4.5 * spread / 50**0.5


def test_seats_change_their_policy_only_between_games() -> None:
    learner = new_nfsp(anticipatory_param=0.5, n_steps=1, players=[2, 3])
    before, changed = learner.responding.clone(), 0
    for _ in range(150):
        learner._play()
        goes_on = np.ones(learner.envs.num_games, np.bool_)
        goes_on[learner.envs.ended_games.rows] = False
        assert (learner.responding == before)[torch.from_numpy(goes_on)].all()
        changed += int((learner.responding != before).sum())
        before = learner.responding.clone()
    assert changed > 0


@pytest.mark.parametrize(("eta", "all_of_them"), [(0.0, False), (1.0, True)])
def test_only_best_responses_are_imitated(eta: float, all_of_them: bool) -> None:
    learner = new_nfsp(anticipatory_param=eta, players=[2, 4])
    learner.update()
    assert learner.num_timesteps == learner.replay.added == 8 * 32
    assert learner.reservoir.added == (8 * 32 if all_of_them else 0)
    rows = torch.arange(learner.reservoir.filled)
    kept = learner.reservoir
    assert kept.masks[rows, kept.actions[rows]].all()  # whatever was done was legal


def test_resuming_from_a_state_is_exact() -> None:
    whole, halves = new_nfsp(players=[2, 3]), new_nfsp(players=[2, 3])
    for _ in range(4):
        whole.update()
        halves.update()
    assert halves.replay.added > halves.replay.size
    assert halves.reservoir.added > 0
    later = new_nfsp(players=[2, 3])
    later.restore(halves.state())
    for _ in range(8):
        assert whole.update() == later.update()
    assert same(whole.state(), later.state())


def test_a_state_holds_no_more_than_what_is_filled() -> None:
    learner = new_nfsp(anticipatory_param=1.0)
    learner.update()
    state = learner.state()
    assert len(state["replay"]["raw"]) == 256
    assert state["replay"]["raw"].untyped_storage().nbytes() == 256 * 291


@pytest.mark.slow
def test_its_average_learns_to_beat_random_play() -> None:
    learner = new_nfsp(
        n_envs=32,
        n_steps=64,
        hidden=[64],
        anticipatory_param=0.5,
        epsilon=0.5,
        buffer_size=20_000,
        reservoir_size=20_000,
        batch_size=128,
        gradient_steps=32,
        learning_rate=1e-3,
        policy_learning_rate=3e-3,
        target_every_updates=1,
    )
    for _ in range(45):
        learner.update()
    assert share_against_random(learner.export()) > 0.56


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"anticipatory_param": -0.1}, "anticipatory_param must be a number from 0 to 1, not -0.1"),
        ({"buffer_size": 100}, "buffer_size must be at least 128, which is n_envs"),
        ({"device": "abacus"}, "device 'abacus' cannot be used: "),
    ],
)
def test_settings_are_refused_in_one_line(given: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        NFSPSettings.from_dict(given)
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)
