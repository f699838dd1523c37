"""What can be wrong with what a user hands in; each message is one line that names the fault."""


class GoldgriffError(ValueError):
    """Base of all errors that come from bad input rather than from a fault in the library."""


class SettingsError(GoldgriffError):
    """Settings that no game can be played with."""


class MoveError(GoldgriffError):
    """A move that is unknown, illegal here or not this player's to make; nothing was changed."""


class ResetError(GoldgriffError, AttributeError):
    """An environment is asked for its game before the first `reset`; no such attribute is there."""


class AgentError(GoldgriffError):
    """An agent that is not there, is none, or fails at the table."""


class PositionError(GoldgriffError):
    """A position that cannot arise."""


class RecordError(GoldgriffError):
    """A game record that does not replay."""
