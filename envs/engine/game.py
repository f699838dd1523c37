"""The kind of game: one object that names the parts of a game, for everything shared."""

from collections import UserDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from inspect import getfullargspec
from pkgutil import iter_modules
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...errors import GoldgriffError, MoveError, SettingsError, UnknownSettingError, quoted
from ...naming import did_you_mean, plain_name, unknown_name
from . import chance, kernels, protocol, sampling
from .catalog import VERSIONS
from .compile import device, implement, specialized
from .deck import TAKEN
from .emit import ORDINARY
from .observation import ObservationSpec
from .protocol import Rows
from .scene import Scene
from .settings import GameSettings
from .state import CardGameState, new_states, state_dtype

RoundSheet = list[dict[str, float]]  # for each seat, the points of each entry of the score sheet


ANY = -2  # in place of a card type


@dataclass(frozen=True)
class Statistic:
    """What a tournament counts of a seat: events whose actor it is.

    Attributes:
        meaning: For people.
        kinds: An `EventKind` or `Unrecorded`, or several.
        card: The card type that they are about, or ANY.
        summed: Whether their counts are summed, not their number.
    """

    meaning: str
    kinds: int | tuple[int, ...]
    card: int = ANY
    summed: bool = False


@device
def summarize_nothing(_state: Any, _seat: int, _numbers: Any) -> None:
    """Do nothing: `summarize` of a game without a summary of hands."""


@device
def one_round_left(state: Any) -> int:
    """Return 1 until the game is over: `rounds_left` of a game that does not say."""
    return 1 - int(state.over)


@device
def always_begins_turn(_state: Any) -> bool:
    """Return True: `begins_turn` of a game whose turns are single decisions."""
    return True


