"""The progress bar of training."""

import io

import pytest
from rich.console import Console

from goldgriff.train import progress
from goldgriff.train.logging import INTERVAL, WIN_SHARE, TrainingLog
from goldgriff.train.progress import TrainingBar


def test_the_newest_evaluation_is_shown_whole_in_80_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = io.StringIO()

    def console(**_: object) -> Console:
        return Console(file=shown, force_terminal=True, width=80)

    monkeypatch.setattr(progress, "Console", console)
    log = TrainingLog("expert")
    with TrainingBar(4_000_000, 0) as bar:
        log.add(1_000_000, {WIN_SHARE: 0.412, INTERVAL[0]: 0.38, INTERVAL[1]: 0.4449})
        log.add(2_000_000, {"rollout/win_share": 0.5})
        bar.show(log)
    assert "wins 50% against the pool" in shown.getvalue()
    assert "2.00/4.00 M" in shown.getvalue()
    assert "\nwin share against expert 41.2% (38.0% to 44.5%)" in shown.getvalue()
