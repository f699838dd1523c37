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


def _need_a_folder() -> None:
    """End the process where its working folder was removed: libraries ask for it when they load."""
    try:
        Path.cwd()
    except OSError as error:
        sys.exit(f"goldgriff: there is no working folder: {error.strerror}")


if _is_command():
    _stop_quietly()
    _need_a_folder()
