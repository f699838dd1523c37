"""What learners in torch have in common: a device, a perceptron, choosing among legal actions."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from ..agents.features.spec import FeatureSpec
from ..agents.heuristics.catalog import BasePolicy
from ..agents.network import ActionValueNetwork, Network
from ..agents.value import ValueNetwork
from ..envs.batch import derive_seeds
from ..envs.engine.game import Game
from ..envs.engine.observation import ObservationSpec
from ..envs.engine.protocol import Masks, RawObservations
from ..envs.policy import ObservationBatch
from ..errors import SettingsError
from .export import copy_layers, to_network
from .settings import RunSettings
from .tables import Tables

S = TypeVar("S", bound=NamedTuple)

ILLEGAL = -1e8  # a logit that leaves no chance at all
_NOTHING = torch.empty(0)


@dataclass(frozen=True, kw_only=True)
class DeviceSettings(RunSettings):
    """Settings of a run whose network may learn elsewhere than on the processor.

    device: `cpu` or `cuda` (another of torch's may lack what is needed); the games stay on the
        processor.
    """

    device: str = "cpu"

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            torch.zeros(1, device=self.device).cpu()
        except (RuntimeError, AssertionError, TypeError) as error:
            reason = str(error).splitlines()[0]
            raise SettingsError(f"device {self.device!r} cannot be used: {reason}") from None


class TorchLearner:
    """What algorithms in which all seats learn begin with (see `Learner` in train/algorithms.py).

    device: where networks and samples are. rng: the generator of all chance but the games'.
    PARTS: the names of networks and optimisers, which `state` keeps.
    """

    ONE_LEARNER = False
    PARTS: tuple[str, ...] = ()

    def __init__(self, tables: Tables, settings: DeviceSettings) -> None:
        self.tables, self._seed = tables, settings.seed
        self.device = torch.device(settings.device)
        torch.manual_seed(settings.seed)  # for the first weights
        self.rng = torch.Generator(self.device).manual_seed(settings.seed)
        self._steps = 0

    @property
    def steps(self) -> int:
        """Decisions made so far."""
        return self._steps

    def begin(self) -> None:
        """Deal the first games."""
        self.tables.reset()

    def state(self) -> dict[str, Any]:
        """All that `restore` needs; what is neither in PARTS nor here is for others to add."""
        parts = {name: getattr(self, name).state_dict() for name in self.PARTS}
        return parts | {
            "rng": self.rng.get_state(),
            "steps": self.steps,
            "tables": {name: torch.from_numpy(a) for name, a in self.tables.state().items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on exactly where `state` was asked for."""
        for name in self.PARTS:
            getattr(self, name).load_state_dict(state[name])
        self.rng.set_state(state["rng"])
        self._steps = state["steps"]
        self.tables.restore({name: tensor.numpy() for name, tensor in state["tables"].items()})

    def observations(self, raw: RawObservations, masks: Masks, step: int) -> ObservationBatch:
        """What the movers see in a step of the rollout, for a player of another kind."""
        tables = self.tables
        random_bits = derive_seeds(self._seed, tables.count, self.steps + step * tables.count)
        return ObservationBatch(tables.game, raw, masks, random_bits)

    def set_rate(self, optimizer: torch.optim.Optimizer, first: float, halve_every: int) -> None:
        """Let the learning rate halve, smoothly, with so many steps; 0 leaves it."""
        if halve_every:
            optimizer.param_groups[0]["lr"] = first * 0.5 ** (self.steps / halve_every)

    def to_device(self, array: NDArray[Any]) -> Tensor:
        """An array as a tensor where the network is."""
        return torch.from_numpy(array).to(self.device)


def scaled(raw: Tensor, scale: Tensor) -> Tensor:
    """Whole numbers, uint8 (rows, inputs), as float32, times a scale (inputs,)."""
    return raw.float().mul_(scale)  # in place: fresh memory costs more than the product


def forward_hidden(layers: Iterable[nn.Module], seen: Tensor) -> Tensor:
    """The last of some hidden layers, float32; ReLU after each.

    They round to bfloat16 where torch has been told that it may.
    """
    rough = torch.get_float32_matmul_precision() == "medium"
    with torch.autocast(seen.device.type, torch.bfloat16, enabled=rough):
        for layer in layers:
            seen = torch.relu(layer(seen))
    return seen.float()


class Trunk(nn.Module):
    """Hidden layers, ReLU after each, of what a player sees.

    more: the scale of what comes after the features, float32 (inputs,).
    """

    scale: Tensor

    def __init__(
        self, spec: ObservationSpec, hidden: Sequence[int], more: Tensor = _NOTHING
    ) -> None:
        super().__init__()
        scale = torch.cat([torch.from_numpy(spec.scale), more])
        widths = [len(scale), *hidden]
        self.trunk = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(widths))
        self.register_buffer("scale", scale, persistent=False)

    def see(self, raw: Tensor) -> Tensor:
        """The last hidden layer of inputs, uint8 (rows, slices.size) or as many more."""
        return forward_hidden(self.trunk, scaled(raw, self.scale))


