"""Faults of agents in games: a code for each kind of fault."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...errors import AgentError, message_texts, one_line

UNFINISHED = "unfinished"  # code of a game that is not over, or was left
RESIGNED = "resigned"  # code of a game that a person has given up


@dataclass(frozen=True)
class Fault:
    """What an agent did wrong.

    Attributes:
        code: The kind of fault, in `messages.toml`.
        values: What fills the gaps of its text.
    """

    code: str
    values: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, error: AgentError) -> "Fault":
        """Return the fault that an error tells of."""
        return cls(error.code, error.values) if error.code else cls("failed", {"error": str(error)})

    def as_error(self) -> AgentError:
        """Return the error that tells of it."""
        return AgentError(code=self.code, **self.values)

    @property
    def text(self) -> str:
        """The text in English, one line; a gap without a value stays empty."""
        text = message_texts("en").get(self.code, "unknown fault")
        return one_line(text.format_map(defaultdict(str, self.values)))
