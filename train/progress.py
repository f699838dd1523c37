"""The progress bar of a training run."""

from collections.abc import Sequence
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)


class TrainingBar:
    """Steps done of all, steps a second, and how the last finished games went.

    In a notebook, where rich would need widgets, there is none.
    """

    def __init__(self, total: int, done: int) -> None:
        console = Console()
        self._progress = Progress(
            TextColumn("training"),
            BarColumn(bar_width=12),
            TextColumn("{task.fields[done]}"),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[games]}"),
            console=console,
            disable=console.is_jupyter,
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

    def move_to(self, steps: int, shares: Sequence[float]) -> None:
        """Show that so many steps are done; `shares` of wins are those of the last games."""
        games = f"wins {sum(shares) / len(shares):.0%} against the pool" if shares else ""
        speed = self._progress.tasks[0].speed
        self._progress.update(
            self._task,
            completed=steps,
            done=f"{steps / 1e6:.2f}/{self._total / 1e6:.2f} M",
            games=games,
            speed=f"{speed:,.0f}/s" if speed else "",
        )
