"""The options of `goldgriff.make` by game, for type checkers and for completion in editors.

Only they read this module. A setting has its range and its meaning in `envs/GAME/rules.py`.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from .envs.engine.rewards import Reward
    from .envs.gluecksgriff.rules import Blank

Illegal = Literal["lose", "raise"]
RenderMode = Literal["ansi", "human", "rgb_array"]
Autoreset = Literal["SameStep", "NextStep"]
AuruxxxName = Literal["auruxxx", "auruxxx_v0", "Auruxxx"]
GluecksgriffName = Literal["gluecksgriff", "gluecksgriff_v1", "Glücksgriff"]


class EnvOptions(TypedDict, total=False):
    """The options of an AEC environment that every game has."""

    reward: "Reward"
    illegal: Illegal
    illegal_reward: float | None
    render_mode: RenderMode | None
    knowledge: bool
    history: int


class AuruxxxOptions(EnvOptions, total=False):
    """The same and the settings of Auruxxx."""

    preset: Literal["german", "english", "web", "italian", "tiny-a", "tiny-b", "tiny-c", "small-a"]
    rounds: int
    hand_size: int
    colours: int
    highest_number: int
    number_copies: int
    fifties: int
    happy_men: int
    golden_twelves: int
    blessings: int
    steals: int
    swaps: int
    edition: Literal["german", "italian", "web"]
    after_action: Literal["free", "lay"]
    blessing_draws: Literal["others", "all"]
    golden_value: int
    deck: Mapping[str, int] | Sequence[tuple[str, int]]
    max_passes: int
    max_draws: int
    cards_per_two: int
    max_turns: int
    max_decisions: int


class GluecksgriffOptions(EnvOptions, total=False):
    """The same and the settings of Glücksgriff."""

    preset: Literal["book", "experts", "tiny-a", "tiny-b", "tiny-c", "small-a"]
    point_limit: int
    hand_size: int
    copies: int
    highest_value: int
    jokers: int
    hourglasses: int
    magic_hands: int
    bluffing: bool
    penalties: bool
    late_knock: int
    last_turn: Literal["optional", "forced"]
    fend_off: Literal["free", "turn"]
    challenge_prize: Literal["one", "both"]
    joker_knock: Literal["strict", "run_end", "wide"]
    blanks: "Sequence[Blank | dict[str, Any]]"
    deck: Mapping[str, int] | Sequence[tuple[str, int]]
    max_rounds: int
    max_turns: int
    max_decisions: int
