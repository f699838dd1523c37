"""One game at one table: played by action or by name, started from a seed or a position."""

import copy
import json
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MoveError, PositionError, RecordError, SettingsError
from .batch import reward_kind
from .engine import kernels
from .engine.determinization import uniform_weights
from .engine.game import GAMES, Game, explain_illegal
from .engine.kernels import ILLEGAL
from .engine.scene import SHOWN_MOVES
from .engine.settings import GameSettings
from .engine.state import state_at

_ROW = np.zeros(1, np.int64)
_NEEDED = ("game", "settings", "seed", "moves")  # fields of a game record; `position` may be there


class Match:
    """A single game. A decision is one compiled call that also looks at what comes next.

    moves: the actions played since the start; current_players: who played them. current_player: the seat to move.
    What the next move overwrites: `raw` and `observation`, uint8 and float32, shape
    (slices.size,), are what the mover sees, and `mask`, int8 (actions,), has 1 for each legal
    action; `rewards`, float32 (num_players,), are what the last decision brought each seat.
    """

    def __init__(self, game: Game, settings: GameSettings, reward: str = "points") -> None:
        self.game = game
        self.settings = settings
        self._kind = reward_kind(reward)
        self._scale = game.observation_spec.scale
        self._states = game.new_states(settings, 1)
        self.rewards = np.zeros(settings.num_players, np.float32)
        self.raw = np.zeros(game.observation_spec.size, np.uint8)
        self.observation = np.zeros(game.observation_spec.size, np.float32)
        self.mask = np.zeros(len(game.actions), np.int8)
        self.current_player = 0
        self.moves: list[int] = []
        self.current_players: list[int] = []
        self._seed = 0
        self._position: Any = None

    def start(self, seed: int, position: Any = None) -> None:
        """Start a new game from a seed (0 .. 2**64 - 1) or, with its chance, from a position.

        Raises PositionError for a position that cannot arise and SettingsError for a seed that is
        none; the game so far then goes on.
        """
        if isinstance(seed, np.integer):
            seed = int(seed)
        if type(seed) is not int or not 0 <= seed < 2**64:
            raise SettingsError(f"seed must be a whole number from 0 to 2**64 - 1, not {seed!r}")
        states = self.game.new_states(self.settings, 1)
        kernels.start_each(states, _ROW, np.array([seed], np.uint64))
        if position is not None:
            self.game.read_position(states, self.settings, position)
        self._states, self._seed, self._position = states, seed, copy.deepcopy(position)
        self.moves, self.current_players = [], []
        self.current_player = int(states["current_player"][0])
        self.rewards[:] = 0
        (self.raw[:],), (self.mask[:],) = self.observe(self.current_player)
        self.observation[:] = self.game.observation_spec.to_float(self.raw)

    def play(self, move: int | str) -> int:
        """Play one decision, given as an action or by its name.

        Returns what came of it: GOES_ON, ROUND_ENDED or GAME_OVER (see `kernels`). Raises
        MoveError, and changes nothing, when it is unknown or illegal.
        """
        if isinstance(move, str):
            if move not in self.game.actions:
                raise MoveError(f"unknown move {move!r}; legal are: {', '.join(self.legal)}")
            move = self.game.actions.index(move)
        return self.act(move)

    def act(self, action: int) -> int:
        """Play one decision, given as an action; otherwise like `play`."""
        if type(action) is not int:
            action = _whole_number(action)
        if not 0 <= action < len(self.mask):
            raise MoveError(explain_illegal(self.game, self._states[0], action))
        seat = self.current_player
        outcome, self.current_player = kernels.step_one(
            self._states,
            action,
            self._kind,
            self._scale,
            self.rewards,
            self.raw,
            self.observation,
            self.mask,
        )
        if outcome == ILLEGAL:
            raise MoveError(explain_illegal(self.game, self._states[0], action))
        self.moves.append(action)
        self.current_players.append(seat)
        return outcome

    def observe(self, seat: int) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """What a seat sees: features and mask, each of shape (1, ...); fresh arrays."""
        raw, mask = np.empty_like(self.raw[None]), np.empty_like(self.mask[None])
        kernels.observe_each(self._states, _ROW, self._seats(seat), raw, mask)
        return raw, mask

    def known(self, seat: int) -> NDArray[np.uint8]:
        """What a seat knows of the others' hands: at least so many cards of each type.

        Shape (num_players - 1, cards); row k is the hand k + 1 seats clockwise, the columns are
        the types in `game.cards`. A fresh array.
        """
        players, cards = self.settings.num_players, len(self.game.cards)
        counts = np.empty((1, players - 1, cards), np.uint8)
        kernels.get_known_cards_each(self._states, _ROW, self._seats(seat), counts)
        return np.asarray(counts[0])

    def hidden(self, seat: int) -> NDArray[Any]:
        """The game as a seat knows it (envs/engine/determinization.py), one record, shape (1,)."""
        records = np.zeros(1, self._states.dtype)
        kernels.information_states(self._states, _ROW, self._seats(seat), records)
        return records

    def worlds(self, seat: int, random_bits: NDArray[np.uint64]) -> NDArray[Any]:
        """Whole games that a seat cannot tell from this one, dealt anew (envs/engine/determinization.py).

        random_bits: uint64 (worlds,), each decides one of them. Returns records, (worlds,): `hands`,
        (worlds, seats, cards), counts the cards in each hand. Every deal of the cards that the
        seat has not seen is as likely as the other.
        """
        worlds = np.zeros(len(random_bits), self._states.dtype)
        rows, seats = np.zeros(len(random_bits), np.int64), np.full(len(random_bits), seat)
        odds = uniform_weights(len(self.game.cards))
        kernels.sample_states(self.hidden(seat), rows, seats, random_bits, odds, worlds)
        return worlds

    def _points(self, field: str) -> list[float]:
        """What a field of the record has for each seat, which it keeps in half points."""
        points: list[float] = (self._states[field][0, : self.settings.num_players] / 2).tolist()
        return points

    def _seats(self, seat: int) -> NDArray[np.int64]:
        """A seat as kernels take it: they look no further. Raises MoveError for none there is."""
        if not isinstance(seat, int | np.integer) or not 0 <= seat < self.settings.num_players:
            raise MoveError(f"seat must be from 0 to {self.settings.num_players - 1}, not {seat!r}")
        return np.array([seat])

    @property
    def state(self) -> Any:
        """The state record by reference; what is written to it, nobody checks."""
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
        """Points of each seat in the rounds that are over; low is good."""
        return self._points("scores")

    @property
    def round_points(self) -> list[float]:
        """Points of each seat in the round that the last decision ended."""
        return self._points("round_points")

    @property
    def round_winner(self) -> int:
        """The seat that won the round that the last decision ended; -1 for nobody."""
        return int(self._states["round_winner"][0])

    @property
    def capped_rounds(self) -> int:
        """How many rounds reached the cap on decisions."""
        return int(self._states["capped_rounds"][0])

    def win_shares(self) -> list[float]:
        """Each seat's share of the win of a finished game."""
        shares = np.zeros((1, self.settings.num_players))
        kernels.win_shares_each(self._states["scores"][:, : self.settings.num_players], shares)
        return [float(share) for share in shares[0]]

    def position(self) -> dict[str, Any]:
        """The position as plain data, which `start` reads unless the game is over."""
        return self.game.write_position(self.state)

    def draw(self, viewer: int | None = None) -> str:
        """The table as text: all hands open, or as one seat sees it. Raises MoveError for none."""
        if viewer is not None:
            self._seats(viewer)
        return self.game.draw_table(self.state, viewer)

    def picture(self, viewer: int | None = None) -> NDArray[np.uint8]:
        """The table as a picture, seen as by `draw`: red, green, blue, shape (720, 1280, 3)."""
        from .rendering import draw_scene

        if viewer is not None:
            self._seats(viewer)
        last = list(
            zip(self.current_players[-SHOWN_MOVES:], self.moves[-SHOWN_MOVES:], strict=True)
        )
        return draw_scene(self.game.show_table(self.state, viewer, last))

    def transcript(self) -> str:
        """The game so far as one line of JSON; `replay` plays it again."""
        record: dict[str, Any] = {"game": self.game.id, "settings": self.settings.to_dict()}
        record["seed"] = self._seed
        if self._position is not None:
            record["position"] = self._position
        record["moves"] = [self.game.actions[action] for action in self.moves]
        return json.dumps(record, separators=(",", ":"))


