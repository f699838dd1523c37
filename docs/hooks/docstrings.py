"""How docstrings become Markdown."""

import re
from typing import Any

import griffe

# `masks: int8 (rows, actions)`, also in the middle of a line, behind the end of a sentence.
_NAMES = re.compile(r"(?:^|(?<=[.;])\s)([a-z_]\w*(?:, [a-z_]\w*)*): ")


class NamedLines(griffe.Extension):
    """Makes a list of a paragraph that explains names one after the other."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring:
            blocks = obj.docstring.value.split("\n\n")
            obj.docstring.value = "\n\n".join(_as_list(block) for block in blocks)


def _as_list(block: str) -> str:
    if not _NAMES.match(block):
        return block
    return _NAMES.sub(r"\n- **\1**: ", " ".join(block.split()))
