"""What learners in torch have in common: a device, a perceptron, choosing among legal actions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from goldgriff.agents.network import Network
from goldgriff.envs.core.errors import SettingsError
from goldgriff.envs.core.game import Game
from goldgriff.train.export import to_network
from goldgriff.train.settings import RunSettings
from goldgriff.train.tables import Tables

_ILLEGAL = -1e8  # a logit that leaves no chance at all


@dataclass(frozen=True, kw_only=True)
class DeviceSettings(RunSettings):
    """Settings of a run whose network may learn elsewhere than on the processor.

    device: `cpu`, `cuda`, or another of torch's; the games stay on the processor.
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

    device: where networks and samples are. luck: the generator of all chance but the games'.
    """

    ONE_LEARNER = False

    def __init__(self, tables: Tables, settings: DeviceSettings) -> None:
        self.tables = tables
        self.device = torch.device(settings.device)
        torch.manual_seed(settings.seed)  # for the first weights
        self.luck = torch.Generator(self.device).manual_seed(settings.seed)
        self._steps = 0

    @property
    def steps(self) -> int:
        """Decisions made so far."""
        return self._steps

    def begin(self) -> None:
        """Deal the first games."""
        self.tables.reset()

    def state(self) -> dict[str, Any]:
        """What `restore` needs of tables, chance and steps; networks are for others to add."""
        return {
            "luck": self.luck.get_state(),
            "steps": self.steps,
            "tables": {name: torch.from_numpy(a) for name, a in self.tables.state().items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on with what `state` holds."""
        self.luck.set_state(state["luck"])
        self._steps = state["steps"]
        self.tables.restore({name: tensor.numpy() for name, tensor in state["tables"].items()})

    def to_device(self, array: NDArray[Any]) -> Tensor:
        """An array as a tensor where the network is."""
        return torch.from_numpy(array).to(self.device)


class Trunk(nn.Module):
    """Hidden layers, ReLU after each, of what a player sees."""

    scale: Tensor

    def __init__(self, game: Game, hidden: Sequence[int]) -> None:
        super().__init__()
        widths = [game.slices.size, *hidden]
        self.trunk = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(widths))
        self.register_buffer("scale", torch.from_numpy(game.slices.scale), persistent=False)

    def see(self, features: Tensor) -> Tensor:
        """The last hidden layer of features, uint8 (rows, slices.size)."""
        seen = features * self.scale
        for layer in self.trunk:
            seen = torch.relu(layer(seen))
        return seen


class ActionNet(Trunk):
    """A number for each action, a value or a logit, of what a player sees."""

    def __init__(self, game: Game, hidden: Sequence[int]) -> None:
        super().__init__(game, hidden)
        self.head = nn.Linear(hidden[-1], len(game.actions))

    def forward(self, features: Tensor) -> Tensor:
        """Float32 (rows, actions) of features, uint8 (rows, slices.size)."""
        numbers: Tensor = self.head(self.see(features))
        return numbers

    def player(self) -> Network:
        """The network as a player to whom its numbers are logits."""
        return to_network([*self.trunk, self.head])


def legal_logs(logits: Tensor, masks: Tensor) -> Tensor:
    """Log-probabilities of all actions, (rows, actions); illegal ones have no chance at all."""
    return logits.masked_fill(~masks, _ILLEGAL).log_softmax(dim=1)


def sample(logs: Tensor, luck: torch.Generator) -> Tensor:
    """An action for each row, int64 (rows,), each with its probability."""
    noise = torch.empty_like(logs).exponential_(generator=luck)
    return (logs.exp() / noise).argmax(dim=1)


def best_legal(values: Tensor, masks: Tensor) -> Tensor:
    """The legal action of the highest value for each row, int64 (rows,)."""
    return values.masked_fill(~masks, -torch.inf).argmax(dim=1)


def explore(values: Tensor, masks: Tensor, epsilon: float, luck: torch.Generator) -> Tensor:
    """The best legal action of each row or, with a chance of `epsilon`, any legal one."""
    noise = torch.rand(values.shape, generator=luck, device=values.device)
    anything = best_legal(noise, masks)
    venture = torch.rand(len(values), generator=luck, device=values.device) < epsilon
    return torch.where(venture, anything, best_legal(values, masks))


def batches(count: int, size: int, luck: torch.Generator) -> Iterator[Tensor]:
    """All numbers below `count`, once each, in random order and in parts of `size` or less."""
    yield from torch.split(torch.randperm(count, generator=luck, device=luck.device), size)


def descend(
    loss: Tensor, net: nn.Module, optimizer: torch.optim.Optimizer, max_grad_norm: float
) -> None:
    """Make a gradient step; gradients longer than `max_grad_norm` are cut."""
    optimizer.zero_grad(set_to_none=True)
    torch.autograd.backward(loss)
    nn.utils.clip_grad_norm_(net.parameters(), max_grad_norm)
    optimizer.step()
