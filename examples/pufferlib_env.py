"""A game as a `PufferEnv`: one learner in each of many games, in PufferLib's shared buffers.

PufferLib has no place for action masks (its `masks` say which agents live), so a row is the
observation followed by the mask, and a policy splits it: `observation, mask = split(row)`.

    python examples/pufferlib_env.py --seconds 5
"""

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import pufferlib
import pufferlib.vector
from numpy.typing import NDArray

import goldgriff as gg

WARM_UP = 20  # steps


class CardPufferEnv(pufferlib.PufferEnv):
    """Many games in one environment; a game that ends is followed by the next one."""

    def __init__(
        self,
        game: str = "auruxxx",
        num_games: int = 512,
        opponents: str = "random",
        buf: Any = None,
        seed: int = 0,  # noqa: ARG002 (PufferLib gives it; `reset` takes the one that counts)
        **options: Any,
    ) -> None:
        self.games = gg.make_vec(gg.get_game(game), num_games, opponents=opponents, **options)
        kind = gg.get_game(game)
        self.size, actions = kind.observation_spec.size, len(kind.actions)
        self.single_observation_space = gymnasium.spaces.Box(
            0, 1, (self.size + actions,), np.float32
        )
        self.single_action_space = self.games.single_action_space
        self.num_agents = num_games
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.float32], list[dict[str, float]]]:
        """Start new games."""
        observations, infos = self.games.reset(seed=seed)
        self._show(observations, infos)
        return self.observations, []

    def step(self, actions: NDArray[Any]) -> Any:
        """Play the learners' decisions; the info has the mean win share of games that ended."""
        observations, rewards, terminated, truncated, infos = self.games.step(actions.ravel())
        self._show(observations, infos)
        self.rewards[:], self.terminals[:], self.truncations[:] = rewards, terminated, truncated
        ended = np.flatnonzero(terminated | truncated)
        logs = []
        if len(ended):
            logs = [{"win_share": float(infos["final_info"]["win_shares"][ended, 0].mean())}]
        return self.observations, self.rewards, self.terminals, self.truncations, logs

    def close(self) -> None:
        """Do nothing; there is nothing to close."""

    def _show(self, observations: NDArray[np.float32], infos: dict[str, Any]) -> None:
        self.observations[:, : self.size] = observations
        self.observations[:, self.size :] = infos["action_mask"]


def split(rows: NDArray[Any], actions: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return observations and masks of rows; works for tensors, too."""
    return rows[:, :-actions], rows[:, -actions:]


def main() -> None:
    """Play random legal actions in two environments, in this process and in two others."""
    parser = argparse.ArgumentParser(description="decisions a second under pufferlib.vector")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each (%(default)s)")
    parser.add_argument("--game", default="auruxxx", help="(%(default)s)")
    args = parser.parse_args()
    rng = np.random.default_rng(1)
    for backend in (pufferlib.vector.Serial, pufferlib.vector.Multiprocessing):
        options = {"num_workers": 2} if backend is pufferlib.vector.Multiprocessing else {}
        envs = pufferlib.vector.make(
            CardPufferEnv,
            env_kwargs={"game": args.game, "num_players": 2},
            backend=backend,
            num_envs=2,
            **options,
        )
        rows, _ = envs.reset(seed=1)
        actions = envs.single_action_space.n
        shares: list[float] = []
        done, steps, began = 0, 0, 0.0
        while steps <= WARM_UP or time.perf_counter() - began < args.seconds:
            if steps == WARM_UP:  # the rules are compiled by now
                done, began = 0, time.perf_counter()
            steps += 1
            _, masks = split(rows, actions)
            assert set(np.unique(masks)) == {0, 1}
            chosen = (masks * rng.random(masks.shape)).argmax(axis=1)
            rows, _rewards, _terminals, _truncations, logs = envs.step(chosen)
            shares += [log["win_share"] for log in logs]
            done += len(rows)
        speed = done / (time.perf_counter() - began)
        print(f"{backend.__name__}: {speed:,.0f} decisions a second, {np.mean(shares):.2f} won")
        envs.close()


if __name__ == "__main__":
    main()
