"""What a game hands to the shared doors: one object that names its parts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import GoldgriffError, SettingsError
from . import protocol
from .compile import implement
from .deck import TAKEN
from .observation import ObservationSpec
from .scene import Scene
from .settings import GameSettings
from .state import CardGameState, new_states, state_dtype


@dataclass(frozen=True, eq=False)
class Game:
    """A card game. Two games are the same only if they are the same object.

    name: `auruxxx`; with `version` it makes the environment's id, `auruxxx_v0`.
    actions: the names of all actions; an action is its place in this tuple.
    cards: the names of all card types; a card is its place in this tuple.
    begin, list_legal, apply, observe, get_known_cards, set_known_cards, to_information_state, sample_state: the compiled rules, as
        `kernels` describes them.
    read_position: writes a position given as plain data into the only record of an array.
    write_position: a game's record as plain data.
    draw_table: the table as text, from one seat's view or (None) all open.
    show_table: the same as what a picture shows, with the last moves as (seat, action).
    statistics, endings: what is counted of each seat and of how rounds end, with its meaning.
    tally: the compiled counting, as `records` describes it.
    """

    name: str
    title: str
    version: int
    settings: type[GameSettings]
    state: type[CardGameState]
    actions: tuple[str, ...]
    cards: tuple[str, ...]
    observation_spec: ObservationSpec
    begin: Callable[[Any], None]
    list_legal: Callable[[Any], None]
    apply: Callable[[Any, int], None]
    observe: Callable[[Any, int, NDArray[np.uint8]], None]
    get_known_cards: Callable[[Any, int, NDArray[np.uint8]], None]
    set_known_cards: Callable[[Any, int, NDArray[np.uint8]], None]
    to_information_state: Callable[[Any, int], None]
    sample_state: Callable[[Any, int, np.uint64, NDArray[np.uint64]], None]
    read_position: Callable[[Any, Any, Any], None]
    write_position: Callable[[Any], dict[str, Any]]
    draw_table: Callable[[Any, int | None], str]
    show_table: Callable[[Any, int | None, Sequence[tuple[int, int]]], Scene]
    statistics: Mapping[str, str]
    endings: Mapping[str, str]
    tally: Callable[..., None]

    def __post_init__(self) -> None:
        GAMES[self.name] = self
        dtype = state_dtype(self.state)
        implement(protocol.begin, dtype, self.begin)
        implement(protocol.list_legal, dtype, self.list_legal)
        implement(protocol.apply, dtype, self.apply)
        implement(protocol.observe, dtype, self.observe)
        implement(protocol.get_known_cards, dtype, self.get_known_cards)
        implement(protocol.set_known_cards, dtype, self.set_known_cards)
        implement(protocol.to_information_state, dtype, self.to_information_state)
        implement(protocol.sample_state, dtype, self.sample_state)
        implement(protocol.tally, dtype, self.tally)

    def __reduce__(self) -> tuple[Callable[[str], "Game"], tuple[str]]:
        return get_game, (self.name,)

    @property
    def id(self) -> str:
        """The environment's id, with the version of its behaviour."""
        return f"{self.name}_v{self.version}"

    def new_states(self, settings: GameSettings, count: int) -> NDArray[Any]:
        """Records for `count` games with these settings, not yet begun; shape (count,).

        Raises SettingsError for settings that are not of this game.
        """
        if not isinstance(settings, self.settings):
            raise SettingsError(
                f"settings must be those of {self.title}, not {type(settings).__qualname__}"
            )
        states = new_states(self.state, count)
        for name, value in settings.codes().items():
            if name in (states.dtype.names or ()):
                states[name] = value
        return states

    def settings_in(self, states: NDArray[Any]) -> bytes:
        """What records of other settings differ in, whatever was played."""
        names = self.settings.from_dict({}).codes().keys() & set(states.dtype.names or ())
        kept = {name: states[name] for name in sorted(names)}
        return b"".join(
            (value % TAKEN if name == "slots" else value).tobytes() for name, value in kept.items()
        )


GAMES: dict[str, Game] = {}


def get_game(name: str) -> Game:
    """The game of a name. Raises GoldgriffError, naming the games there are."""
    if name not in GAMES:
        raise GoldgriffError(f"unknown game {name!r}; there are {', '.join(GAMES)}")
    return GAMES[name]


ILLEGAL = "is not legal here"  # in every message about a move that there is, but not now


def explain_illegal(game: Game, record: Any, action: int) -> str:
    """What is wrong with an action, and what is allowed instead, in one line."""
    if not 0 <= action < len(game.actions):
        number = action if abs(action) < 10**9 else "of so many digits"
        return f"there is no action {number}; actions are 0 to {len(game.actions) - 1}"
    legal = [game.actions[place] for place in np.flatnonzero(record["legal"])]
    if not legal and record["over"]:
        return f"{game.actions[action]!r} comes after the end of the game"
    if not legal:
        return f"{game.actions[action]!r} comes before the game has begun: start it"
    return f"{game.actions[action]!r} {ILLEGAL}; legal are: {', '.join(legal)}"
