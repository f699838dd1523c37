"""One game: played by action or by name, started from a seed or a position, recorded."""

import copy
import json
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..errors import MoveError, PositionError, RecordError, SettingsError, quoted
from ..naming import counted, unknown_name
from .batch import Batch
from .engine import kernels
from .engine.determinization import uniform_weights
from .engine.game import GAMES, Game, RoundSheet, explain_illegal
from .engine.kernels import GAME_OVER, GOES_ON, ILLEGAL
from .engine.protocol import Masks, RawObservations, States
from .engine.reading import read_seed, whole_or_none
from .engine.rewards import OWN, Reward
from .engine.scene import SHOWN_MOVES
from .engine.settings import GameSettings
from .engine.state import state_at
from .history import EVENT_DTYPE, EventReader, MatchHistory
from .policy import ObservationBatch, observation_batch

_ROW = np.zeros(1, np.int64)
FORMAT = 3  # of records
_NEEDED = ("game", "settings", "seed", "moves")  # fields of a record
_OPTIONAL = ("position", "score_sheet")


class Match:
    """A single game, with its moves. A decision is one compiled call.

    Attributes:
        game: The kind of game.
        settings: Its settings.
        current_player: The seat that decides next.
        moves: The actions since the start.
        players: The seat that played each of them.
        raw: uint8 (observation_spec.size,), what the current player observes. The next move
            overwrites it, as it does `observation`, `mask` and `rewards`.
        observation: float32 (observation_spec.size,), `raw` scaled.
        mask: int8 (actions,), 1 for each legal action.
        rewards: float32 (num_players,), those of the last decision.
    """

    def __init__(
        self,
        game: Game | str,
        settings: GameSettings | Mapping[str, Any] | None = None,
        reward: Reward = "points",
    ) -> None:
        """Make a match; `start` deals.

        Args:
            game: The kind of game, or its name.
            settings: Its settings, also by name; None for the defaults.
            reward: See `Batch`.
        """
        self._batch = Batch(game, settings, 1, reward=reward)
        self.game, self.settings = self._batch.game, self._batch.settings
        game = self.game
        self._states, self._reward_kind = self._batch.states, self._batch.reward_kind
        self._scale, self._step_one = game.observation_spec.scale, game.step_one
        self.rewards: NDArray[np.float32] = self._batch.rewards[0]
        self.raw = np.zeros(game.observation_spec.size, np.uint8)
        self.observation = np.zeros(game.observation_spec.size, np.float32)
        self.mask = np.zeros(len(game.actions), np.int8)
        self.current_player = 0
        self.moves, self.players = list[int](), list[int]()
        self._first = self._states.tobytes()  # where it began
        self._seed: int | None = None  # for a match from a state
        self._position: Any = None
        self._history: MatchHistory | None = None  # until it is asked for
        self._sheets: list[RoundSheet] = []

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_step_one"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _step_one=state["game"].step_one)

    def start(self, seed: int, position: Any = None) -> None:
        """Start a new game.

        Args:
            seed: From 0 to 2**64 - 1.
            position: A position as plain data in which it starts, with the chance of the seed,
                instead of a deal.

        Raises:
            PositionError: The position cannot arise; the game so far continues.
            SettingsError: The seed is out of range; likewise.
        """
        seed = read_seed(seed)
        self._batch.start(np.array([seed], np.uint64), position=position)
        self._seed, self._position = seed, copy.deepcopy(position)
        self._begin()

    @classmethod
    def from_state(
        cls,
        game: Game | str,
        settings: GameSettings | Mapping[str, Any] | None,
        state: Any,
        reward: Reward = "points",
    ) -> Self:
        """Return a match that plays on from a copy of a state; it has no record.

        Args:
            game: The kind of game, or its name.
            settings: The settings with which the state came about.
            state: One whole state, such as an element of what `sample_states` returns.
            reward: See `Batch`.

        Raises:
            SettingsError: As `Batch.from_states`, like the next.
            PositionError: It is an information state.
        """
        match = cls(game, settings, reward)
        states = Batch.from_states(match.game, match.settings, state).states
        if len(states) != 1:
            raise SettingsError(f"a match plays on from one state, not from {len(states)}")
        match._states[:] = states
        match._begin()
        return match

    def clone(self) -> Self:
        """Return a match of its own that goes on from here, with the same moves and chance."""
        twin = copy.copy(self)
        twin._batch = self._batch.copy(_ROW)
        twin._states, twin.rewards = twin._batch.states, twin._batch.rewards[0]
        twin.rewards[:] = self.rewards
        for name in ("raw", "observation", "mask", "moves", "players", "_sheets"):
            setattr(twin, name, getattr(self, name).copy())
        twin._history = None  # it follows from the moves
        return twin

    def begin_again(self) -> Self:
        """Return a match of its own from the state in which this one began; it has no record."""
        first = np.frombuffer(self._first, self._states.dtype)[0]
        return type(self).from_state(self.game, self.settings, first, self._batch.reward)

    def _begin(self) -> None:
        """Set what a new match knows of its first state."""
        self._first = self._states.tobytes()  # a structured array copies more slowly
        self.moves, self.players, self._sheets, self._history = [], [], [], None
        self.current_player = int(self._states["current_player"][0])
        self.rewards[:] = 0
        (self.raw[:],), (self.mask[:],) = self.observe(self.current_player)
        self.observation[:] = self.game.observation_spec.to_float(self.raw)

    def __repr__(self) -> str:
        if not self.mask.any() and not self.over:
            return f"Match({self.game.name}, {self.settings.num_players} players, not started)"
        round_number = int(self._states["round_index"][0]) + (not self.over)
        return (
            f"Match({self.game.name}, {self.settings.num_players} players, "
            f"round {round_number}, {counted(len(self.moves), 'decision')}"
            f"{', over' if self.over else ''})"
        )

    def play(self, move: int | str) -> int:
        """Play one decision, given as an action or by its name.

        Returns:
            GOES_ON, ROUND_ENDED or GAME_OVER (see engine/kernels.py).

        Raises:
            MoveError: The move is unknown or illegal; nothing was changed.
        """
        if isinstance(move, str):
            if move not in self.game.actions:
                raise unknown_name(MoveError, "move", move, self.legal, "legal are:")
            move = self.game.actions.index(move)
        return self.act(move)

    def act(self, action: int) -> int:
        """Play one decision, given as an action; otherwise like `play`."""
        if type(action) is not int:
            action = whole_number(action)
        try:
            result = self._step_one(
                self._states,
                action,
                self._reward_kind,
                self._scale,
                self.rewards,
                self.raw,
                self.observation,
                self.mask,
            )
        except OverflowError:  # beyond 64 bits
            result = ILLEGAL
        if result == ILLEGAL:
            raise explain_illegal(self.game, self._states[0], action)
        self.moves.append(action)
        self.players.append(self.current_player)
        if result >= 0:
            self.current_player = result
            return GOES_ON
        outcome = -1 - result
        self.current_player = int(self._states["current_player"][0])
        self._sheets.append(self.round_sheet)
        if outcome == GAME_OVER and self._reward_kind == OWN:
            self.rewards[:] = self._batch.final_rewards(_ROW)[0]
        return outcome

    def observe(self, seat: int) -> tuple[RawObservations, Masks]:
        """Return the raw observation and mask of a seat, each of shape (1, ...)."""
        return self._batch.observe(self._seats(seat))

    def observe_all(self) -> NDArray[np.float32]:
        """Return the observations of all seats: all that anybody knows, all hands among it.

        For centralised critics, never for a player.

        Returns:
            float32 (num_players, observation_spec.size).
        """
        seats = np.arange(self.settings.num_players)
        raw = np.empty((len(seats), len(self.raw)), np.uint8)
        masks = np.empty((len(seats), len(self.mask)), np.int8)
        kernels.observe_each(self._states, np.zeros_like(seats), seats, raw, masks)
        return self.game.observation_spec.to_float(raw)

    @property
    def random_bits(self) -> NDArray[np.uint64]:
        """The random bits for the next decision, (1,), as a tournament gives them.

        They follow from the seed, the seat and how many decisions it has made since the start.
        """
        counts = np.bincount(np.array(self.players, np.int64), minlength=self.settings.num_players)
        bits = np.zeros(1, np.uint64)
        kernels.draw_random_bits(self._states, _ROW, counts[None], bits)
        return bits

    def observation_batch(self, *, information_states: bool = False) -> ObservationBatch:
        """Return what the current player observes, one row, for an agent.

        Args:
            information_states: Whether to add the match as the player knows it.

        Raises:
            MoveError: The match is over, or has not been started.
        """
        if not self.mask.any():
            raise MoveError("no decision is due: the match is over, or has not been started")
        return observation_batch(self._batch, _ROW, self.random_bits, information_states)

    def known_cards(self, seat: int) -> NDArray[np.uint8]:
        """Return the cards that a seat knows in the others' hands: at least so many of each type.

        Returns:
            uint8 (num_players - 1, card types); row k is the hand k + 1 seats clockwise, columns
            go by `game.cards`.
        """
        (known_cards,) = self._states["known"][0, self._seats(seat)]  # a copy
        return np.asarray(known_cards[: self.settings.num_players - 1])

    def events(self, seat: int, length: int | None = None) -> NDArray[Any]:
        """Return the public events of the current round as a seat knows them (docs/envs).

        Args:
            seat: The observer.
            length: How many events, the newest, after zeros where there are less; None for all.

        Returns:
            A structured array (events,), newest last, with the int32 fields `number` (of the
            decision in the round, from 1), `kind` (an `EventKind`), `actor` and `other` (seats
            clockwise from the observer, who is 1), `card` (its type plus 1) and `count`; 0 for none
            or unknown.
        """
        self._seats(seat)
        if self._history is None:
            self._history = MatchHistory(self.reader())
        events = self._history.events(self.moves, seat, length)
        return events.view(EVENT_DTYPE)[:, 0]

    def reader(self) -> EventReader:
        """Return a reader of all that the rules say of each move, where the match began."""
        return EventReader(self.game, np.frombuffer(self._first, self._states.dtype))

    def information_state(self, seat: int) -> States:
        """Return the game as a seat knows it (engine/determinization.py), (1,)."""
        states = np.zeros(1, self._states.dtype)
        kernels.information_states(self._states, _ROW, self._seats(seat), states)
        return states

    def sample_states(self, seat: int, random_bits: NDArray[np.uint64]) -> States:
        """Return whole states that a seat cannot tell from this one (engine/determinization.py).

        Every deal of the cards that the seat has not seen is equally likely.

        Args:
            seat: Whose knowledge is kept.
            random_bits: uint64 (states,), one for each state.

        Returns:
            States, (states,); their field `hands`, (states, seats, card types), counts the cards.

        Raises:
            MoveError: There is no such seat.
            SettingsError: The random bits are not such an array.
        """
        if getattr(random_bits, "dtype", None) != np.uint64 or random_bits.ndim != 1:
            raise SettingsError(
                "random_bits must be an array of uint64, one for each state, not "
                f"{quoted(random_bits)}"
            )
        self._seats(seat)
        states = np.zeros(len(random_bits), self._states.dtype)
        rows, seats = np.zeros(len(states), np.int64), np.full(len(states), seat)
        weights = uniform_weights(len(self.game.cards))
        information_states = self.information_state(seat)
        kernels.sample_states(information_states, rows, seats, random_bits, weights, states)
        return states

    @property
    def state(self) -> Any:
        """The state by reference; what is written to it is not checked."""
        return state_at(self._states, 0)

    @property
    def over(self) -> bool:
        """Whether the last round has been scored."""
        return bool(self._states["over"][0])

    @property
    def legal(self) -> list[str]:
        """Names of the legal moves; none when the game is over."""
        return [self.game.actions[action] for action in np.flatnonzero(self._states["legal"][0])]

    @property
    def scores(self) -> list[float]:
        """Points of each seat in the rounds that have ended; low is good."""
        return self._points("scores")

    @property
    def round_points(self) -> list[float]:
        """Points of each seat in the round that the last decision ended."""
        return self._points("round_points")

    @property
    def round_sheet(self) -> RoundSheet:
        """The same by seat and entry: what each entry of `game.score_sheet` adds to the points."""
        return self.game.round_sheet(self._states[0])

    @property
    def round_entries(self) -> NDArray[np.float64]:
        """The same as an array, (num_players, entries)."""
        return self.game.round_entries(self._states[0])

    @property
    def score_sheet(self) -> list[RoundSheet]:
        """The score sheet of the game: the `round_sheet` of each round since the start."""
        return copy.deepcopy(self._sheets)

    @property
    def round_winner(self) -> int:
        """The seat that won the round that the last decision ended; -1 for nobody."""
        return int(self._states["round_winner"][0])

    @property
    def capped_rounds(self) -> int:
        """How many rounds reached the cap on decisions."""
        return int(self._states["capped_rounds"][0])

    def win_shares(self) -> list[float]:
        """Return each seat's share of the win of a finished game."""
        return [float(share) for share in self._batch.win_shares()[0]]

    def position(self) -> dict[str, Any]:
        """Return the position as plain data, which `start` reads unless the game is over."""
        return self.game.write_position(self.state)

    def draw(self, viewer: int | None = None) -> str:
        """Return the table as text: all hands open, or as one seat sees it."""
        if viewer is not None:
            self._seats(viewer)
        return self.game.draw_table(self.state, viewer)

    def picture(self, viewer: int | None = None) -> NDArray[np.uint8]:
        """Return the table as a picture, uint8 (720, 1280, 3), seen as by `draw`."""
        from .rendering import draw_scene

        if viewer is not None:
            self._seats(viewer)
        last = list(zip(self.players[-SHOWN_MOVES:], self.moves[-SHOWN_MOVES:], strict=True))
        return draw_scene(self.game.show_table(self.state, viewer, last))

    def record(self) -> str:
        """Return the game so far as one line of JSON; `replay` plays it again.

        Raises:
            RecordError: The match began from a state (`from_state`), which no seed leads to.
        """
        if self._seed is None:
            raise RecordError("a match from a state has no record")
        record: dict[str, Any] = {"format": FORMAT, "game": self.game.id}
        record |= {"settings": self.settings.to_dict(), "seed": self._seed}
        if self._position is not None:
            record["position"] = self._position
        record["moves"] = [self.game.actions[action] for action in self.moves]
        record["score_sheet"] = self._sheets
        return json.dumps(record, separators=(",", ":"))

    def _points(self, field: str) -> list[float]:
        """Return a field of the state that is kept in half points, by seat."""
        points: list[float] = (self._states[field][0, : self.settings.num_players] / 2).tolist()
        return points

    def _seats(self, seat: int) -> NDArray[np.int64]:
        """Return a seat as kernels take it; they check nothing. Raise MoveError for no seat."""
        number = whole_or_none(seat)
        if number is None or not 0 <= number < self.settings.num_players:
            raise MoveError(
                f"seat must be from 0 to {self.settings.num_players - 1}, not {quoted(seat)}"
            )
        return np.array([number])


