"""Settings on a command line made by tyro."""

import pytest

from goldgriff.examples.tyro_settings import PPO, settings_of


def test_a_preset_and_changes_to_it() -> None:
    given = ["smoke", "--players", "2", "3", "--learning-rate", "0.001", "--hidden", "16", "16"]
    settings = settings_of(given)
    assert settings.to_dict() == PPO.preset("smoke").to_dict() | {
        "players": [2, 3],
        "learning_rate": 0.001,
        "hidden": [16, 16],
    }


def test_every_preset_is_there() -> None:
    for name in PPO.presets:
        assert settings_of([name]) == PPO.preset(name)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--learning-rate", "fast"], "learning-rate"),
        (["--gamma", "2"], "gamma must be a number from 0 to 1, not 2.0"),
    ],
)
def test_wrong_values_are_refused(
    given: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        settings_of(["smoke", *given])
    assert message in capsys.readouterr().err
