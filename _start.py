"""While the command line is still loading, a signal ends it with its status and no traceback."""

import os
import signal
import sys
from itertools import pairwise
from pathlib import Path


def _is_command() -> bool:
    """Return whether this process is `goldgriff ...` or `python -m goldgriff ...`."""
    script = Path(sys.argv[0]).name if sys.argv else ""
    return script == "goldgriff" or ("-m", "goldgriff") in pairwise(sys.orig_argv)


def _stop_quietly() -> None:
    """Let signals end the process that would else end it as Python does."""
    for number, usual in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGTERM, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is usual:
            signal.signal(number, lambda number, _: os._exit(128 + number))


if _is_command():
    _stop_quietly()