class MLPHead(Trunk):
    """A linear layer, the head, on a trunk."""

    def __init__(
        self, spec: ObservationSpec, hidden: Sequence[int], outputs: int, more: Tensor = _NOTHING
    ) -> None:
        super().__init__(spec, hidden, more)
        self.head = nn.Linear(hidden[-1], outputs)

    def forward(self, raw: Tensor) -> Tensor:
        """Float32 (rows, outputs) of what `Trunk.see` takes."""
        numbers: Tensor = self.head(self.see(raw))
        return numbers

    @property
    def layers(self) -> list[nn.Linear]:
        """All linear layers, the head last."""
        hidden: list[Any] = list(self.trunk)
        return [*hidden, self.head]

    def begin_as(self, player: Network) -> None:
        """Take over a player's numbers. Raises SettingsError when its layers have other shapes."""
        wanted = [tuple(layer.weight.shape) for layer in self.layers]
        if [weight.shape for weight, _ in player.layers] != wanted:
            raise SettingsError(f"a network to begin as must have layers of the shapes {wanted}")
        for layer, (weight, bias) in zip(self.layers, player.layers, strict=True):
            layer.load_state_dict({"weight": torch.tensor(weight), "bias": torch.tensor(bias)})


class ActionNet(MLPHead):
    """A number for each action, a value or a logit, of what a player sees."""

    def __init__(self, game: Game, hidden: Sequence[int], more: Tensor = _NOTHING) -> None:
        super().__init__(game.observation_spec, hidden, len(game.actions), more)

    def player(self, adviser: BasePolicy | None = None) -> Network:
        """The network as a player to whom its numbers are logits. adviser: see `Network`."""
        return to_network(self.layers, adviser)


class ValueNet(MLPHead):
    """What something is worth, of numbers that tell it (agents/features/spec.py).

    more: see `Trunk`.
    """

    def __init__(
        self, spec: ObservationSpec, hidden: Sequence[int], more: Tensor = _NOTHING
    ) -> None:
        super().__init__(spec, hidden, 1, more)

    def forward(self, numbers: Tensor) -> Tensor:
        """Float32 (...) of descriptions, uint8 (..., slices.size) or as many more."""
        return super().forward(numbers).squeeze(-1)


class ActionValueNet(ValueNet):
    """What a move is worth, or its logit."""

    def __init__(self, description: FeatureSpec, hidden: Sequence[int]) -> None:
        super().__init__(description.action_spec, hidden)
        self.description = description

    def player(self, adviser: BasePolicy, critic: ValueNetwork | None = None) -> ActionValueNetwork:
        """The network as a player to whom its numbers are logits. The rest: see `ActionValueNetwork`."""
        return ActionValueNetwork(copy_layers(self.layers), adviser, self.description, critic)


def legal_logs(logits: Tensor, masks: Tensor) -> Tensor:
    """Log-probabilities of all actions, (rows, actions); illegal ones have no chance at all."""
    return logits.masked_fill(~masks, ILLEGAL).log_softmax(dim=1)


def sample(logs: Tensor, rng: torch.Generator | None = None) -> Tensor:
    """An action for each row, int64 (rows,), each with its probability.

    rng: left out, it is torch's own generator.
    """
    sums = logs.softmax(dim=1).cumsum(dim=1)  # exp would be slow where it comes to nothing
    points = 1 - torch.rand(len(sums), 1, generator=rng, device=sums.device)
    return torch.searchsorted(sums, points * sums[:, -1:]).squeeze(1)  # above 0: none is illegal


def best_legal(values: Tensor, masks: Tensor) -> Tensor:
    """The legal action of the highest value for each row, int64 (rows,)."""
    return values.masked_fill(~masks, -torch.inf).argmax(dim=1)


def explore(values: Tensor, masks: Tensor, epsilon: float, rng: torch.Generator) -> Tensor:
    """The best legal action of each row or, with a chance of `epsilon`, any legal one."""
    noise = torch.rand(values.shape, generator=rng, device=values.device)
    anything = best_legal(noise, masks)
    venture = torch.rand(len(values), generator=rng, device=values.device) < epsilon
    return torch.where(venture, anything, best_legal(values, masks))


def batches(count: int, size: int, rng: torch.Generator) -> Iterator[Tensor]:
    """All numbers below `count`, once each, in random order and in parts of `size` or less."""
    yield from torch.split(torch.randperm(count, generator=rng, device=rng.device), size)


def some_of(samples: S, rows: Tensor) -> S:
    """The samples in some rows; faster than indexing each part."""
    return samples._make(part.index_select(0, rows) for part in samples)


def moving_average(net: nn.Module, memory: float, device: torch.device) -> AveragedModel:
    """A network that follows another, in which the past weighs `memory` at each update."""
    average = get_ema_multi_avg_fn(memory)  # type: ignore[no-untyped-call]
    return AveragedModel(net, device=device, multi_avg_fn=average)


def descend(
    loss: Tensor, net: nn.Module, optimizer: torch.optim.Optimizer, max_grad_norm: float
) -> None:
    """Make a gradient step; gradients longer than `max_grad_norm` are cut."""
    optimizer.zero_grad(set_to_none=True)
    torch.autograd.backward(loss)
    nn.utils.clip_grad_norm_(net.parameters(), max_grad_norm)
    optimizer.step()
