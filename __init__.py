"""Goldgriff: two card games as environments for reinforcement learning, with agents to meet."""

from .envs import make

__all__ = ["make"]
__version__ = "0.1.0"
