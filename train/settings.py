"""What every training run is made of; each algorithm adds its own settings in its own file."""

from dataclasses import dataclass, field
from typing import Any

from ..envs.batch import reward_kind
from ..envs.engine.settings import CheckedSettings, fraction, whole
from ..errors import SettingsError

MAX_SEED = 2**32 - 1


@dataclass(frozen=True, kw_only=True)
class RunSettings(CheckedSettings):
    """Settings of self-play that all algorithms share; a step is one decision that is learnt from.

    rules: settings of the game by name (`Settings` in its rules.py) but `num_players`; what is
        left out keeps its default.
    players: players at a table; with several numbers tables of these sizes take even parts,
        one that is named twice two of them.
    reward: `points` or `win`, see docs/envs.
    seed: of the run, 0 to 2**32 - 1.
    total_steps: decisions in all.
    tables, steps_per_table: games played side by side, decisions in each between two updates.
    rivals: agents in the pool that never leave it, such as `expert`; one that is named twice is met
        twice as often.
    pool_size, snapshot_every: past selves in the pool; updates between two of them.
    self_play: the chance that a game is among newest selves (see `train/opponent_pool.py`).
    checkpoint_every: updates between two checkpoints.
    yardstick: the agent that measures how strong the player has become.
    evaluate_every: updates between two measurements; 0 makes none.
    evaluation_deals: deals of each, the same ones every time.
    patience: measurements without a better one after which training stops; 0 never stops it.
    hidden: widths of the hidden layers.
    threads: for everything; on two cores one is often as fast, and leaves the other free.

    Raises SettingsError for a value that is none, naming what is allowed.
    """

    rules: dict[str, Any] = field(default_factory=dict)
    players: list[int] = field(default_factory=lambda: [4])
    reward: str = "points"
    seed: int = 1
    total_steps: int = whole(4_000_000)
    tables: int = whole(512)
    steps_per_table: int = whole(64)
    rivals: list[str] = field(default_factory=list)
    pool_size: int = whole(4, least=0)
    snapshot_every: int = whole(5)
    self_play: float = fraction(0.5)
    checkpoint_every: int = whole(10)
    yardstick: str = "expert"
    evaluate_every: int = whole(0, least=0)
    evaluation_deals: int = whole(200, least=2)
    patience: int = whole(0, least=0)
    hidden: list[int] = field(default_factory=lambda: [256, 128])
    threads: int = whole(1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.rules, dict):
            raise SettingsError(f"rules must be an object of names and values, not {self.rules!r}")
        if "num_players" in self.rules:
            raise SettingsError("rules must leave out num_players, for which there is players")
        reward_kind(self.reward)
        if type(self.seed) is not int or not 0 <= self.seed <= MAX_SEED:
            raise SettingsError(
                f"seed must be a whole number from 0 to 2**32 - 1, not {self.seed!r}"
            )
        check_list("players", self.players, "numbers of players")
        check_list("hidden", self.hidden, "widths")
        if not isinstance(self.yardstick, str):
            raise SettingsError(f"yardstick must be the name of an agent, not {self.yardstick!r}")
        if not isinstance(self.rivals, list) or not all(isinstance(x, str) for x in self.rivals):
            raise SettingsError(f"rivals must be a list of agents, not {self.rivals!r}")
        if self.tables < len(self.players):
            raise SettingsError(f"tables must be at least {len(self.players)}, one of each size")


def check_list(name: str, given: object, what: str) -> None:
    """Raise SettingsError for a setting that is no list of numbers from 1."""
    entries = given if isinstance(given, list) else []
    if not entries or not all(type(entry) is int and entry > 0 for entry in entries):
        raise SettingsError(f"{name} must be a list of {what}, not {given!r}")
