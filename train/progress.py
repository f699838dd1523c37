"""The progress bar of a training run."""

from collections.abc import Iterable
from typing import Any, Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class TrainingBar:
    """Steps done of all, steps a second, and how the last finished games went."""

    def __init__(self, total: int, done: int) -> None:
        self._progress = Progress(
            TextColumn("training"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[games]}"),
        )
        self._task = self._progress.add_task("", total=total, completed=done, speed="", games="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def move_to(self, steps: int, episodes: Iterable[dict[str, Any]]) -> None:
        """Show that so many steps are done; `episodes` are the last finished ones."""
        shares = [episode["win"] for episode in episodes]
        games = f"wins against past selves {sum(shares) / len(shares):.0%}" if shares else ""
        speed = self._progress.tasks[0].speed
        self._progress.update(
            self._task,
            completed=steps,
            games=games,
            speed=f"{speed:,.0f} steps/s" if speed else "",
        )
