"""Nodes of a game tree, with chance as a player: what game-tree algorithms ask of a game.

```python
node = root_node("auruxxx", {"preset": "tiny-a"})
while node.current_player != TERMINAL:
    if node.current_player == CHANCE:
        outcomes, chances = zip(*node.outcomes)
        node = node.child(outcomes[0])
    else:
        node = node.child(node.legal_actions()[0])
print(node.returns)
```

A node is never changed, so a copy is the node itself, and to take a move back is `node.parent`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.determinization import uniform_weights
from ...envs.engine.game import Game, explain_illegal, get_game
from ...envs.engine.listing import copy_fields, new_tree_states
from ...envs.engine.rewards import OWN, read_reward
from ...envs.engine.settings import GameSettings
from ...envs.engine.state import state_at
from ...errors import MoveError, SettingsError
from .information import BEGIN, TAG_BIT, Describer, InformationState, Tag, new_buffers
from .walk import (
    CHANCE,
    TERMINAL,
    observe_one,
    observe_transition,
    play_one,
    resample_one,
    roll_out,
)

__all__ = ["CHANCE", "TERMINAL", "Move", "Node", "root_node"]

Move = int | bytes  # an action, an outcome of chance, or all outcomes of a sampled transition
NO_SCRIPT = b""


class Workspace:
    """Data and working space that all nodes of one game share; for one thread.

    Args:
        game: The game.
        settings: Its settings.
        multisets: See `root_node`.
        reward: See `root_node`.
    """

    def __init__(self, game: Game, settings: GameSettings, multisets: bool, reward: str) -> None:
        self.game, self.settings = game, settings
        self.multisets, self.reward = multisets, reward
        self.reward_kind, _ = read_reward(reward)
        if self.reward_kind == OWN:
            raise SettingsError("a node's reward is points, win or rank, not a function")
        self.buffers = new_buffers(game, settings)
        self.weights = uniform_weights(len(game.cards))
        self.describer = Describer(game, settings)
        self.nothing = InformationState(None, b"", 0, self.buffers.nothing)
        zeros, nothing = (0.0,) * settings.num_players, [self.nothing] * settings.num_players
        self.before_deal = Node(self, CHANCE, self.new_state(), zeros, zeros, _information=nothing)
        self.root = self.before_deal._play(self.before_deal, BEGIN, NO_SCRIPT, BEGIN)
        self.root.parent = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Workspace, (self.game, self.settings, self.multisets, self.reward)

    def new_state(self) -> NDArray[Any]:
        """Return a state before the deal, (1,)."""
        return new_tree_states(self.game, self.settings, 1, multisets=self.multisets)

    def root_at(
        self, state: Any, returns: tuple[float, ...], information: list[InformationState]
    ) -> "Node":
        """Return a root in another state, with what the seats know there."""
        player, zeros = int(state["current_player"][0]), (0.0,) * len(returns)
        return Node(self, player, state, returns, zeros, _information=information)

    def observe(self, state: Any, seat: int) -> NDArray[np.uint8]:
        """Return what a seat observes in a state, uint8 (observation_spec.size,)."""
        raw = np.zeros_like(self.buffers.raw)
        observe_one(state, seat, raw)
        return raw

    def observed(self, state: Any, seat: int) -> InformationState:
        """Return an information state that begins with what a seat observes now."""
        raw = self.observe(state, seat)
        places = raw.nonzero()[0]
        numbers = (int(Tag.SEEN) << TAG_BIT) + (places << 8) + raw[places]
        return self.nothing.extended(numbers, raw)


@dataclass(eq=False, slots=True)
class Node:
    """A history of a game.

    Attributes:
        workspace: What all nodes of the game share.
        current_player: The seat that decides, CHANCE or TERMINAL.
        state: The state, (1,): where chance decides, the one before the action; never changed.
        returns: The sums of all rewards so far, by seat.
        rewards: The rewards of the last move, by seat.
        outcomes: The outcomes of chance, ascending, with their probabilities; empty elsewhere.
        parent: The node before the last move; None for a root.
        move: The last move; BEGIN for a root.
        base: The last node before this one where no chance is at work: a decision, or before the
            deal. None for a root in another state than the first.
        action: The action that has been played, or where chance decides is being played, at `base`.
        script: The outcomes of chance since then, a byte for each.
    """

    workspace: Workspace
    current_player: int
    state: NDArray[Any]
    returns: tuple[float, ...]
    rewards: tuple[float, ...]
    outcomes: list[tuple[int, float]] = field(default_factory=list)
    parent: "Node | None" = None
    move: Move = BEGIN
    base: "Node | None" = None
    action: int = BEGIN
    script: bytes = NO_SCRIPT
    _open_state: Any = None  # (1,): has the event of chance that is open
    _information: list[InformationState] = field(default_factory=list)  # empty: not known yet

    @property
    def game(self) -> Game:
        """The game."""
        return self.workspace.game

    @property
    def settings(self) -> GameSettings:
        """Its settings."""
        return self.workspace.settings

    def __deepcopy__(self, _memo: Any) -> "Node":
        return self

    def path(self) -> list["Node"]:
        """Return all nodes from the root to this one."""
        nodes, node = [self], self.parent
        while node is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    @property
    def history(self) -> list[tuple[int, Move]]:
        """All players, CHANCE among them, with their moves since the start."""
        return [(node.current_player, after.move) for node, after in pairwise(self.path())]

    def decisions(self) -> list["Node"]:
        """Return the nodes of all decisions before this node, from the first."""
        nodes, node = [], self.base
        while node is not None and node.current_player >= 0:
            nodes.append(node)
            node = node.base
        return nodes[::-1]

    def legal_actions(self) -> list[int]:
        """Return the legal actions, ascending; none where chance decides or at an end."""
        if self.current_player < 0:
            return []
        actions: list[int] = self.state["legal"][0].nonzero()[0].tolist()
        return actions

    # --- Moves -----------------------------------------------------------------------------------

    def child(self, move: Move) -> "Node":
        """Return the node after an action of the current player, or an outcome of chance.

        Raises:
            MoveError: The move is not legal here.
        """
        if self.current_player >= 0:
            legal = self.state["legal"][0]
            assert isinstance(move, int)
            if not 0 <= move < len(legal) or not legal[move]:
                raise explain_illegal(self.game, self.state[0], move)
            return self._play(self, move, NO_SCRIPT, move)
        if not isinstance(move, bytes) and all(move != outcome for outcome, _ in self.outcomes):
            raise MoveError(f"{move} is no outcome of chance here; {self._possible()}")
        assert self.base is not None
        outcomes = move if isinstance(move, bytes) else bytes([move])
        return self._play(self.base, self.action, self.script + outcomes, move)

    def sample(self, bits: int) -> "Node":
        """Return the node after all events of chance that are due, sampled by `bits`, 64 of them.

        Raises:
            MoveError: Chance does not decide here.
        """
        if self.current_player != CHANCE:
            raise MoveError(f"chance does not decide here; {self._possible()}")
        assert self.base is not None
        return self._play(self.base, self.action, self.script, b"", bits)

    def _play(
        self, base: "Node", action: int, script: bytes, move: Move, bits: int | None = None
    ) -> "Node":
        """Return the node after an action at `base`, with the outcomes of a script.

        With random `bits`, chance is sampled where the script ends.
        """
        shared, buffers, sampled = self.workspace, self.workspace.buffers, bits is not None
        after = np.empty_like(base.state)  # to copy it in Python takes 40 microseconds
        buffers.script[: len(script)] = np.frombuffer(script, np.uint8)
        options = sampled, np.uint64(bits or 0), shared.reward_kind, buffers
        size = play_one(base.state, after, action, len(script), *options)
        if sampled:
            move = buffers.script[len(script) : size].tobytes()
        if count := int(after["num_outcomes"][0]):
            node = Node(shared, CHANCE, base.state, base.returns, (0.0,) * len(base.returns))
            outcomes, chances = buffers.outcomes[:count], buffers.chances[:count]
            node.outcomes = list(zip(outcomes.tolist(), chances.tolist(), strict=True))
            node._open_state = after
            node.script = script
        else:
            rewards = buffers.rewards.tolist()
            returns = tuple(a + b for a, b in zip(base.returns, rewards, strict=True))
            player = TERMINAL if after[0]["over"] else int(after[0]["current_player"])
            node = Node(shared, player, after, returns, tuple(rewards))
        node.base, node.parent, node.action, node.move = base, self, action, move
        return node

    def _possible(self) -> str:
        """Return who decides here or which outcomes there are, for messages."""
        if self.current_player == TERMINAL:
            return "the game is over"
        if self.current_player >= 0:
            return f"seat {self.current_player} decides"
        return f"there are {', '.join(str(outcome) for outcome, _ in self.outcomes)}"

    # --- Information -----------------------------------------------------------------------------

    def observation(self, seat: int) -> NDArray[np.uint8]:
        """Return what a seat observes, uint8 (observation_spec.size,)."""
        if not self._is_dealt:
            return np.zeros_like(self.workspace.buffers.raw)
        return self.workspace.observe(self.state, seat)

    def information_state(self, seat: int) -> str:
        """Return all that a seat has observed and done, as text.

        Two histories have the same text exactly if these sequences are equal.
        """
        return f"p{seat}:{self.workspace.describer.text(self.information(seat))}"

    def recall(self, seat: int) -> int:
        """Return the hash of the information state of a seat, as trees have it."""
        return self.information(seat).recall

    def information(self, seat: int) -> InformationState:
        """Return the information state of a seat.

        Raises:
            MoveError: There is no such seat.
        """
        if not 0 <= seat < self.settings.num_players:
            raise MoveError(f"there is no seat {seat}; there are {self.settings.num_players}")
        if self.current_player != CHANCE:
            return self._information_states()[seat]
        assert self.base is not None
        before = self.base._information_states()[seat]
        if self.base.current_player != seat:
            return before
        action = np.array([(int(Tag.OWN) << TAG_BIT) + self.action])
        return before.extended(action, before.seen)

    def _information_states(self) -> list[InformationState]:
        """Return the information states of all seats at a decision or an end."""
        if not self._information:
            if self.base and not self.base._information:
                for node in self.decisions():
                    node._information = node._information or node._follow()
            self._information = self._follow()
        return self._information

    def _follow(self) -> list[InformationState]:
        """Return the information states after the action at `base`, from those before it."""
        base, buffers, states = self.base, self.workspace.buffers, []
        assert base is not None
        for seat, before in enumerate(base._information):
            earlier = np.uint64(before.recall)
            recall, count = observe_transition(
                base.state, self.action, self.state, seat, before.seen, earlier, buffers
            )
            seen = buffers.raw.copy() if seat == self.current_player else before.seen
            numbers = buffers.numbers[:count].tobytes()
            states.append(InformationState(before, numbers, recall, seen) if count else before)
        return states

    # --- Texts -----------------------------------------------------------------------------------

    def outcome_name(self, outcome: int) -> str:
        """Return an outcome of chance for people: a card, a number of cards, or yes or no."""
        if self._open_state is None:
            return str(outcome)
        if self._open_state["drawn_in_all"][0]:
            return f"{outcome} of a type"
        weights = self._open_state["weights"][0, : len(self.outcomes)]
        if [number for number, _ in self.outcomes] == [0, 1] and weights.sum() == 100:
            return "yes" if outcome else "no"  # chances in percent
        return self.game.cards[outcome]

    def describe(self) -> str:
        """Return the history and the table, all hands open, as text."""
        moves = "; ".join(node._name(after.move) for node, after in pairwise(self.path()))
        if not self._is_dealt:
            return moves
        return f"{moves}\n{self.game.draw_table(state_at(self.state, 0), None)}"

    def _name(self, move: Any) -> str:
        """Return who decides here and a move, as text."""
        if isinstance(move, bytes):
            return f"chance sampled {' '.join(map(str, move))}"
        if self.current_player < 0:
            return f"chance {self.outcome_name(move)}"
        return f"p{self.current_player} {self.game.actions[move]}"

    @property
    def _is_dealt(self) -> bool:
        return self.state is not self.workspace.before_deal.state

    # --- Other histories -------------------------------------------------------------------------

    def resample(self, seat: int, bits: int) -> "Node":
        """Return the root of a history that a seat cannot tell from this one, sampled by `bits`.

        The hidden cards are dealt anew, in agreement with what the seat knows of them. The
        information states of the others begin with what they would observe now. Conclusions from
        what others did or did not do are not drawn.

        Args:
            seat: The seat; its information state stays the same.
            bits: Random bits, 64.

        Raises:
            MoveError: No player decides here.
        """
        if self.current_player < 0:
            raise MoveError("only where a player decides can a state be sampled")
        shared, state = self.workspace, np.empty_like(self.state)
        resample_one(self.state, state, seat, np.uint64(bits), shared.weights)
        own = self.information(seat)
        information = [
            own if other == seat else shared.observed(state, other)
            for other in range(self.settings.num_players)
        ]
        return shared.root_at(state, self.returns, information)

    def at_information_state(self, information_state: Any) -> "Node":
        """Return a root in a game as the current player knows it, from which to `resample`.

        Information states begin with what the seats observe. The root has no children.

        Args:
            information_state: As agents get it, (1,), of this game with these settings.
        """
        shared = self.workspace
        state = shared.new_state()
        copy_fields(information_state, state)
        seats = range(self.settings.num_players)
        observed = [shared.observed(state, seat) for seat in seats]
        return shared.root_at(state, (0.0,) * len(seats), observed)

    def roll_out(self, bits: int) -> list[float]:
        """Return the returns of a game that goes on from here at random, by `bits`, 64 of them."""
        node = self.sample(bits) if self.current_player == CHANCE else self
        before, after = np.empty_like(node.state), np.empty_like(node.state)
        returns, shared = np.array(node.returns), self.workspace
        script, seed = shared.buffers.script, np.uint64(bits)
        roll_out(node.state, before, after, script, shared.reward_kind, seed, returns)
        return list(map(float, returns))

    def __reduce__(self) -> tuple[Any, ...]:
        root, *later = self.path()
        start = None if root.base else (root.state, root.returns, root._information)
        return _replay, (self.workspace, start, [node.move for node in later])


def root_node(
    game: Game | str,
    settings: GameSettings | Mapping[str, Any] | None = None,
    *,
    multisets: bool = False,
    reward: str = "win",
) -> Node:
    """Return the node of a game before the deal.

    Args:
        game: The game, or its name.
        settings: Its settings, also by name; None for the defaults.
        multisets: Whether several cards drawn at once are one multiset, drawn type by type: an
            outcome is then the number of cards of a type. Otherwise they are drawn card by card,
            and an outcome is a card type. An event that may happen or not has the outcomes 0 and 1.
        reward: `win`, `rank` or `points`: whose sum the returns are.

    Raises:
        GoldgriffError: There is no such game.
        SettingsError: A setting or the reward is unknown or not allowed.
    """
    game = get_game(game)
    return Workspace(game, game.read_settings(settings), multisets, reward).root


def _replay(workspace: Workspace, start: tuple[Any, ...] | None, moves: Sequence[Move]) -> Node:
    """Return a node that was pickled."""
    node = workspace.root_at(*start) if start else workspace.root
    for move in moves:
        node = node.child(move)
    return node
