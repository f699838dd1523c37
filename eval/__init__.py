"""Evaluation: duplicate tournaments, their statistics and reports.

The public pieces are imported at their first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if __name__ != "goldgriff.eval":
    raise ImportError(f"import this package as goldgriff.eval, not as {__name__}")

if TYPE_CHECKING:
    from .api import play_tournament
    from .config import TournamentConfig, tournament_config
    from .guard import Player
    from .results import Results
    from .shards import Shard, play_shard
    from .sources import AgentSource
    from .store import Store
    from .tournament import ShardMerger, merge_shards, run_tournament
    from .tournament_result import TournamentResult

_MODULES = {  # by name: where it is
    "AgentSource": "sources",
    "Player": "guard",
    "Results": "results",
    "Shard": "shards",
    "ShardMerger": "tournament",
    "Store": "store",
    "TournamentConfig": "config",
    "TournamentResult": "tournament_result",
    "merge_shards": "tournament",
    "play_shard": "shards",
    "play_tournament": "api",
    "run_tournament": "tournament",
    "tournament_config": "config",
}

__all__ = [
    "AgentSource",
    "Player",
    "Results",
    "Shard",
    "ShardMerger",
    "Store",
    "TournamentConfig",
    "TournamentResult",
    "merge_shards",
    "play_shard",
    "play_tournament",
    "run_tournament",
    "tournament_config",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for first; Python asks here for missing names."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
