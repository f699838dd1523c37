"""Networks in torch, and what the learners share: device, sampling, gradient steps, export."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ..agents.checkpoints import MAX_WEIGHT
from ..agents.mlp import Layer
from ..agents.network import Network
from ..envs.batch import derive_seeds
from ..envs.engine.game import Game
from ..envs.engine.observation import ObservationSpec
from ..envs.engine.protocol import Masks, RawObservations
from ..envs.engine.settings import whole
from ..envs.policy import ObservationBatch
from ..errors import SettingsError, quoted
from .self_play import SelfPlayEnvs
from .settings import RunSettings

S = TypeVar("S", bound=NamedTuple)

ILLEGAL_LOGIT = -1e8  # its probability is 0


@dataclass(frozen=True, kw_only=True)
class DeviceSettings(RunSettings):
    """Settings of a run whose networks may learn on another device than the CPU.

    Attributes:
        device: `cpu` or `cuda` (other devices of torch may lack operations). The games stay on the
            CPU.
    """

    device: str = "cpu"

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            torch.zeros(1, device=self.device).cpu()
        except (RuntimeError, AssertionError, TypeError) as error:
            reason = str(error).splitlines()[0]
            raise SettingsError(f"device {quoted(self.device)} cannot be used: {reason}") from None


@dataclass(frozen=True, kw_only=True)
class ActorSettings(RunSettings):
    """Settings of an algorithm whose samples may come from actors.

    Attributes:
        actors: Processes that play, each an equal part of the games, while the learner learns from
            what all of them have played (see train/actors.py); 0: the learner plays itself.
    """

    actors: int = whole(0, least=0, most=1024)


class TorchLearner:
    """Base of the algorithms in which all seats learn (see `Learner` in train/algorithms.py).

    Attributes:
        STATEFUL: Names of the networks and optimisers that `state` saves.
        envs: The games.
        device: Where networks and samples are.
        rng: Generator of all random numbers outside the games.
        num_timesteps: Decisions made so far.
    """

    ONE_LEARNER = False
    STATEFUL: tuple[str, ...] = ()

    def __init__(self, envs: SelfPlayEnvs, settings: RunSettings) -> None:
        self.envs, self._seed = envs, settings.seed
        self.device = torch.device(getattr(settings, "device", "cpu"))
        torch.manual_seed(settings.seed)  # for the initial weights
        self.rng = torch.Generator(self.device).manual_seed(settings.seed)
        self.num_timesteps = 0

    def begin(self) -> None:
        """Start the first games."""
        self.envs.reset(self._seed)

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs; subclasses add what is not in STATEFUL."""
        own = {name: getattr(self, name).state_dict() for name in self.STATEFUL}
        return own | self.games_state() | {"num_timesteps": self.num_timesteps}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue exactly where `state` was called."""
        for name in self.STATEFUL:
            getattr(self, name).load_state_dict(state[name])
        self.num_timesteps = state["num_timesteps"]
        self.restore_games(state)

    def games_state(self) -> dict[str, Any]:
        """Return the part of `state` that playing changes."""
        envs = {name: torch.from_numpy(a) for name, a in self.envs.state().items()}
        return {"rng": self.rng.get_state(), "envs": envs}

    def restore_games(self, state: dict[str, Any]) -> None:
        """Play on exactly where `games_state` was called."""
        self.rng.set_state(state["rng"])
        self.envs.restore({name: tensor.numpy() for name, tensor in state["envs"].items()})

    def weights(self) -> dict[str, dict[str, Tensor]]:
        """Return all networks' weights, on the CPU."""
        nets = {name: getattr(self, name) for name in self.STATEFUL}
        return {
            name: {key: weight.cpu() for key, weight in net.state_dict().items()}
            for name, net in nets.items()
            if isinstance(net, nn.Module)
        }

    def load_weights(self, weights: Mapping[str, Mapping[str, Tensor]]) -> None:
        """Take the weights of another learner."""
        for name, state in weights.items():
            getattr(self, name).load_state_dict(state)

    def observations(self, raw: RawObservations, masks: Masks, step: int) -> ObservationBatch:
        """Return the observations of step `step` since the last update, for another policy."""
        count = self.envs.num_games
        random_bits = derive_seeds(self._seed, count, self.num_timesteps + step * count)
        return ObservationBatch(self.envs.game, raw, masks, random_bits)

    def decay(self, optimizer: torch.optim.Optimizer, initial: float, half_life: int) -> None:
        """Set the learning rate that is left of an initial one; see `halved`."""
        optimizer.param_groups[0]["lr"] = halved(initial, self.num_timesteps, half_life)

    def to_device(self, array: NDArray[Any]) -> Tensor:
        """Return an array as a tensor on the device."""
        return torch.from_numpy(array).to(self.device)


def halved(initial: float, timesteps: int, half_life: int) -> float:
    """Return `initial * 0.5 ** (timesteps / half_life)`; with 0 as half-life it stays the same."""
    return initial * 0.5 ** (timesteps / half_life) if half_life else initial


# --- Networks -----------------------------------------------------------------------------------


def to_float(raw: Tensor, scale: Tensor) -> Tensor:
    """Return uint8 (rows, inputs) as float32, multiplied by `scale` (inputs,)."""
    return raw.float().mul_(scale)  # in place: allocating memory costs more than the product


