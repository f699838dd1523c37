"""Players that tests seat: by the fixture's name or as `tests.players:Class`."""

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.policy import Views


class First:
    """Plays the first legal action of the table."""

    def act(self, views: Views) -> NDArray[np.int64]:
        actions: NDArray[np.int64] = views.masks.argmax(axis=1)
        return actions


class Cheat:
    """Plays what is never legal."""

    def act(self, views: Views) -> NDArray[np.int64]:
        return np.full(len(views), len(views.game.actions))


class Mute:
    """Cannot act."""


class Broken:
    """Cannot even be made."""

    def __init__(self) -> None:
        raise RuntimeError("no such luck")
