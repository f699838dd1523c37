"""Goldgriff: two card games as reinforcement-learning environments, with agents and training.

Everything that is not needed to name an environment is imported at its first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Absolute, since pytest also imports this file under the name of the checkout.
from goldgriff.cli.options import import_extra
from goldgriff.errors import (
    AgentError,
    GoldgriffError,
    MoveError,
    PositionError,
    RecordError,
    ResetError,
    SettingsError,
    UnknownSettingError,
)
from goldgriff.registration import make, make_vec, sb3_vec_env

if TYPE_CHECKING:
    from goldgriff.agents.hub import from_pretrained
    from goldgriff.agents.onnx_export import export_onnx
    from goldgriff.agents.registry import load_agent
    from goldgriff.envs.batch import Batch
    from goldgriff.envs.engine.game import Game, get_game
    from goldgriff.envs.match import Match
    from goldgriff.envs.policy import Agent, ObservationBatch, Policy
    from goldgriff.eval.tournament.api import play_tournament
    from goldgriff.train.api import train_agent

__version__ = "0.1.0"

_MODULES = {  # what is imported at its first use, and from where
    "Agent": "envs.policy",
    "Batch": "envs.batch",
    "Game": "envs.engine.game",
    "Match": "envs.match",
    "ObservationBatch": "envs.policy",
    "Policy": "envs.policy",
    "export_onnx": "agents.onnx_export",
    "from_pretrained": "agents.hub",
    "get_game": "envs.engine.game",
    "load_agent": "agents.registry",
    "play_tournament": "eval.tournament.api",
    "train_agent": "train.api",
}

__all__ = [
    "Agent",
    "AgentError",
    "Batch",
    "Game",
    "GoldgriffError",
    "Match",
    "MoveError",
    "ObservationBatch",
    "Policy",
    "PositionError",
    "RecordError",
    "ResetError",
    "SettingsError",
    "UnknownSettingError",
    "export_onnx",
    "from_pretrained",
    "get_game",
    "load_agent",
    "make",
    "make_vec",
    "play_tournament",
    "register_open_spiel",
    "sb3_vec_env",
    "train_agent",
]


if not TYPE_CHECKING:  # for type checkers every name would be there

    def __getattr__(name: str) -> Any:
        """Import what is asked for first; Python asks here for missing names."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"goldgriff.{_MODULES[name]}"), name)
        return value


def __dir__() -> list[str]:
    """Return the public names, also those that are not imported yet."""
    return sorted(__all__)


def register_open_spiel() -> None:
    """Register the games with OpenSpiel, as `goldgriff_auruxxx` and `goldgriff_gluecksgriff`.

    Afterwards `pyspiel.load_game` loads them; docs/guides/open-spiel.md has their parameters.

    Raises:
        GoldgriffError: The extra `openspiel` is missing.
    """
    import_extra("goldgriff.eval.game_theory.open_spiel.game", "openspiel", "OpenSpiel").register()
