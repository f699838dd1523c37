"""Does the history help? MaskablePPO with and without it, both against the same opponent.

    python examples/studies/history_policy.py auruxxx --history 24 --timesteps 163840 --seeds 1 2 3

With the history, a GRU (Cho et al., 2014, arXiv 1406.1078) reads the newest public events of the
round, and its last state joins the observation. The control sees the observation alone; its first
hidden layer is wider, so both networks have about as many parameters. The trained networks are
measured and dropped, since agents get no histories.
"""

import argparse
from collections.abc import Iterator
from functools import partial
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.utils import obs_as_tensor
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn
from torch import Tensor, nn

from goldgriff.agents.registry import load_agent
from goldgriff.envs.aec import learner_space, observation_space
from goldgriff.envs.batch import Batch
from goldgriff.envs.engine.events import EVENT_FIELDS
from goldgriff.envs.engine.game import GAMES, Game, get_game
from goldgriff.envs.engine.history import Events
from goldgriff.envs.engine.protocol import RawObservations, Rows
from goldgriff.envs.engine.settings import GameSettings
from goldgriff.envs.history import history_space
from goldgriff.envs.policy import Policy
from goldgriff.envs.self_play import LEARNER, SelfPlayBatch
from goldgriff.eval.tournament.statistics import DIFFERENCES, SHARES, Estimate, estimate
from goldgriff.train.maskable_ppo import (
    LeanPolicy,
    MaskableSettings,
    SharedTrunk,
    new_model,
    shared_trunk,
)
from goldgriff.train.opponent_pool import OpponentPool
from goldgriff.train.runner import set_up_torch
from goldgriff.train.self_play import SelfPlayEnvs
from goldgriff.train.vec_env import SelfPlayVecEnv

WIDTH = 32  # of an embedded event and of the GRU's state
EMBEDDED = ("kind", "actor", "other", "card")
SETTINGS: dict[str, Any] = {"n_envs": 128, "n_steps": 64, "batch_size": 1024, "self_play": 0.0}
_SEED = 2**32 + 1  # of the deals: above the seeds of runs, and other deals than an evaluator's
_LINE = "{:>5}  {:<11} {:>10} {:>10}  {:<17} {:>18}"
_HEADINGS = ("seed", "history", "parameters", "win share", "95 % interval", "steps a CPU second")


class EventEncoder(nn.Module):
    """A GRU over the events of a `history_space`, oldest first.

    It has no biases, so rows of zeros before the first event leave its state at zero.
    """

    def __init__(self, space: spaces.Box) -> None:
        super().__init__()
        highest = dict(zip(EVENT_FIELDS, space.high[0].tolist(), strict=True))
        self.embeddings = nn.ModuleDict(
            {name: nn.Embedding(highest[name] + 1, WIDTH, padding_idx=0) for name in EMBEDDED}
        )
        self.count = nn.Linear(1, WIDTH, bias=False)
        self.gru = nn.GRU(WIDTH, WIDTH, bias=False, batch_first=True)

    def forward(self, events: Tensor) -> Tensor:
        """Return the last state, float32 (rows, WIDTH), of events, (rows, history, fields)."""
        columns = dict(zip(EVENT_FIELDS, events.unbind(dim=2), strict=True))
        embedded = self.count(columns["count"].float().log1p().unsqueeze(2))
        for name, embedding in self.embeddings.items():
            embedded = embedded + embedding(columns[name].long())
        state: Tensor = self.gru(embedded)[1].squeeze(0)
        return state


class HistoryTrunk(BaseFeaturesExtractor):
    """A `SharedTrunk` over an observation and its encoded events.

    Args:
        observation_space: `Dict(observation, history)`, observations scaled.
        hidden: Widths of the hidden layers.
    """

    def __init__(self, observation_space: spaces.Dict, hidden: list[int]) -> None:
        super().__init__(observation_space, features_dim=hidden[-1])
        seen: Any = observation_space["observation"]
        events: Any = observation_space["history"]
        self.encoder = EventEncoder(events)
        self.trunk = SharedTrunk(spaces.Box(-1, 1, (seen.shape[0] + WIDTH,)), hidden)

    def forward(self, observations: dict[str, Tensor]) -> Tensor:
        """Return features, float32 (rows, hidden[-1])."""
        encoded = self.encoder(observations["history"])
        features: Tensor = self.trunk(torch.cat([observations["observation"], encoded], dim=1))
        return features


def control_hidden(space: spaces.Dict, hidden: list[int]) -> list[int]:
    """Return widths of a network without history with about as many parameters as one with.

    `space` is `Dict(observation, history)`; `hidden` are the other network's widths, two or more.
    """
    seen: Any = space["observation"]
    without = num_parameters(SharedTrunk(seen, hidden))
    missing = num_parameters(HistoryTrunk(space, hidden)) - without
    return [hidden[0] + round(missing / (seen.shape[0] + 1 + hidden[1])), *hidden[1:]]


def num_parameters(module: nn.Module) -> int:
    """Return how many weights and biases a module has."""
    return sum(parameter.numel() for parameter in module.parameters())


