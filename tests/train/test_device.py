"""Networks learn on another device what they learn on the processor."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.networks import DeviceSettings
from goldgriff.train.run_folder import read_state

from .fake_device import DEVICE, fake_device
from .learners import same
from .small import tiny, train

ON_DEVICES = [name for name, one in ALGORITHMS.items() if issubclass(one.settings, DeviceSettings)]


@pytest.mark.parametrize("algorithm", ON_DEVICES)
def test_a_device_learns_what_the_processor_learns(
    algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", dict)  # bfloat16 would round elsewhere
    here, there = tmp_path / "here", tmp_path / "there"
    steps = 4 * 128
    train(AURUXXX, algorithm, tiny(algorithm, total_timesteps=steps), here)
    with fake_device(monkeypatch):
        whole = tiny(algorithm, total_timesteps=steps, device=str(DEVICE))
        train(AURUXXX, algorithm, replace(whole, total_timesteps=steps // 2), there)
        train(AURUXXX, algorithm, whole, there, resume=True)
    states = [torch.load(io.BytesIO(read_state(out)), weights_only=True) for out in (here, there)]
    assert same(states[0]["learner"], states[1]["learner"])
