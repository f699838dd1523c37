"""The progress bar of a training run."""

from collections.abc import Iterable, Sequence
from typing import Self

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text


class _BarWithLine(Progress):
    """A bar with a line of text below it, once there is one."""

    line = ""

    def get_renderables(self) -> Iterable[RenderableType]:
        """Return what is shown."""
        yield from super().get_renderables()
        if self.line:
            yield Text(self.line, no_wrap=True, overflow="ellipsis")


class TrainingBar:
    """A progress bar: timesteps, their rate and recent games; below it, the newest evaluation.

    Nothing is shown in a file or pipe, and in a notebook, where rich would need widgets.
    """

    def __init__(self, total: int, done: int) -> None:
        console = Console(stderr=True)
        self._progress = _BarWithLine(
            TextColumn("training"),
            BarColumn(bar_width=12),
            TextColumn("{task.fields[done]}"),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[games]}"),
            console=console,
            disable=console.is_jupyter or not console.is_terminal,
        )
        self._total = total
        self._task = self._progress.add_task(
            "", total=total, completed=done, done="", speed="", games=""
        )

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def move_to(self, timesteps: int, win_shares: Sequence[float], evaluation: str) -> None:
        """Show the timesteps done, the mean of the win shares, and the newest evaluation."""
        mean = sum(win_shares) / max(1, len(win_shares))
        speed = self._progress.tasks[0].speed
        self._progress.line = evaluation
        self._progress.update(
            self._task,
            completed=timesteps,
            done=f"{timesteps / 1e6:.2f}/{self._total / 1e6:.2f} M",
            games=f"wins {mean:.0%} against the pool" if win_shares else "",
            speed=f"{speed:,.0f}/s" if speed else "",
        )
