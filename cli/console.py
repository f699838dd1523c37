"""Run a command: every fault ends it with one line and an exit status, and so does a signal."""

import contextlib
import io
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence

from rich.console import Console
from rich.progress import Progress

from ..errors import GoldgriffError, one_line, short_words
from .options import MAX_LINE, as_typed
from .stopping import Stopped, stoppable


def run(program: str, work: Callable[[], None], arguments: Sequence[str]) -> int:
    """Run a command and return its exit status.

    Args:
        program: Its name, for the line on standard error that says what was wrong.
        work: Does it.
        arguments: Its arguments.

    Returns:
        0; 1 for a fault that a person can mend; 130 or 143 after SIGINT or SIGTERM.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # where its encoding lacks a character
    try:
        with stoppable():
            "".join(arguments).encode()
            work()
            print(end="", flush=True)
        return 0
    except GoldgriffError as error:
        message, status = as_typed(str(error), error.values.get("setting"), arguments), 1
    except UnicodeEncodeError:
        message, status = "arguments must be UTF-8", 1
    except MemoryError as error:
        message, status = f"too little memory: {error}", 1
    except OSError as error:
        place = "" if error.filename is None else f"{os.fsdecode(str(error.filename))}: "
        message, status = short_words(f"{place}{error.strerror or error}"), 1
    except Stopped as stop:
        message, status = stop.line, stop.status
    except KeyboardInterrupt:
        message, status = "interrupted", 130
    with contextlib.suppress(OSError, ValueError):
        print(f"{program}: {one_line(message, MAX_LINE)}", file=sys.stderr)
    return status


def print_json(data: object) -> None:
    """Print data as JSON for a script."""
    print(json.dumps(data, indent=2, allow_nan=False))


def command_line(*arguments: object) -> str:
    """Return a command as it can be typed."""
    return shlex.join(["goldgriff", *map(str, arguments)])


@contextlib.contextmanager
def progress_bar(
    what: str, total: int, describe: Callable[[], str] | None = None
) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal; yield a function that sets how many are done.

    Args:
        what: What is counted, in the plural.
        total: Their number.
        describe: Returns who does it, to be shown, too.
    """
    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=total)

        def advance(done: int) -> None:
            by = f" ({describe()})" if describe else ""
            progress.update(task, completed=done, description=f"{what}{by}")

        yield advance
