"""Histories of a game as linked positions; `node.py` walks along them."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.determinization import uniform_weights
from ...envs.engine.game import Game
from ...envs.engine.listing import MAX_EVENTS, MAX_OUTCOMES, new_tree_states
from ...envs.engine.rewards import OWN, read_reward
from ...envs.engine.settings import GameSettings
from ...errors import SettingsError
from .information import Describer, Memory
from .recall import BEGIN, TAG_BIT, Tag, new_buffers
from .transition import absorb_one, note_each, observe_one, play_one, sample_one
from .walk import CHANCE, TERMINAL

NO_SCRIPT = np.zeros(0, np.uint8)
Move = int | bytes  # an action, an outcome, or all outcomes of a transition that was sampled


class Position:
    """A history, in linked positions.

    At a decision or an end, `state` is where `action` has led from `base`, the last position of
    this kind. Where chance decides, `state` is that of `base`, where `action` is being played with
    the outcomes in `script`, and `outcomes` are those of the event that comes next.
    """

    __slots__ = (
        *("action", "base", "gains", "memories", "move", "outcomes", "player", "previous"),
        *("returns", "script", "state"),
    )

    def __init__(self, player: int, state: Any, returns: tuple[float, ...]) -> None:
        self.player, self.state, self.returns = player, state, returns
        self.gains: tuple[float, ...] = (0.0,) * len(returns)
        self.previous: Position | None = None
        self.base: Position | None = None
        self.move: Move | None = None
        self.action = BEGIN
        self.script = NO_SCRIPT
        self.outcomes: list[tuple[int, float]] = []
        self.memories: list[Memory] | None = None


class Table:
    """Data that all histories of one game share; its working space is for one thread."""

    def __init__(
        self, game: Game, settings: GameSettings, multisets: bool, reward_name: str
    ) -> None:
        self.game, self.settings = game, settings
        self.multisets, self.reward_name = multisets, reward_name
        self.reward_kind, _ = read_reward(reward_name)
        if self.reward_kind == OWN:
            raise SettingsError("a node's reward is points, win or rank, not a function")
        seats, size = settings.num_players, game.observation_spec.size
        self.outcomes = np.zeros(MAX_OUTCOMES, np.uint8)
        self.chances = np.zeros(MAX_OUTCOMES)
        self.gains = np.zeros(seats)
        self.script = np.zeros(MAX_EVENTS, np.uint8)
        self.buffers = new_buffers(game, settings)
        self.numbers = np.zeros((seats, len(self.buffers.numbers)), np.int64)
        self.counts = np.zeros(seats, np.int64)
        self.seen = np.zeros((seats, size), np.uint8)
        self.recalls = np.zeros(seats, np.uint64)
        self.weights = uniform_weights(len(game.cards))
        self.first = Position(CHANCE, self.new_state(), (0.0,) * seats)
        self.first.memories = [Memory(None, b"", 0, self.buffers.nothing) for _ in range(seats)]

    def new_state(self) -> NDArray[Any]:
        """Return a state before the deal, (1,)."""
        return new_tree_states(self.game, self.settings, 1, multisets=self.multisets)

    @cached_property
    def describer(self) -> Describer:
        """Meaning of the numbers in information states."""
        return Describer(self.game, self.settings)

    @cached_property
    def deal(self) -> Position:
        """The position before the deal."""
        return self.play(self.first, self.first, BEGIN, NO_SCRIPT, BEGIN)

    def play(
        self,
        base: Position,
        previous: Position,
        action: int,
        script: NDArray[np.uint8],
        move: Move,
        bits: int | None = None,
    ) -> Position:
        """Return the position after an action, with the outcomes of a script, at `base`.

        With random `bits` chance is sampled where the script ends.
        """
        after = np.empty_like(base.state)  # to copy it in Python takes 40 microseconds
        if bits is None:
            found = play_one(
                *(base.state, after, action, script, self.reward_kind),
                *(self.outcomes, self.chances, self.gains),
            )
        else:
            found, size = 0, len(script)
            self.script[:size] = script
            size = sample_one(
                *(base.state, after, action, self.script, size, self.reward_kind),
                *(np.uint64(bits), self.gains),
            )
            move = self.script[len(script) : size].tobytes()
        if found:
            position = Position(CHANCE, base.state, base.returns)
            outcomes, chances = self.outcomes[:found], self.chances[:found]
            position.outcomes = list(zip(outcomes.tolist(), chances.tolist(), strict=True))
            position.script = script
        else:
            state = after[0]
            gains = self.gains.tolist()
            returns = tuple(a + b for a, b in zip(base.returns, gains, strict=True))
            over = state["over"]
            position = Position(TERMINAL if over else int(state["current_player"]), after, returns)
            position.gains = tuple(gains)
        position.base, position.previous = base, previous
        position.action, position.move = action, move
        return position

    def memories(self, position: Position) -> list[Memory]:
        """Return the information states of all seats at a decision or an end."""
        late = []
        while position.memories is None:
            late.append(position)
            assert position.base is not None
            position = position.base
        found = position.memories
        for each in reversed(late):
            assert each.base is not None
            for seat, memory in enumerate(found):
                self.seen[seat], self.recalls[seat] = memory.seen, memory.recall
            note_each(
                *(each.base.state, each.action, each.state, self.seen, self.recalls),
                *(self.numbers, self.counts, self.buffers),
            )
            found = each.memories = [self._memory(seat, old) for seat, old in enumerate(found)]
        return found

    def _memory(self, seat: int, old: Memory) -> Memory:
        count = int(self.counts[seat])
        if count == 0:
            return old
        numbers = self.numbers[seat, :count].tobytes()
        same = np.array_equal(self.seen[seat], old.seen)
        seen = old.seen if same else self.seen[seat].copy()
        return Memory(old, numbers, int(self.recalls[seat]), seen)

    def begin_memory(self, state: Any, seat: int) -> Memory:
        """Return an information state that begins with what a seat observes now."""
        raw = np.zeros(self.game.observation_spec.size, np.uint8)
        observe_one(state, seat, raw)
        places = raw.nonzero()[0]
        numbers = (int(Tag.SEEN) << TAG_BIT) + (places << 8) + raw[places]
        recall = absorb_one(np.uint64(0), numbers)
        return Memory(None, numbers.tobytes(), int(recall), raw)
