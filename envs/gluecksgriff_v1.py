"""Glücksgriff, version 1 of its behaviour: what PettingZoo users import."""

from .gluecksgriff.env import env, raw_env

__all__ = ["env", "raw_env"]
