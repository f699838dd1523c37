"""The progress bar of training."""

import io

import pytest
from rich.console import Console

from goldgriff.train import progress
from goldgriff.train.progress import TrainingBar

SHARE = "win share against expert 41.2 % (38.0 - 44.5)"


def test_the_newest_evaluation_is_shown_whole_in_80_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = io.StringIO()

    def console(**_: object) -> Console:
        return Console(file=shown, force_terminal=True, width=80)

    monkeypatch.setattr(progress, "Console", console)
    with TrainingBar(4_000_000, 0) as bar:
        bar.move_to(1_000_000, [0.0, 1.0], "")
        assert "win share" not in shown.getvalue()
        bar.move_to(2_000_000, [0.0, 1.0], SHARE)
    assert "2.00/4.00 M" in shown.getvalue()
    assert "wins 50% against the pool" in shown.getvalue()
    assert f"\n{SHARE}" in shown.getvalue()