def replay(record: str) -> Match:
    """Play a record again.

    Args:
        record: What `Match.record` returned.

    Returns:
        The match after the last move.

    Raises:
        RecordError: This is no record, it has another score sheet than its moves lead to, or it
            breaks a rule; for the latter the message has the number of the first wrong move,
            counted from 1.
    """
    data = _read_fields(record)
    game = next((game for game in GAMES.values() if game.id == data["game"]), None)
    if game is None:
        names = ", ".join(game.id for game in GAMES.values())
        raise RecordError(f"record: unknown game {quoted(data['game'])}; there are {names}")
    moves = data["moves"]
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise RecordError("record: moves must be a list of names")
    try:
        match = Match(game, game.settings.from_dict(data["settings"]))
        match.start(data["seed"], data.get("position"))
    except (SettingsError, PositionError) as error:
        raise RecordError(f"record: {error}") from None
    for number, move in enumerate(moves, start=1):
        try:
            match.play(move)
        except MoveError as error:
            raise RecordError(f"record: move {number}: {error}") from None
    if data.get("score_sheet", match.score_sheet) != match.score_sheet:
        raise RecordError("record: the moves lead to another score_sheet")
    return match


def _read_fields(record: str) -> dict[str, Any]:
    """Return the fields of a record, if they are those of one."""
    try:
        data = json.loads(record)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(f"record: not JSON ({error})") from None
    if not isinstance(data, dict):
        raise RecordError("record: not an object")
    if data.get("format") != FORMAT:
        raise RecordError(f"record: format must be {FORMAT}; other records are not read")
    for name in _NEEDED:
        if name not in data:
            raise RecordError(f"record: {name} is missing")
    for name in data:
        if name not in ("format", *_NEEDED, *_OPTIONAL):
            raise RecordError(f"record: unknown field {quoted(name)}")
    return data


def whole_number(action: Any) -> int:
    """Return an action given as any kind of integer. Raise MoveError when it is none."""
    number = whole_or_none(action)
    if number is None:
        raise MoveError(code="no-number", given=quoted(action))
    return number
