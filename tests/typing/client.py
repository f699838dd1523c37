"""What a strict program of a user may rely on: checked by mypy and pyright, and run once."""

from pathlib import Path
from typing import Any, assert_type

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import goldgriff as gg
from goldgriff.agents.ensemble import PlayerCountEnsemble
from goldgriff.agents.network import Network
from goldgriff.envs.aec import CardGameEnv
from goldgriff.envs.policy import CompiledPolicy, RandomPolicy
from goldgriff.envs.vector import SingleAgentVectorEnv
from goldgriff.train.api import TrainingRun


def lowest(
    observation: NDArray[np.float32], action_mask: NDArray[np.int8], info: dict[str, int]
) -> int:
    """Play the first legal action, as a function."""
    assert observation.size
    assert info["num_players"] > info["seat"]
    return int(action_mask.argmax())


class Lowest:
    """The same as a class."""

    def act(self, batch: gg.ObservationBatch) -> NDArray[np.int64]:
        """Return the first legal action of each row."""
        return np.asarray(batch.masks.argmax(axis=1), np.int64)


class Remembering:
    """The same with a memory: the number of its decisions in a game."""

    def initial_agent_state(self, rows: int) -> NDArray[np.int64]:
        """Return the memory of new games."""
        return np.zeros(rows, np.int64)

    def act(
        self, batch: gg.ObservationBatch, agent_state: Any
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the first legal action of each row, and the next memory."""
        return np.asarray(batch.masks.argmax(axis=1), np.int64), agent_state + 1


class Counting(gg.Agent):
    """The same with `act_on`, and a state of its own."""

    asked = 0

    def act(self, batch: gg.ObservationBatch) -> NDArray[np.int64]:
        """Return the first legal action of each row."""
        self.asked += len(batch)
        return np.asarray(batch.masks.argmax(axis=1), np.int64)


def shares(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pay what a player has less than the most."""
    return np.asarray(points.max() - points, np.float64)


def play_aec() -> list[float]:
    """Play a game of the PettingZoo environment; return the scores."""
    env = gg.make(
        "auruxxx_v0", num_players=3, max_decisions=40, reward=shares, illegal_reward=-1, history=2
    )
    assert_type(env, CardGameEnv)
    env.reset(seed=1)
    agent = gg.load_agent("expert", "auruxxx")
    assert_type(agent, gg.Agent)
    for _name in env.agent_iter():
        _observation, _reward, terminated, truncated, _info = env.last()
        action = None if terminated or truncated else agent.act_on(env)
        assert_type(action, int | None)
        env.step(action)
    assert_type(env.state(), NDArray[np.float32])
    return env.match.scores


def count_seats(game: str, settings: dict[str, Any]) -> list[int]:
    """Return the seats of some environments that are made with settings by name."""
    envs = [
        gg.make("auruxxx", edition="italian", hand_size=1, deck={"r1": 10, "gold": 4}),
        gg.make("Glücksgriff", 3, bluffing=True, fend_off="turn", reward="rank", history=2),
        gg.make(
            "gluecksgriff_v1", blanks=[{"name": "Owl", "points": 5, "effect": "look"}], jokers=2
        ),
        gg.make(gg.get_game(game), **settings),
        gg.make(gg.get_game(game), **settings, render_mode="ansi"),
    ]
    assert_type(envs, list[CardGameEnv])
    return [len(env.possible_agents) for env in envs]


def play_vector() -> NDArray[np.float32]:
    """Step the vector environment once; return the rewards."""
    envs = gg.make_vec(
        "Glücksgriff",
        num_envs=4,
        opponents=["expert", lowest],
        num_players=3,
        illegal="raise",
        autoreset_mode=AutoresetMode.NEXT_STEP,
    )
    assert_type(envs, SingleAgentVectorEnv)
    _observations, infos = envs.reset(seed=1)
    _observations, rewards, *_ = envs.step(infos["action_mask"].argmax(axis=1))
    return np.asarray(rewards, np.float32)


def count_sb3() -> int:
    """Return the number of games that Stable-Baselines3 is given."""
    env = gg.sb3_vec_env("auruxxx", num_envs=3, opponents="expert", reward="win", rounds=1)
    return int(env.num_envs)


def play_match() -> int:
    """Play on from a copy and from a sampled state; return the moves made."""
    match = gg.Match("auruxxx", {"num_players": 2})
    match.start(3)
    assert_type(match.clone(), gg.Match)
    states = match.sample_states(0, np.arange(1, 3, dtype=np.uint64))
    world = gg.Match.from_state(match.game, match.settings, states[0])
    assert_type(world, gg.Match)
    batch = gg.Batch.from_states("auruxxx", match.settings, states)
    assert_type(batch, gg.Batch)
    assert_type(gg.load_agent(RandomPolicy(), match.game), RandomPolicy)
    assert_type(gg.load_agent(Counting(), "auruxxx"), Counting)
    agents: list[gg.Agent] = [
        gg.load_agent(lowest, "auruxxx"),
        gg.load_agent(Lowest, "auruxxx"),
        gg.load_agent(Lowest(), "auruxxx"),
        gg.load_agent(Remembering, "auruxxx"),
        gg.load_agent(Remembering(), "auruxxx"),
        gg.load_agent("tests.players:First", "auruxxx"),
    ]
    for agent in agents:
        assert_type(agent.act_on(world), int)
        world.act(agent.act_on(world))
    compiled: CompiledPolicy = RandomPolicy()
    assert gg.load_agent(compiled, "auruxxx") is compiled
    return len(world.moves)


def compete() -> int:
    """Return the games of a tournament of agents of all kinds."""
    result = gg.play_tournament("auruxxx", [Remembering(), Remembering, lowest, "random"], deals=2)
    return result.results.games


def train(out: Path) -> TrainingRun:
    """Train until a callback says that it is enough."""

    def enough(figures: dict[str, float]) -> bool:
        return figures["updates"] < 2

    run = gg.train_agent("auruxxx", "ppo", preset="smoke", num_players=2, on_update=enough, out=out)
    assert_type(run, TrainingRun)
    assert_type(run.figures, list[dict[str, float]])
    assert_type(run.best, Network | PlayerCountEnsemble)
    return run


def share(run: TrainingRun, folder: Path) -> Path:
    """Write agents as model repositories, and one in ONNX; return the path of that file."""
    run.save_pretrained(folder / "run")
    loaded = gg.from_pretrained(folder / "run")
    assert_type(loaded, Network | PlayerCountEnsemble)
    loaded.save_pretrained(folder / "again")
    champion = gg.load_agent("champion", "gluecksgriff")
    assert_type(champion, PlayerCountEnsemble)
    champion.save_pretrained(folder / "champion")
    return gg.export_onnx(loaded, "auruxxx", folder / "policy.onnx")


def is_refused(name: Any) -> bool:
    """Return whether there is no such game."""
    try:
        assert_type(gg.get_game(name), gg.Game)
    except gg.GoldgriffError:
        return True
    return False
