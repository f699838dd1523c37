"""PettingZoo's tutorial for action masks with Stable-Baselines3, on Auruxxx.

One model plays for every agent of the AEC environment, the way the tutorial has it play Connect
Four: a gymnasium environment whose observation is that of the next agent, and whose reward is that
of the agent that has just acted.
"""

from typing import Any

import common
import gymnasium
import pettingzoo
from pettingzoo.utils import BaseWrapper
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker

import goldgriff  # noqa: F401 (registers the environments)


class NextAgentEnv(BaseWrapper, gymnasium.Env):
    """An AEC environment for one model that plays for whoever is next."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        agent = env.possible_agents[0]
        self.observation_space = env.observation_space(agent)["observation"]
        self.action_space = env.action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Start a game."""
        super().reset(seed=seed, options=options)
        return self._seen()["observation"], {}

    def step(self, action: int) -> Any:
        """Play a decision; the reward is that of the agent that made it."""
        agent = self.agent_selection
        super().step(int(action))
        return (
            self._seen()["observation"],
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def mask(self) -> Any:
        """Return the legal actions, int8 (actions,)."""
        return self._seen()["action_mask"]

    def _seen(self) -> Any:
        return self.env.observe(self.agent_selection)


def main() -> None:
    """Train as the tutorial does, and evaluate."""
    args = common.parse(__doc__, timesteps=100_000)
    env = pettingzoo.make("aec", "goldgriff/auruxxx_v0", num_players=2, reward="win")
    model = MaskablePPO("MlpPolicy", ActionMasker(NextAgentEnv(env), NextAgentEnv.mask))
    model.set_random_seed(args.seed)
    with common.Stopwatch() as watch:
        model.learn(args.timesteps)

    def choose(observations: Any, masks: Any) -> Any:
        return model.predict(observations, action_masks=masks, deterministic=True)[0]

    common.report("sb3-contrib", choose, model.num_timesteps, watch, args)


if __name__ == "__main__":
    main()
