"""Errors that come from bad input; each message is one line that names the fault."""


class GoldgriffError(ValueError):
    """Base class of all errors that come from bad input rather than from a fault in the library."""


class SettingsError(GoldgriffError):
    """Settings are out of range or unknown."""


class MoveError(GoldgriffError):
    """A move is unknown, not legal here or not this player's to make; nothing was changed."""


class ResetError(GoldgriffError, AttributeError):
    """An attribute of an environment does not exist before the first `reset`."""


class AgentError(GoldgriffError):
    """An agent does not exist, cannot be loaded, or fails in a game."""


class PositionError(GoldgriffError):
    """A position cannot arise in a game."""


class RecordError(GoldgriffError):
    """A recorded game does not replay."""