def no_rule(_state: Any, _action: int) -> int:
    """Return 0: `rule_of` of a game whose moves cite no rules."""
    return 0


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """A card game. Two games are the same only if they are the same object.

    The compiled functions are described in `protocol.py`; they are registered for states of this
    game.

    Attributes:
        name: `auruxxx`; with `version` it makes the environment's id, `auruxxx_v0`.
        title: The name for people.
        version: The version of the environment's behaviour.
        settings: The class of its settings.
        state: The class of its state records.
        actions: The names of all actions; an action is its index here.
        cards: The names of all card types; a card is its index here.
        observation_spec: The fields of an observation.
        deal: Deals a round.
        list_legal: Marks the legal actions.
        play: Plays an action, up to the scoring of a round.
        observe: Writes what a seat sees.
        to_information_state: Blanks out what a seat cannot know.
        sample_state: Samples a whole state from an information state.
        read_position: Writes a position, given as plain data, into the only record of an array.
        write_position: Returns a state as plain data.
        draw_table: Returns the table as text, from one seat's view or (None) all open.
        show_table: Returns the same for a picture, with the last moves as (seat, action).
        counted: What tournaments count of each seat, by name: events of a kind.
        endings: How a round can end, with its meaning; events name the place.
        summary_spec: The fields of the summary of a hand; a game may have none.
        summarize: Writes the summary of a seat's hand.
        rounds_left: Returns the rounds to play, the current one included; by default 1 until the
            game is over.
        begins_turn: Returns whether the next decision is the first of a turn; by default all are.
        rule_of: Returns the rule that allows a legal action, from public facts; 0 for none.
        letter: Of the ids of the rules: A for A5.4.
        score_sheet: The entries of the score sheet, with their meanings; a game may have none.
        legend: What the names of the cards mean, in a line; a game may have none.
        relabelling: Exchanges, at random, names of cards that no rule tells apart; `colours.py` of
            Auruxxx has one. None for a game without such cards.
    """

    name: str
    title: str
    version: int
    settings: type[GameSettings]
    state: type[CardGameState]
    actions: tuple[str, ...]
    cards: tuple[str, ...]
    observation_spec: ObservationSpec
    deal: Callable[[Any], None]
    list_legal: Callable[[Any], None]
    play: Callable[[Any, int], None]
    observe: Callable[[Any, int, NDArray[np.uint8]], None]
    to_information_state: Callable[[Any, int], None]
    sample_state: Callable[[Any, int, np.uint64, NDArray[np.uint64]], None]
    read_position: Callable[[Any, Any, Any], None]
    write_position: Callable[[Any], dict[str, Any]]
    draw_table: Callable[[Any, int | None], str]
    show_table: Callable[[Any, int | None, Sequence[tuple[int, int]]], Scene]
    counted: Mapping[str, Statistic]
    endings: Mapping[str, str]
    summary_spec: ObservationSpec = field(default_factory=ObservationSpec)
    summarize: Callable[[Any, int, NDArray[np.uint8]], None] = summarize_nothing
    rounds_left: Callable[[Any], int] = one_round_left
    begins_turn: Callable[[Any], bool] = always_begins_turn
    rule_of: Callable[[Any, int], int] = no_rule
    letter: str = ""
    score_sheet: Mapping[str, str] = field(default_factory=dict)
    legend: str = ""
    relabelling: Callable[[Any, np.random.Generator], tuple[Rows, Rows]] | None = None

    def __repr__(self) -> str:
        return f"Game({self.id})"

    def __post_init__(self) -> None:
        GAMES[self.name] = self
        self.implement_for(state_dtype(self.state), vars(sampling), ORDINARY)

    def implement_for(
        self, dtype: np.dtype[Any], chance_functions: Mapping[str, Any], events: Mapping[Any, Any]
    ) -> None:
        """Let the rules play states of a dtype.

        Args:
            dtype: It has the fields of the game's state, and perhaps more.
            chance_functions: What each function of `chance.py` does, by name.
            events: What the stubs of `emit.py` do.
        """
        for stub in protocol.FUNCTIONS:
            implement(stub, dtype, getattr(self, stub.__name__))
        for random in chance.FUNCTIONS:
            implement(random, dtype, chance_functions[random.__name__])
        for writer, function in events.items():
            implement(writer, dtype, function)

    @classmethod
    def from_folder(cls, package: str, title: str, version: int) -> Self:
        """Make a game of the modules in its folder.

        A part is what they define under its name; classes and constants are spelled as such:
        `Settings`, `State`, `ACTIONS`, `CARDS`, `OBSERVATION_SPEC`, `COUNTED`, `ENDINGS`,
        `SUMMARY_SPEC`, `LETTER`, `SCORE_SHEET`, `LEGEND`.

        Args:
            package: The folder as a package, whose last name is that of the game.
            title: The name for people.
            version: The version of the environment's behaviour.

        Raises:
            TypeError: A part is missing that has no default.
        """
        files = iter_modules(import_module(package).__path__)
        modules = [import_module(f"{package}.{file.name}") for file in files]
        name = package.rpartition(".")[2]
        parts: dict[str, Any] = {"name": name, "title": title, "version": version}
        for field_name in cls.__dataclass_fields__.keys() - parts:
            for spelled in (field_name, field_name.upper(), field_name.capitalize()):
                for module in modules:
                    if spelled in vars(module):
                        parts[field_name] = vars(module)[spelled]
        return cls(**parts)

    def __reduce__(self) -> tuple[Callable[[str], "Game"], tuple[str]]:
        return get_game, (self.name,)

    @property
    def id(self) -> str:
        """The environment's id, with the version of its behaviour."""
        return f"{self.name}_v{self.version}"

    @property
    def statistics(self) -> dict[str, str]:
        """What tournaments count of each seat, with its meaning."""
        return {name: statistic.meaning for name, statistic in self.counted.items()}

    def cite(self, rule: int) -> str:
        """Return the id of a rule from its number: A5.4 for 504; empty for 0."""
        return f"{self.letter}{rule // 100}.{rule % 100}" if rule else ""

    @cached_property
    def step_one(self) -> Callable[..., int]:
        """`kernels.step_one`, specialized to states of this game."""
        raw, mask, numbers = np.zeros(0, np.uint8), np.zeros(0, np.int8), np.zeros(0, np.float32)
        states = new_states(self.state, 1)
        return specialized(kernels.step_one, states, 0, 0, numbers, numbers, raw, numbers, mask)

    def new_states(self, settings: GameSettings, count: int) -> NDArray[Any]:
        """Return states of games with these settings, not yet begun, (count,).

        Raises:
            SettingsError: The settings are not of this game.
        """
        settings = self.read_settings(settings)
        states = new_states(self.state, count)
        for name, value in settings.codes().items():
            if name in (states.dtype.names or ()):
                states[name] = value
        return states

    def read_settings(self, given: "GameSettings | Mapping[str, Any] | None") -> GameSettings:
        """Return settings that were given as such, by name, or not at all (the defaults).

        Raises:
            SettingsError: A name is unknown, a value is not allowed, or they are of another game.
        """
        if given is None or isinstance(given, Mapping):
            return self.settings.from_dict(dict(given or {}))
        if not isinstance(given, self.settings):
            raise SettingsError(
                f"settings must be those of {self.title}, not {type(given).__qualname__}"
            )
        return given

    def read_options(
        self, options: Mapping[str, Any], env_class: type
    ) -> tuple[GameSettings, dict[str, Any]]:
        """Split keyword arguments of an environment.

        Args:
            options: Settings of the game and options of the environment, by name.
            env_class: Has the latter as parameters that are given by keyword.

        Returns:
            The game's settings, and the environment's own options.

        Raises:
            UnknownSettingError: A name is unknown.
            SettingsError: A setting is not allowed.
        """
        own = getfullargspec(env_class).kwonlyargs
        if options.get("num_players", 0) is None:  # the default
            options = {name: value for name, value in options.items() if name != "num_players"}
        rest = {name: value for name, value in options.items() if name not in own}
        names = [entry.name for entry in fields(self.settings)]
        names += ["preset"] if self.settings.PRESETS else []
        for name in rest:
            if name not in names:  # in the words of Python, by which callers try again without it
                names += sorted(own)
                hint = _NOT_HERE.get(name) or f"settings are {', '.join(names)}"
                meant = "" if name in _NOT_HERE else did_you_mean(name, names)
                raise UnknownSettingError(
                    f"unexpected keyword argument {quoted(name)}{meant}; {hint}"
                )
        mine = {name: value for name, value in options.items() if name in own}
        return self.settings.from_dict(rest), mine

    def round_sheet(self, state: Any) -> RoundSheet:
        """Return the score sheet of the round of a state that ended last."""
        points = self.round_entries(state).tolist()
        return [dict(zip(self.score_sheet, row, strict=True)) for row in points]

    def round_entries(self, state: Any) -> NDArray[np.float64]:
        """Return the same as an array, (seats, entries)."""
        halves = state["score_sheet"][: state["num_players"], : len(self.score_sheet)]
        return np.asarray(halves / 2)

    def settings_in(self, states: NDArray[Any]) -> bytes:
        """Return the part of some states that the settings decide, whatever was played."""
        names = self.settings.from_dict({}).codes().keys() & set(states.dtype.names or ())
        kept = {name: states[name] for name in sorted(names)}
        return b"".join(
            (value % TAKEN if name == "slots" else value).tobytes() for name, value in kept.items()
        )


