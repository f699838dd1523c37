"""Goldgriff: two card games as reinforcement-learning environments, with agents and training."""

# Absolute, since pytest also imports this file under the name of the checkout.
from goldgriff import _start  # noqa: F401  (first: what follows takes a second)
from goldgriff.registration import make

__all__ = ["make"]
__version__ = "0.1.0"