def _whole_number(action: Any) -> int:
    """An action given as some other kind of integer. Raises MoveError when it is none."""
    try:
        number = index(action)
    except TypeError:
        number = None
    if number is None or isinstance(action, bool):
        raise MoveError(f"an action is a whole number, not {action!r}")
    return number


def replay(transcript: str) -> Match:
    """Play a game record again; the table it returns stands after the last move.

    Raises RecordError for a record that is no game record or breaks a rule; for the latter
    the message has the number of the first wrong move, counted from 1.
    """
    try:
        record = json.loads(transcript)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(f"game record: not JSON ({error})") from None
    if not isinstance(record, dict):
        raise RecordError("game record: not an object")
    for name in _NEEDED:
        if name not in record:
            raise RecordError(f"game record: {name} is missing")
    for name in record:
        if name not in (*_NEEDED, "position"):
            raise RecordError(f"game record: unknown field {name!r}")
    game = next((game for game in GAMES.values() if game.id == record["game"]), None)
    if game is None:
        known = ", ".join(game.id for game in GAMES.values())
        raise RecordError(f"game record: unknown game {record['game']!r}; there are {known}")
    moves = record["moves"]
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise RecordError("game record: moves must be a list of names")
    try:
        table = Match(game, game.settings.from_dict(record["settings"]))
        table.start(record["seed"], record.get("position"))
    except (SettingsError, PositionError) as error:
        raise RecordError(f"game record: {error}") from None
    for number, move in enumerate(moves, start=1):
        try:
            table.play(move)
        except MoveError as error:
            raise RecordError(f"game record: move {number}: {error}") from None
    return table
