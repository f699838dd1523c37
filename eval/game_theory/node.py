"""One history of a game, with chance as a player: what game-tree algorithms ask of a game.

```python
node = Node("auruxxx", {"preset": "tiny-a"})
while node.current_player != TERMINAL:
    if node.current_player == CHANCE:
        outcomes, chances = zip(*node.chance_outcomes())
        node.apply(outcomes[0])
    else:
        node.apply(node.legal_actions()[0])
print(node.returns())
```

A position is never changed: clones share it, and to undo is to go back to the one before.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.game import Game, explain_illegal, get_game
from ...envs.engine.kernels import information_states
from ...envs.engine.settings import GameSettings
from ...envs.engine.state import state_at
from ...errors import MoveError
from .information import Memory
from .position import NO_SCRIPT, Move, Position, Table
from .recall import BEGIN, Tag
from .transition import absorb_one, observe_one, play_one, resample_one, roll_out
from .walk import CHANCE, TERMINAL

__all__ = ["CHANCE", "TERMINAL", "Node"]


class Node:
    """A history of a game.

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

    __slots__ = ("_position", "_table")

    def __init__(
        self,
        game: Game | str,
        settings: GameSettings | Mapping[str, Any] | None = None,
        *,
        multisets: bool = False,
        reward: str = "win",
    ) -> None:
        game = get_game(game)
        self._table = Table(game, game.read_settings(settings), multisets, reward)
        self._position = self._table.deal

    @property
    def game(self) -> Game:
        """The game."""
        return self._table.game

    @property
    def settings(self) -> GameSettings:
        """Its settings."""
        return self._table.settings

    @property
    def current_player(self) -> int:
        """The seat that decides, CHANCE or TERMINAL."""
        return self._position.player

    @property
    def state(self) -> NDArray[Any]:
        """The state, (1,): where chance decides, the one before the action; never to be changed."""
        return self._position.state  # type: ignore[no-any-return]

    @property
    def pending_action(self) -> int | None:
        """The action that is being played where chance decides; None for a deal or elsewhere."""
        position = self._position
        return position.action if position.player == CHANCE and position.action >= 0 else None

    @property
    def history(self) -> list[tuple[int, Move]]:
        """All players, CHANCE among them, with their moves since the start.

        The move of a chance that was sampled is bytes: all its outcomes.
        """
        moves, position = [], self._position
        while position.previous is not None and position.move != BEGIN:
            assert position.move is not None
            moves.append((position.previous.player, position.move))
            position = position.previous
        return moves[::-1]

    def legal_actions(self) -> list[int]:
        """Return the legal actions, ascending; none where chance decides or at an end."""
        if self._position.player < 0:
            return []
        actions: list[int] = self._position.state["legal"][0].nonzero()[0].tolist()
        return actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance, ascending, with their probabilities, which sum to 1."""
        return list(self._position.outcomes)

    def apply(self, move: int) -> None:
        """Play an action of the current player, or an outcome of chance.

        Raises:
            MoveError: It is not legal here; nothing was changed.
        """
        position, table = self._position, self._table
        if position.player >= 0:
            legal = position.state["legal"][0]
            if not 0 <= move < len(legal) or not legal[move]:
                raise explain_illegal(table.game, position.state[0], move)
            self._position = table.play(position, position, move, NO_SCRIPT, move)
            return
        if all(move != outcome for outcome, _ in position.outcomes):
            raise MoveError(f"{move} is no outcome of chance here; {self._possible()}")
        assert position.base is not None
        script = np.append(position.script, np.uint8(move))
        self._position = table.play(position.base, position, position.action, script, move)

    def sample(self, bits: int) -> None:
        """Let chance decide all events that are due, at random by `bits`, 64 of them.

        Raises:
            MoveError: Chance does not decide here; nothing was changed.
        """
        position = self._position
        if position.player != CHANCE:
            raise MoveError(f"chance does not decide here; {self._possible()}")
        assert position.base is not None
        self._position = self._table.play(
            position.base, position, position.action, position.script, b"", bits
        )

    def undo(self) -> None:
        """Take the last move back.

        Raises:
            MoveError: There is none.
        """
        position = self._position
        if position.previous is None or position.move == BEGIN:
            raise MoveError("there is no move to take back")
        self._position = position.previous

    def clone(self) -> Self:
        """Return a node of its own with the same history."""
        twin = object.__new__(type(self))
        twin._table, twin._position = self._table, self._position
        return twin

    __copy__ = clone

    def __deepcopy__(self, _memo: Any) -> Self:
        return self.clone()

    def child(self, move: int) -> Self:
        """Return a node of its own after a move."""
        twin = self.clone()
        twin.apply(move)
        return twin

    def new_game(self) -> Self:
        """Return a node of its own before the deal of the same game."""
        twin = object.__new__(type(self))
        twin._table, twin._position = self._table, self._table.deal
        return twin

    def decisions(self) -> "list[Self]":
        """Return nodes of all decisions before this node, from the first."""
        nodes, position = [], self._position.base
        while position is not None and position.player >= 0:
            twin = self.clone()
            twin._position = position
            nodes.append(twin)
            position = position.base
        return nodes[::-1]

    def is_at(self, other: "Node") -> bool:
        """Return whether two nodes are clones, neither of which was changed since."""
        return self._position is other._position

    def returns(self) -> list[float]:
        """Return the sums of all rewards so far, by seat."""
        return list(self._position.returns)

    def rewards(self) -> list[float]:
        """Return the rewards for the last move, by seat."""
        return list(self._position.gains)

    def observation(self, seat: int) -> NDArray[np.uint8]:
        """Return what a seat observes, uint8 (observation_spec.size,)."""
        raw = np.zeros(self.game.observation_spec.size, np.uint8)
        position = self._position
        if position.state is not self._table.first.state:
            observe_one(position.state, seat, raw)
        return raw

    def information_state(self, seat: int) -> str:
        """Return all that a seat has observed and done, as text.

        Two histories have the same text exactly if these sequences are equal.
        """
        memory, more = self._information(seat)
        describer = self._table.describer
        return f"p{seat}:{memory.text(describer)}{describer.text(more)}"

    def recall(self, seat: int) -> int:
        """Return the hash of the information state of a seat, as trees have it."""
        memory, more = self._information(seat)
        if not more:
            return memory.recall
        return int(absorb_one(np.uint64(memory.recall), np.frombuffer(more, np.int64)))

    def information_state_rows(self, seat: int, rows: NDArray[np.float32]) -> None:
        """Write the information state of a seat as rows; see `Describer.write_rows`."""
        self._table.describer.write_rows(*self._information(seat), rows)

    def information_state_length(self, seat: int) -> int:
        """Return how many rows the information state of a seat has."""
        memory, more = self._information(seat)
        return memory.length + len(more) // 8

    def last_seen(self, seat: int) -> NDArray[np.uint8]:
        """Return what a seat observed when it decided last, or decides now; see `observation`."""
        return self._information(seat)[0].seen

    def outcome_name(self, outcome: int) -> str:
        """Return an outcome of chance for people: a card, a number of cards, or yes or no."""
        position, table = self._position, self._table
        if position.player != CHANCE or position.base is None:
            return str(outcome)
        base, open_state = position.base, np.empty_like(position.state)
        play_one(
            *(base.state, open_state, position.action, position.script, table.reward_kind),
            *(table.outcomes, table.chances, table.gains),
        )
        if open_state["drawn_in_all"][0]:
            return f"{outcome} of a type"
        weights = open_state["weights"][0, : len(position.outcomes)]
        if len(weights) == 2 and [*table.outcomes[:2]] == [0, 1] and weights.sum() == 100:
            return "yes" if outcome else "no"  # chances in percent
        return table.game.cards[outcome]

    def describe(self) -> str:
        """Return the history and the table, all hands open, as text."""
        moves, twin = [], self.clone()
        while twin._position.previous is not None and twin._position.move != BEGIN:
            move = twin._position.move
            twin._position = twin._position.previous
            who = f"p{twin.current_player}" if twin.current_player >= 0 else "chance"
            moves.append(f"{who} {twin._move_name(move)}")
        table = ""
        if self._position.state is not self._table.first.state:
            table = "\n" + self.game.draw_table(state_at(self._position.state, 0), None)
        return "; ".join(reversed(moves)) + table

    def _move_name(self, move: Any) -> str:
        if isinstance(move, bytes):
            return "sampled " + " ".join(map(str, move))
        return self.game.actions[move] if self.current_player >= 0 else self.outcome_name(move)

    def describe_observation(self, seat: int) -> str:
        """Return what a seat observes as text: equal for equal observations only."""
        return f"p{seat}:{self._table.describer.observation(self.observation(seat))}"

    def resample(self, seat: int, bits: int) -> Self:
        """Return a node of a history that a seat cannot tell from this one, at random by `bits`.

        The hidden cards are dealt anew, in agreement with what the seat knows of them; what the
        others have observed begins with what they would observe now. Conclusions from what others
        did or did not do are not drawn. It has no moves to take back.

        Args:
            seat: The seat; its information state stays the same.
            bits: Random bits, 64.

        Raises:
            MoveError: Chance decides here, or it is an end.
        """
        position, table = self._position, self._table
        if position.player < 0:
            raise MoveError("only where a player decides can a state be sampled")
        state, known = np.empty_like(position.state), table.memories(position)[seat]
        resample_one(position.state, state, seat, np.uint64(bits), table.weights)
        return self._begin(state, position.returns, seat, known)

    def roll_out(self, bits: int) -> list[float]:
        """Return the returns of a game that goes on from here at random, by `bits`, 64 of them."""
        node, table = self, self._table
        if self.current_player == CHANCE:
            node = self.clone()
            node.sample(bits)
        states = np.empty_like(node.state, shape=2)
        states[:1] = node.state
        gains = np.array(node.returns())
        roll_out(states, table.script, table.reward_kind, np.uint64(bits), gains)
        returns: list[float] = gains.tolist()
        return returns

    def at_information_state(self, information_state: Any, seat: int) -> Self:
        """Return a node of a game as a seat knows it, from which `resample` makes whole ones.

        Its information state begins with what the seat observes. It cannot be played on.

        Args:
            information_state: As agents get it, (1,), of this game with these settings, where the
                seat decides.
            seat: The seat.
        """
        state = self._table.new_state()
        for name in information_state.dtype.names:
            if name != "_rest":
                state[name] = information_state[name]
        returns = (0.0,) * self.settings.num_players
        return self._begin(state, returns, seat, self._table.begin_memory(state, seat))

    def to_information_state(self, seat: int) -> NDArray[Any]:
        """Return the game as a seat knows it, (1,), as agents get it."""
        whole = self.game.new_states(self.settings, 1)
        known = np.zeros_like(whole)
        for name in whole.dtype.names or ():
            if name != "_rest":
                whole[name] = self._position.state[name]
        information_states(whole, np.zeros(1, np.int64), np.array([seat]), known)
        return known

    def _begin(self, state: Any, returns: tuple[float, ...], seat: int, known: Memory) -> Self:
        """Return a node without a history, in a state of which one seat knows something."""
        position = Position(int(state["current_player"][0]), state, returns)
        position.memories = [
            known if each == seat else self._table.begin_memory(state, each)
            for each in range(self.settings.num_players)
        ]
        twin = object.__new__(type(self))
        twin._table, twin._position = self._table, position
        return twin

    def _information(self, seat: int) -> tuple[Memory, bytes]:
        """Return the information state of a seat, and the numbers after it: an own action."""
        if not 0 <= seat < self.settings.num_players:
            raise MoveError(f"there is no seat {seat}; there are {self.settings.num_players}")
        position = self._position
        if position.player != CHANCE:
            return self._table.memories(position)[seat], b""
        base = position.base
        assert base is not None
        own = position.action != BEGIN and base.player == seat
        more = self._table.describer.number(Tag.OWN, position.action) if own else b""
        return self._table.memories(base)[seat], more

    def _possible(self) -> str:
        if self._position.player == TERMINAL:
            return "the game is over"
        if self._position.player >= 0:
            return f"seat {self._position.player} decides"
        return f"there are {', '.join(str(outcome) for outcome, _ in self._position.outcomes)}"

    def __reduce__(self) -> tuple[Any, ...]:
        table, position = self._table, self._position
        while position.previous is not None and position.move != BEGIN:
            position = position.previous
        root = None
        if position.move != BEGIN:
            root = position.player, position.state, position.returns, position.memories
        arguments = table.game, table.settings.to_dict(), table.multisets, table.reward_name
        return _restore, (*arguments, root, [move for _, move in self.history])


def _restore(
    game: Game,
    settings: dict[str, Any],
    multisets: bool,
    reward_name: str,
    root: tuple[Any, ...] | None,
    moves: Sequence[Move],
) -> Node:
    """Return a node that was pickled."""
    node = Node(game, settings, multisets=multisets, reward=reward_name)
    table = node._table
    if root is not None:
        player, state, returns, memories = root
        fresh = table.new_state()
        fresh[:] = state
        node._position = Position(player, fresh, returns)
        node._position.memories = memories
    for move in moves:
        if isinstance(move, bytes):
            position = node._position
            assert position.base is not None
            script = np.concatenate([position.script, np.frombuffer(move, np.uint8)])
            node._position = table.play(position.base, position, position.action, script, move)
        else:
            node.apply(move)
    return node