def forward_hidden(layers: Iterable[nn.Module], inputs: Tensor) -> Tensor:
    """Return the output of hidden layers, float32, with ReLU after each.

    They compute in bfloat16 where torch's precision of matrix products is `medium`.
    """
    rough = torch.get_float32_matmul_precision() == "medium"
    with torch.autocast(inputs.device.type, torch.bfloat16, enabled=rough):
        for layer in layers:
            inputs = torch.relu(layer(inputs))
    return inputs.float()


class Trunk(nn.Module):
    """Hidden layers with ReLU.

    Args:
        spec: Of the observations.
        hidden: Widths of the layers.
    """

    scale: Tensor

    def __init__(self, spec: ObservationSpec, hidden: Sequence[int]) -> None:
        super().__init__()
        scale = torch.from_numpy(spec.scale).clone()
        widths = [len(scale), *hidden]
        self.trunk = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(widths))
        self.register_buffer("scale", scale, persistent=False)

    def features(self, raw: Tensor) -> Tensor:
        """Return the last hidden layer, float32 (rows, width), of uint8 (rows, inputs)."""
        return forward_hidden(self.trunk, to_float(raw, self.scale))


class ActionNet(Trunk):
    """A value or a logit for each action of the game, by what its player sees."""

    def __init__(self, game: Game, hidden: Sequence[int]) -> None:
        super().__init__(game.observation_spec, hidden)
        self.head = nn.Linear(hidden[-1], len(game.actions))

    def forward(self, raw: Tensor) -> Tensor:
        """Return float32 (rows, actions) of uint8 (rows, inputs)."""
        outputs: Tensor = self.head(self.features(raw))
        return outputs

    def export(self) -> Network:
        """Return the agent whose logits are the outputs."""
        return Network(copy_layers([*self.trunk, self.head]))


# --- Actions ------------------------------------------------------------------------------------


def masked_log_softmax(logits: Tensor, masks: Tensor) -> Tensor:
    """Return log-probabilities, (rows, actions); illegal actions have probability 0."""
    return logits.masked_fill(~masks, ILLEGAL_LOGIT).log_softmax(dim=1)


def masked_entropy(logs: Tensor, masks: Tensor) -> Tensor:
    """Return the mean entropy of rows of log-probabilities."""
    legal = logs.masked_fill(~masks, 0)  # illegal actions contribute exp(0) * 0
    return -(legal.exp() * legal).sum(dim=1).mean()


def masked_divergence(logs: Tensor, others: Tensor, masks: Tensor) -> Tensor:
    """Return the mean Kullback-Leibler divergence of log-probabilities from others, row by row."""
    difference = (logs - others).masked_fill(~masks, 0)
    return (logs.exp() * difference).sum(dim=1).mean()


def sample_actions(logs: Tensor, rng: torch.Generator | None = None) -> Tensor:
    """Sample an action for each row of log-probabilities, int64 (rows,); rng: None is torch's."""
    sums = logs.softmax(dim=1).cumsum(dim=1)  # exp is slow where its result is close to 0
    points = 1 - torch.rand(len(sums), 1, generator=rng, device=sums.device)
    return torch.searchsorted(sums, points * sums[:, -1:]).squeeze(1)  # above 0: none is illegal


def masked_argmax(values: Tensor, masks: Tensor) -> Tensor:
    """Return the legal action of the highest value for each row, int64 (rows,)."""
    return values.masked_fill(~masks, -torch.inf).argmax(dim=1)


def epsilon_greedy(values: Tensor, masks: Tensor, epsilon: float, rng: torch.Generator) -> Tensor:
    """Return the best legal action of each row or, with probability `epsilon`, a random one."""
    noise = torch.rand(values.shape, generator=rng, device=values.device)
    explores = torch.rand(len(values), generator=rng, device=values.device) < epsilon
    return torch.where(explores, masked_argmax(noise, masks), masked_argmax(values, masks))


# --- Updates ------------------------------------------------------------------------------------


def minibatches(count: int, size: int, rng: torch.Generator) -> Iterator[Tensor]:
    """Yield all numbers below `count` once, in random order, in parts of at most `size`."""
    yield from torch.split(torch.randperm(count, generator=rng, device=rng.device), size)


def take_rows(samples: S, rows: Tensor) -> S:
    """Return some rows of all columns; faster than indexing each column."""
    return samples._make(column.index_select(0, rows) for column in samples)


def gradient_step(
    loss: Tensor, net: nn.Module, optimizer: torch.optim.Optimizer, max_grad_norm: float
) -> None:
    """Make one step; a gradient longer than `max_grad_norm` is clipped."""
    optimizer.zero_grad(set_to_none=True)
    torch.autograd.backward(loss)
    nn.utils.clip_grad_norm_(net.parameters(), max_grad_norm)
    optimizer.step()


# --- Export to NumPy ----------------------------------------------------------------------------


def copy_layers(layers: Iterable[nn.Module]) -> list[Layer]:
    """Return weights and biases of linear layers as arrays."""
    states = [layer.state_dict() for layer in layers]
    arrays = [[state[name].cpu().numpy().copy() for name in ("weight", "bias")] for state in states]
    return [(weight, bias) for weight, bias in arrays]


def multiply_logits(network: Network, factor: float) -> Network:
    """Return the agent with its logits multiplied by an inverse temperature.

    The factor is smaller where a weight would exceed what a checkpoint may hold.
    """
    *hidden, (weight, bias) = network.layers
    largest = max(float(abs(weight).max()), float(abs(bias).max()), 1e-9)
    times = np.float32(min(factor, 0.99 * MAX_WEIGHT / largest))
    return network.with_layers([*hidden, (weight * times, bias * times)])
