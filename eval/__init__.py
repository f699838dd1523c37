"""Evaluation: duplicate tournaments, their statistics and reports.

The public pieces are imported at their first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if __name__ != "goldgriff.eval":
    raise ImportError(f"import this package as goldgriff.eval, not as {__name__}")

if TYPE_CHECKING:
    from .tournament.api import play_tournament as play_tournament
    from .tournament.config import TournamentConfig as TournamentConfig
    from .tournament.config import tournament_config as tournament_config
    from .tournament.guard import Player as Player
    from .tournament.results import Results as Results
    from .tournament.shards import Shard as Shard
    from .tournament.shards import play_shard as play_shard
    from .tournament.store import Store as Store
    from .tournament.tournament import ShardMerger as ShardMerger
    from .tournament.tournament import merge_shards as merge_shards
    from .tournament.tournament import run_tournament as run_tournament
    from .tournament.tournament_result import TournamentResult as TournamentResult
    from .workers.sources import AgentSource as AgentSource

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

__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    """Import what is asked for first; Python asks here for missing names."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
