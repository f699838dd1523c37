"""RLCard's agents with us, and ours with RLCard."""

from typing import Any

import numpy as np
import rlcard.utils
from rlcard.agents import RandomAgent

import goldgriff as gg
from goldgriff.examples.rlcard_agents import CardEnv, Ours, Theirs, train


def test_an_agent_of_rlcard_learns_and_plays_in_a_tournament() -> None:
    agent, decisions = train(2)
    assert decisions > 50
    assert agent.train_t > 0
    memory = agent.memory.memory
    assert sum(each.done for each in memory) == 2 * 3  # a round is an episode
    assert {each.reward for each in memory if each.done} == {0}
    paid = [each.reward * 12 for each in memory]  # for each card that left the hand
    assert max(paid) > 0.5
    assert min(paid) < -0.5
    assert np.allclose(paid, np.round(paid), atol=1e-4)
    agents: dict[str, Any] = {"rlcard": Theirs(agent), "random": "random"}
    result = gg.play_tournament("auruxxx", agents, num_players=2, deals=2, rules={"rounds": 1})
    assert result.to_dict()["agents"]["rlcard"]["forfeits"] == 0


def test_our_agents_play_in_rlcard() -> None:
    for game, num_players in (("auruxxx", 3), ("gluecksgriff", 2)):
        env = CardEnv(game, num_players, seed=1)
        ours = Ours(gg.load_agent("expert", game))
        env.set_agents([ours, *[RandomAgent(env.num_actions)] * (num_players - 1)])
        trajectories, payoffs = env.run(is_training=True)
        assert len(trajectories) == num_players
        assert np.isclose(payoffs.sum(), 0, atol=1e-5)
        assert payoffs.argmax() == 0  # the expert's
        first = trajectories[0][0]
        assert first["obs"].shape == tuple(env.state_shape[0])
        assert len(first["legal_actions"]) == len(first["raw_legal_actions"]) > 0
    means = rlcard.utils.tournament(env, 3)
    assert means[0] > means[1]


def test_a_seed_is_a_game() -> None:
    starts = [CardEnv(seed=seed).reset()[0]["obs"] for seed in (1, 1, 2)]
    assert (starts[0] == starts[1]).all()
    assert (starts[0] != starts[2]).any()
