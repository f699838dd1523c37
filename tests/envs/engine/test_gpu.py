"""The door to a GPU: Numba's CUDA target compiles the rules as they stand."""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numba
import pytest

from goldgriff.envs.engine.compile import COMPILED
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.state import state_dtype

from ..loops import GAMES

AMPERE = (8, 0)
ROWS, FEATURES = numba.int64[::1], numba.uint8[:, ::1]


def on_a_record(rule: Any) -> Callable[..., None]:
    def work(games: Any, rows: Any) -> None:
        for row in rows:
            rule(games[row])

    return work


def with_an_action(rule: Any) -> Callable[..., None]:
    def work(games: Any, rows: Any, actions: Any) -> None:
        for row in rows:
            rule(games[row], actions[row])

    return work


def into_features(rule: Any) -> Callable[..., None]:
    def work(games: Any, rows: Any, raw: Any) -> None:
        for row in rows:
            rule(games[row], games[row].current_player, raw[row])

    return work


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Numba's CUDA target, ready to compile; it needs a toolkit, but no GPU and no driver."""
    if not COMPILED:
        pytest.skip("NUMBA_DISABLE_JIT is set")
    # The target that Numba itself still ships knows no min or max of two numbers.
    pytest.importorskip("numba_cuda", reason="needs the package numba-cuda[cu13]")
    from numba import cuda  # noqa: PLC0415
    from numba.cuda import dispatcher  # noqa: PLC0415
    from numba.cuda.cudadrv.nvvm import NVVM  # noqa: PLC0415

    try:
        cast(Any, NVVM)()
    except Exception as error:
        pytest.skip(f"no CUDA toolkit: {' '.join(str(error).split())}")
    # Functions that a kernel calls would be compiled for the GPU at hand.
    device = SimpleNamespace(compute_capability=AMPERE)
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: device)
    return cuda


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("rule", ["begin", "list_legal", "observe", "apply"])
@pytest.mark.filterwarnings("ignore")  # Numba's own; the rules' are shown by all other tests
def test_the_rules_compile_to_ptx(cuda: Any, game: Game, rule: str) -> None:
    record = numba.from_dtype(state_dtype(game.state))
    kernel, more = {
        "begin": (on_a_record, ()),
        "list_legal": (on_a_record, ()),
        "apply": (with_an_action, (ROWS,)),
        "observe": (into_features, (FEATURES,)),
    }[rule]
    signature = (record[::1], ROWS, *more)
    ptx, _ = cuda.compile_ptx(kernel(getattr(game, rule)), signature, cc=AMPERE)
    assert re.search(r"^\.target\s+sm_80", ptx, re.MULTILINE)
    assert re.search(r"\.visible \.entry \w*work", ptx)
    assert not re.search(r"NRT_\w+", ptx)  # nothing is allocated
