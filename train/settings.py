"""What a training run is made of: one typed dataclass, with presets by name."""

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from goldgriff.envs.core.errors import SettingsError
from goldgriff.envs.core.kernels import REWARDS

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {
        "total_steps": 2_048,
        "tables": 16,
        "steps_per_table": 32,
        "batch_size": 256,
        "hidden": [32],
    },
    "quick": {"total_steps": 4_000_000},
    "long": {
        "total_steps": 30_000_000,
        "tables": 1024,
        "batch_size": 8_192,
        "learning_rate": 3e-4,
        "entropy_weight": 0.005,
        "snapshot_every": 10,
        "pool_size": 6,
    },
}


# Settings that are numbers from 0 to 1.
FRACTIONS = (
    "learning_rate", "discount", "gae_lambda", "clip_range", "entropy_weight", "value_weight",
    "max_grad_norm",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class TrainSettings:
    """Settings of MaskablePPO in self-play; a step is one decision of the learner.

    rules: settings of the game by name (`Settings` in its rules.py); what is left out keeps its
        default.
    reward: `points` or `win`, see docs/envs.
    seed: of the run, 0 to 2**32 - 1.
    total_steps: the learner's decisions in all.
    tables, steps_per_table: games played side by side, decisions in each between two updates.
    pool_size: past selves kept as opponents.
    snapshot_every: updates between two past selves.
    checkpoint_every: updates between two checkpoints.
    learning_rate to max_grad_norm: PPO's own, as in sb3-contrib; `discount` is its gamma, the
        weights are its coefficients.
    hidden: widths of the hidden layers, which policy and value share.
    threads: for everything; on two cores one is often as fast, and leaves the other free.
    """

    rules: dict[str, Any] = field(default_factory=dict)
    reward: str = "points"
    seed: int = 1
    total_steps: int = 4_000_000
    tables: int = 512
    steps_per_table: int = 64
    pool_size: int = 4
    snapshot_every: int = 5
    checkpoint_every: int = 10
    hidden: list[int] = field(default_factory=lambda: [256, 128])
    learning_rate: float = 5e-4
    batch_size: int = 2048
    epochs: int = 3
    discount: float = 0.995
    gae_lambda: float = 0.95
    clip_range: float = 0.2
    entropy_weight: float = 0.01
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    threads: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.rules, dict):
            raise SettingsError(f"rules must be an object of names and values, not {self.rules!r}")
        if self.reward not in REWARDS:
            raise SettingsError(f"reward must be {' or '.join(REWARDS)}, not {self.reward!r}")
        if type(self.seed) is not int or not 0 <= self.seed < 2**32:
            raise SettingsError(
                f"seed must be a whole number from 0 to 2**32 - 1, not {self.seed!r}"
            )
        sizes = self.hidden if isinstance(self.hidden, list) else []
        if not sizes or not all(type(size) is int and size > 0 for size in sizes):
            raise SettingsError(f"hidden must be a list of widths, not {self.hidden!r}")
        for name in FRACTIONS:
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value <= 1:
                raise SettingsError(f"{name} must be a number from 0 to 1, not {value!r}")
        for name in (
            "total_steps",
            "tables",
            "steps_per_table",
            "pool_size",
            "snapshot_every",
            "checkpoint_every",
            "batch_size",
            "epochs",
            "threads",
        ):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise SettingsError(f"{name} must be a whole number of at least 1, not {value!r}")

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Self:
        """Read settings from plain data. Raises SettingsError for an unknown name."""
        known = [entry.name for entry in fields(cls)]
        for name in given:
            if name not in known:
                raise SettingsError(f"unknown setting {name!r}; known are {', '.join(known)}")
        return cls(**given)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain data, as `from_dict` reads them."""
        return asdict(self)


def preset(name: str) -> TrainSettings:
    """The settings of a preset. Raises SettingsError, naming the presets there are."""
    if name not in PRESETS:
        raise SettingsError(f"unknown preset {name!r}; there are {', '.join(PRESETS)}")
    return TrainSettings.from_dict(PRESETS[name])
