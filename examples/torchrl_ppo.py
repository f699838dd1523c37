"""PPO of TorchRL on a fast environment: an `EnvBase` whose rows are games played in one call."""

from typing import Any

import common
import numpy as np
import torch
from tensordict import TensorDict, TensorDictBase
from tensordict.nn import ProbabilisticTensorDictModule, ProbabilisticTensorDictSequential
from tensordict.nn import TensorDictModule as Module
from torch import Tensor
from torchrl.collectors import Collector
from torchrl.data import Binary, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase
from torchrl.modules import MaskedCategorical
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import goldgriff as gg

NUM_ENVS, STEPS, MINIBATCH, EPOCHS = 256, 32, 1024, 4


class CardGames(EnvBase):
    """Games with one learner each as a batched environment of TorchRL.

    A row whose game has ended shows its last observation; `_reset` then shows the first one of the
    game that has already begun.

    Args:
        game: The game's name.
        num_envs: Number of games.
        **options: As `goldgriff.make_vec` takes them.
    """

    def __init__(self, game: str, num_envs: int, **options: Any) -> None:
        super().__init__(batch_size=[num_envs])
        self.games = gg.make_vec(gg.get_game(game), num_envs, **options)
        size = self.games.single_observation_space.shape[0]
        actions = int(self.games.single_action_space.n)
        self.observation_spec = Composite(
            observation=Unbounded((num_envs, size)),
            action_mask=Binary(shape=(num_envs, actions), dtype=torch.bool),
            shape=(num_envs,),
        )
        self.action_spec = Categorical(actions, shape=(num_envs,))
        self.reward_spec = Unbounded((num_envs, 1))
        flag = Categorical(2, shape=(num_envs, 1), dtype=torch.bool)
        self.done_spec = Composite(
            done=flag, terminated=flag.clone(), truncated=flag.clone(), shape=(num_envs,)
        )
        self._seed: int | None = None

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDict:
        which = None if tensordict is None else tensordict.get("_reset", None)
        if which is None or bool(which.all()):
            self._now = self._seen(*self.games.reset(seed=self._seed))
            self._seed = None
        elif not bool(torch.isin(which.view(-1).nonzero(), self._ended).all()):
            raise NotImplementedError("only rows whose game has ended can be reset alone")
        return TensorDict(self._now, batch_size=self.batch_size)

    def _step(self, tensordict: TensorDictBase) -> TensorDict:
        observations, rewards, terminated, truncated, infos = self.games.step(
            tensordict["action"].numpy()
        )
        self._now = self._seen(observations, infos)
        over = torch.from_numpy(terminated | truncated)
        self._ended = over.nonzero()
        last = dict(self._now)
        if len(self._ended):
            final = torch.from_numpy(infos["final_obs"])
            last["observation"] = torch.where(over[:, None], final, last["observation"])
        return TensorDict(
            {
                **last,
                "reward": torch.from_numpy(rewards)[:, None],
                "done": over[:, None],
                "terminated": torch.from_numpy(terminated)[:, None],
                "truncated": torch.from_numpy(truncated)[:, None],
            },
            batch_size=self.batch_size,
        )

    def _set_seed(self, seed: int | None) -> None:
        self._seed = seed

    def _seen(self, observations: np.ndarray[Any, Any], infos: dict[str, Any]) -> dict[str, Tensor]:
        masks = torch.from_numpy(infos["action_mask"]).bool()
        return {"observation": torch.from_numpy(observations), "action_mask": masks}


def main() -> None:
    """Train, and evaluate."""
    args = common.parse(__doc__, timesteps=250_000)
    env = CardGames("auruxxx", NUM_ENVS, num_players=2, player=None, reward="win")
    env.set_seed(args.seed)
    inputs = env.observation_spec["observation"].shape[-1]
    policy = common.network(inputs, env.action_spec.n)
    actor = ProbabilisticTensorDictSequential(
        Module(policy, in_keys=["observation"], out_keys=["logits"]),
        ProbabilisticTensorDictModule(
            in_keys={"logits": "logits", "mask": "action_mask"},
            out_keys=["action"],
            distribution_class=MaskedCategorical,
            return_log_prob=True,
        ),
    )
    value = Module(common.network(inputs, 1), in_keys=["observation"], out_keys=["state_value"])
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=value)
    loss = ClipPPOLoss(actor, value, entropy_coeff=0.01, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), lr=5e-4)
    frames = NUM_ENVS * STEPS
    total = max(1, args.timesteps // frames) * frames
    collector = Collector(
        *(env, actor),
        frames_per_batch=frames,
        total_frames=total,
        auto_register_policy_transforms=False,
    )
    with common.Stopwatch() as watch:
        for data in collector:
            with torch.no_grad():
                advantage(data)
            rows = data.reshape(-1)
            for _ in range(EPOCHS):
                for chosen in torch.randperm(frames).split(MINIBATCH):
                    losses = loss(rows[chosen])
                    optimizer.zero_grad()
                    parts = [part for name, part in losses.items() if name.startswith("loss_")]
                    sum(parts).backward()
                    torch.nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                    optimizer.step()

    @torch.no_grad()
    def choose(observations: Any, masks: Any) -> Any:
        return common.best_legal(policy(torch.as_tensor(observations)), masks)

    common.report("torchrl", choose, total, watch, args)


if __name__ == "__main__":
    main()