class HistoryVecEnv(SelfPlayVecEnv):
    """A `SelfPlayVecEnv` whose observations are scaled, with the events that its games keep.

    Where the games keep a history, an observation is a dict of `observation` and `history`, int32
    (games, history, 6).
    """

    def __init__(self, games: SelfPlayEnvs, seed: int) -> None:
        super().__init__(games, seed)
        self.observation_space = observation_space(games.game)
        if games.history_length:
            most = max((batch.settings for batch in games.batches), key=lambda s: s.num_players)
            past = history_space(games.game, most, games.history_length)
            both: dict[str, spaces.Space[Any]] = {"observation": self.observation_space}
            self.observation_space = spaces.Dict(both | {"history": past})

    def step_wait(self) -> VecEnvStepReturn:
        """Step every game to its learner's next decision; return what `VecEnv` defines."""
        observations, rewards, dones, infos = super().step_wait()
        ended = self.games.ended_games
        for row, *last in zip(ended.rows.tolist(), ended.raw, ended.history, strict=True):
            infos[row] = {"terminal_observation": show(self.games.game, *last)}
        return observations, rewards, dones, infos

    def observe(self) -> Any:
        """Return the learners' observations; `action_masks` returns their masks from here on."""
        return show(self.games.game, super().observe(), self.games.observe_history())


def show(game: Game, raw: RawObservations, events: Events) -> Any:
    """Return scaled observations with their events, or alone where no events are kept."""
    scaled = game.observation_spec.to_float(raw)
    return {"observation": scaled, "history": events} if events.size else scaled


class Trained(NamedTuple):
    """A trained policy, how many events it is given, and its training's steps a CPU second."""

    policy: LeanPolicy
    history: int
    steps_per_second: float


def train_both(
    game: Game, rules: GameSettings, opponent: Policy, settings: MaskableSettings, history: int
) -> Iterator[Trained]:
    """Yield the control and then the policy with a history, trained alike.

    Args:
        game: The kind of game.
        rules: Its settings.
        opponent: Who sits in all other seats.
        settings: Of both trainings.
        history: How many events the second policy is given, from 1.
    """
    space: Any = learner_space(game, rules, history)
    control = shared_trunk(control_hidden(space, settings.hidden))
    with_history = control | {
        "features_extractor_class": HistoryTrunk,
        "features_extractor_kwargs": {"hidden": settings.hidden},
    }
    for length, trunk in ((0, control), (history, with_history)):
        pool = OpponentPool([opponent], 0, settings.self_play)
        batch = (game, [rules], settings.n_envs, pool)
        envs = SelfPlayEnvs(*batch, reward=settings.reward, history=length)
        model = new_model(HistoryVecEnv(envs, settings.seed), settings, trunk)
        begin = process_time()
        model.learn(settings.total_timesteps)
        assert isinstance(model.policy, LeanPolicy)
        yield Trained(model.policy, length, model.num_timesteps / (process_time() - begin))


def win_shares(
    game: Game, rules: GameSettings, trained: Trained, opponent: Policy, deals: int
) -> NDArray[np.float64]:
    """Return the win share of a policy in each deal, float64 (deals,).

    It plays every deal once in each seat, the opponent in all others; the deals are always the
    same. Its actions are sampled.
    """
    shares = []
    torch.manual_seed(0)
    for seat in range(rules.num_players):
        batch = Batch(game, rules, deals, history=trained.history)
        seating = np.where(np.arange(rules.num_players) == seat, LEARNER, 0)
        games = SelfPlayBatch([batch], partial(_seat, seating), {0: opponent})
        games.reset(_SEED)
        rows = games.rows
        while len(rows):
            games.advance(_act(trained.policy, games, rows), rows)
            rows = np.flatnonzero(~games.over)
        shares.append(games.results(games.rows).win_shares[:, seat])
    mean: NDArray[np.float64] = np.mean(shares, axis=0)
    return mean


def _seat(seating: Rows, _: int, games_begun: Rows, __: NDArray[np.uint64]) -> Rows:
    return np.tile(seating, (len(games_begun), 1))


def _act(policy: LeanPolicy, games: SelfPlayBatch, rows: Rows) -> Rows:
    raw, masks = games.observe(rows)
    shown = show(games.game, raw, games.observe_history(rows))
    observations: Any = obs_as_tensor(shown, torch.device("cpu"))
    with torch.no_grad():
        actions: Rows = policy(observations, action_masks=masks)[0].numpy()
    return actions


def main() -> None:
    """Train with each seed with and without history, and print what they win."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("game", choices=GAMES)
    add("--players", type=int, default=2)
    add("--history", type=int, default=24, help="newest events that the second policy sees")
    add("--timesteps", type=int, default=400_000, help="decisions that each policy learns from")
    add("--deals", type=int, default=1000, help="measured, each played once in every seat")
    add("--seeds", type=int, nargs="+", default=[1, 2], help="of the trainings")
    add("--opponent", default="expert", help="in all other seats, in training and measured")
    options = parser.parse_args()
    game = get_game(options.game)
    rules = game.settings.from_dict({"num_players": options.players})
    opponent = load_agent(options.opponent, game)
    set_up_torch(1)
    print(f"{game.name}, {options.players} players: win share against {options.opponent}")
    print(_LINE.format(*_HEADINGS))
    for seed in options.seeds:
        settings = MaskableSettings(seed=seed, total_timesteps=options.timesteps, **SETTINGS)
        shares = []
        for trained in train_both(game, rules, opponent, settings, options.history):
            shares.append(win_shares(game, rules, trained, opponent, options.deals))
            name = f"{trained.history} events" if trained.history else "none"
            size, rate = num_parameters(trained.policy), trained.steps_per_second
            _print(seed, name, f"{size:,}", estimate(shares[-1], 0, SHARES), f"{rate:,.0f}")
        difference = estimate(shares[1] - shares[0], 0, DIFFERENCES)
        _print(seed, "difference", "", difference, "", "+")


def _print(seed: int, name: str, size: str, share: Estimate, rate: str, sign: str = "") -> None:
    mean, low, high = (f"{100 * x:{sign}.1f}" for x in (share.mean, share.low, share.high))
    print(_LINE.format(seed, name, size, f"{mean} %", f"{low} to {high}", rate), flush=True)


if __name__ == "__main__":
    main()
