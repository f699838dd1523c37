"""Evaluation: duplicate tournaments, their statistics and reports.

The public pieces are imported at their first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if __name__ != "goldgriff.eval":
    raise ImportError(f"import this package as goldgriff.eval, not as {__name__}")

if TYPE_CHECKING:
    from .tournament.api import play_tournament
    from .tournament.config import TournamentConfig, tournament_config
    from .tournament.guard import Player
    from .tournament.results import Results
    from .tournament.shards import Shard, play_shard
    from .tournament.store import Store
    from .tournament.tournament import ShardMerger, merge_shards, run_tournament
    from .tournament.tournament_result import TournamentResult
    from .workers.sources import AgentSource

_MODULES = {  # by name: where it is
    "AgentSource": "workers.sources",
    "Player": "tournament.guard",
    "Results": "tournament.results",
    "Shard": "tournament.shards",
    "ShardMerger": "tournament.tournament",
    "Store": "tournament.store",
    "TournamentConfig": "tournament.config",
    "TournamentResult": "tournament.tournament_result",
    "merge_shards": "tournament.tournament",
    "play_shard": "tournament.shards",
    "play_tournament": "tournament.api",
    "run_tournament": "tournament.tournament",
    "tournament_config": "tournament.config",
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
