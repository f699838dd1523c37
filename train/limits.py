"""What a training run needs of the machine, so that one that cannot fit is refused in a line."""

from itertools import pairwise
from typing import Any

from ..agents.features.spec import find_feature_spec
from ..envs.engine.game import Game
from ..errors import AgentError, SettingsError
from .memory import available_memory
from .settings import RunSettings

_COPIES = 5  # of a weight: itself, its gradient, Adam's two averages, the agent's
_GIB = 2**30


def check_memory(game: Game, settings: RunSettings) -> None:
    """Raise SettingsError for a run that needs more memory than this process may have."""
    needed = memory_needed(game, settings)
    there = available_memory()
    if sum(needed.values()) > there:
        most = max(needed, key=lambda names: needed[names])
        given = ", ".join(f"{name}={getattr(settings, name)}" for name in most)
        raise SettingsError(
            f"the run needs at least {sum(needed.values()) / _GIB:.1f} GiB of memory, most of it "
            f"for {given}; this process may have {there / _GIB:.1f} GiB"
        )


def memory_needed(game: Game, settings: RunSettings) -> dict[tuple[str, ...], int]:
    """Return about how many bytes a run needs at least, by the settings that they depend on."""
    inputs, actions = game.observation_spec.size, len(game.actions)
    decision = inputs + 4 * actions + 32  # an observation, a mask, and what is learnt from
    state = game.new_states(game.settings.from_dict({}), 1).itemsize
    needed: dict[tuple[str, ...], int] = {
        ("n_envs",): settings.n_envs * (state + decision),
        ("n_envs", "n_steps"): 2
        * settings.n_envs
        * settings.n_steps
        * decision,  # and put in a row
    }
    weights = sum(before * after for before, after in pairwise([inputs, *settings.hidden, 1]))
    needed["hidden",] = 4 * weights * (_COPIES + settings.pool_size)
    critic: Any = getattr(settings, "critic_hidden", ())
    if critic:
        needed["critic_hidden",] = 4 * _COPIES * sum(a * b for a, b in pairwise([inputs, *critic]))
    tried = getattr(settings, "rollout_actions", 0)
    for name in ("buffer_size", "reservoir_size"):
        row = tried * _features_of_action(game) if tried else inputs + actions
        needed[name,] = getattr(settings, name, 0) * row
    return needed


def _features_of_action(game: Game) -> int:
    try:
        return find_feature_spec(game).action_spec.size
    except AgentError:  # the game has none, which the algorithm says
        return 0