class MadeByName:
    """An environment that is made by the name of its game, with options and settings by name."""

    @classmethod
    def make(cls, game: Game | str, num_players: int | None = None, **options: Any) -> Self:
        """Make an environment; options are those of the class and the settings of the game."""
        game = get_game(game)
        settings, own = game.read_options(options | {"num_players": num_players}, cls)
        return cls(game, settings, **own)  # type: ignore[call-arg]


class Games(UserDict[str, Game]):
    """Games by name; one of the library, None at first, is imported when it is first asked for."""

    def __getitem__(self, name: str) -> Game:
        if not self.data[name]:
            import_module(f"..{name}", __package__)  # it registers itself
        return self.data[name]


GAMES = Games(dict.fromkeys(VERSIONS))  # type: ignore[arg-type]


def get_game(name: str | Game) -> Game:
    """Return the game of a name.

    Args:
        name: `auruxxx` (the newest version), `auruxxx_v0`, Gymnasium's `goldgriff/Auruxxx-v0`, or
            as people write it, such as `Glücksgriff`, or its title; a game is returned as it is.

    Raises:
        GoldgriffError: There is no such game.
    """
    if isinstance(name, Game):
        return name
    if not isinstance(name, str):
        raise unknown_name(GoldgriffError, "game", name, GAMES)
    plain = plain_name(name).removeprefix("goldgriff/")
    base = plain.rpartition("_v")[0]
    if plain in GAMES:
        return GAMES[plain]
    if base in GAMES and plain == GAMES[base].id:
        return GAMES[base]
    for game in GAMES.values():  # last: this loads every game
        if plain == plain_name(game.title):
            return game
    names = [game.id for game in GAMES.values()] if base in GAMES else GAMES
    raise unknown_name(GoldgriffError, "game", name, names)


_NOT_HERE = {  # what callers look for in an environment that has no such option
    "rules": "each setting of the game is an argument of its own, as in rounds=1",
    "opponents": "every agent of an AEC environment is yours to play; make_vec has opponents",
    "render_mode": "a vector environment shows no tables; make has a render_mode",
}


def explain_illegal(game: Game, state: Any, action: int) -> MoveError:
    """Return the error that says why an action is illegal, and what is legal instead."""
    if not 0 <= action < len(game.actions):
        number = action if abs(action) < 10**9 else "of so many digits"
        return MoveError(code="no-action", number=number, last=len(game.actions) - 1)
    move, legal = repr(game.actions[action]), [game.actions[a] for a in state["legal"].nonzero()[0]]
    if not legal and state["over"]:
        return MoveError(code="after-end", move=move)
    if not legal:
        return MoveError(code="before-start", move=move)
    return MoveError(code="not-legal", move=move, legal=", ".join(legal))
