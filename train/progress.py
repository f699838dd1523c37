"""The progress bar of a training run."""

from collections.abc import Iterable
from typing import Self

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from ..naming import counted
from .logging import TIMESTEPS, TrainingLog


class _BarWithLine(Progress):
    """A bar with a line of text below it, once there is one."""

    line = ""

    def get_renderables(self) -> Iterable[RenderableType]:
        """Return what is shown."""
        yield from super().get_renderables()
        if self.line:
            yield Text(self.line)


class TrainingBar:
    """A progress bar: timesteps and their rate; below it, the newest evaluation.

    Until there is one, the share of recent wins in training. In a file or pipe each evaluation is a
    line. Nothing is shown in a notebook, where rich would need widgets.
    """

    def __init__(self, total: int, done: int) -> None:
        console = Console(stderr=True)
        self._progress = _BarWithLine(
            TextColumn("training"),
            BarColumn(bar_width=12),
            TextColumn("{task.fields[done]}"),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(),
            console=console,
            disable=console.is_jupyter or not console.is_terminal,
        )
        self._lines = None if console.is_jupyter or console.is_terminal else console
        self._total = total
        self._task = self._progress.add_task("", total=total, completed=done, done="", speed="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, log: TrainingLog) -> None:
        """Show the newest figures of a log, which has some."""
        timesteps, speed = log.rows[-1][TIMESTEPS], self._progress.tasks[0].speed
        self._progress.line = log.describe()
        if self._lines and log.is_evaluated:
            line = f"{timesteps:,} of {counted(self._total, 'timestep')}: {self._progress.line}"
            self._lines.print(line, soft_wrap=True, markup=False, highlight=False)
        self._progress.update(
            self._task,
            completed=timesteps,
            done=f"{timesteps / 1e6:.2f}/{self._total / 1e6:.2f} M",
            speed=f"{speed:,.0f}/s" if speed else "",
        )
