"""Goldgriff: two card games as environments for reinforcement learning, with agents to meet."""

# Absolute, since pytest also imports this file under the name of the checkout.
from goldgriff.envs import make

__all__ = ["make"]
__version__ = "0.1.0"
