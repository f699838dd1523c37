"""The progress bar of training."""

import io

import pytest
from rich.console import Console

from goldgriff.train import progress
from goldgriff.train.logging import INTERVAL, WIN_SHARE, TrainingLog
from goldgriff.train.progress import training_bar

EVALUATED = {WIN_SHARE: 0.412, INTERVAL[0]: 0.38, INTERVAL[1]: 0.4449}


@pytest.fixture
def shown(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Return what is written to a terminal, or to a file where the parameter is False."""
    written = io.StringIO()

    def console(**_: object) -> Console:
        return Console(file=written, force_terminal=request.param, width=80)

    monkeypatch.setattr(progress, "Console", console)
    return written


@pytest.mark.parametrize("shown", [True], indirect=True)
def test_the_newest_evaluation_is_shown_whole_in_80_columns(shown: io.StringIO) -> None:
    log = TrainingLog("expert")
    with training_bar(4_000_000, 0) as show:
        log.add(500_000, {"rollout/win_share": 0.25})
        show(log)
    assert "\nin training, against ever newer selves, it wins 25%" in shown.getvalue()
    with training_bar(4_000_000, 500_000) as show:
        log.add(1_000_000, EVALUATED)
        log.add(2_000_000, {"rollout/win_share": 0.5})
        show(log)
    assert "it wins 50%" not in shown.getvalue()  # it falls where the agent gets better
    assert "2.00/4.00 M" in shown.getvalue()
    text = "\namong 3 experts it wins 41.2 % (38.0 - 44.5), each expert 19.6 %; even is 25 %"
    assert text in shown.getvalue()


@pytest.mark.parametrize("shown", [False], indirect=True)
def test_in_a_file_each_evaluation_is_a_line(shown: io.StringIO) -> None:
    log = TrainingLog("an agent whose name is much longer than a line may be")
    with training_bar(4_000_000, 0) as show:
        for timesteps, figures in ((500_000, {}), (1_000_000, EVALUATED), (2_000_000, {})):
            log.add(timesteps, figures)
            show(log)
    assert shown.getvalue() == (
        "1,000,000 of 4,000,000 timesteps: among 3 copies of an agent whose name is much "
        "longer than a line may be it wins 41.2 % (38.0 - 44.5), each of them 19.6 %; even is "
        "25 %\n"
    )
