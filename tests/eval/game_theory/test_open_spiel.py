"""The games in OpenSpiel, by OpenSpiel's own tests."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import goldgriff
from goldgriff.errors import GoldgriffError, SettingsError

pyspiel: Any = pytest.importorskip("pyspiel")
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
DECK = {"r0": 9, "r2": 9, "gold": 2, "swap": 2, "steal": 2}


@pytest.fixture(scope="module", autouse=True)
def _register() -> None:
    goldgriff.register_open_spiel()
    goldgriff.register_open_spiel()


@pytest.mark.parametrize(
    "game",
    [
        "goldgriff_auruxxx(preset=tiny-a)",
        "goldgriff_auruxxx(preset=tiny-c,multisets=True)",
        "goldgriff_gluecksgriff(preset=tiny-b)",
        "goldgriff_gluecksgriff(preset=tiny-c,reward=rank)",
        "goldgriff_auruxxx(players=6,rounds=1,max_turns=6,after_action=lay)",
        "goldgriff_gluecksgriff(players=5,preset=experts,max_rounds=1,max_turns=10)",
        "goldgriff_auruxxx(preset=tiny-b,chance=sampled)",
        "goldgriff_gluecksgriff(preset=tiny-c,chance=sampled)",
        "goldgriff_gluecksgriff(players=4,max_rounds=2,max_turns=12,chance=sampled,reward=points)",
    ],
)
def test_random_simulations_of_open_spiel(game: str) -> None:
    """They check legal actions, clones, pickles, observers and utilities at every state."""
    loaded = pyspiel.load_game(game)
    sampled = "sampled" in game  # of such games OpenSpiel cannot ask Python for the random state
    pyspiel.random_sim_test(loaded, num_sims=2, serialize=not sampled, verbose=False)


def test_settings_are_parameters() -> None:
    """Lists and objects are JSON text, also in a game string, where `;` stands for a comma."""
    blanks = [{"name": "a, (b) = c; d", "points": 3, "effect": "draw", "amount": 2}]
    given = {"players": 3, "deck": json.dumps(DECK), "hand_size": 3, "reward": "points"}
    game = pyspiel.load_game("goldgriff_auruxxx", given)
    assert dict(game.root.settings.deck) == DECK
    assert (game.num_players(), game.root.settings.hand_size) == (3, 3)
    assert game.max_utility() == -game.min_utility() == 3 * (105 * 24 + 100) / 100
    again = pyspiel.load_game(str(game))
    assert again.root.settings == game.root.settings
    assert str(again) == str(game)
    other = pyspiel.load_game("goldgriff_gluecksgriff", {"blanks": json.dumps(blanks)})
    assert pyspiel.load_game(str(other)).root.settings.blanks == other.root.settings.blanks
    assert other.root.settings.to_dict()["blanks"] == blanks


def test_games_are_bounded_and_of_two_players_by_default() -> None:
    game = pyspiel.load_game("goldgriff_gluecksgriff")
    settings = game.root.settings
    assert (settings.num_players, settings.max_rounds, settings.max_turns) == (2, 20, 240)
    assert game.max_game_length() == 20 * settings.max_decisions
    assert (game.min_utility(), game.max_utility()) == (-1, 1)
    assert pyspiel.load_game("goldgriff_auruxxx(preset=tiny-c)").min_utility() == -0.5
    off = pyspiel.load_game("goldgriff_gluecksgriff(preset=tiny-a,bluffing=0)")
    assert not off.root.settings.bluffing


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("preset=tiny-x", r"unknown preset 'tiny-x' \(did you mean 'tiny-c'\?\); there are german"),
        ("preset=tiny-a,players=3", "preset tiny-a is for num_players=2, not 3"),
        ("hand_size=99", "hand_size must be a whole number from 1 to 40, not 99"),
        ("deck={r0", "deck must be JSON text, not '{r0'"),
        ("reward=fun", "unknown reward 'fun'; there are points, win, rank"),
        ("chance=maybe", "unknown chance 'maybe'; there are explicit, sampled"),
        ("tensor_rows=-7", "tensor_rows must be at least 0, not -7"),
    ],
)
def test_what_is_not_allowed_is_said_in_a_line(parameters: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message) as error:
        pyspiel.load_game(f"goldgriff_auruxxx({parameters})")
    assert "\n" not in str(error.value)


def test_unknown_parameters_and_games_without_an_end_are_refused() -> None:
    with pytest.raises(pyspiel.SpielError, match=r"Unknown parameter 'foo'\. Available"):
        pyspiel.load_game("goldgriff_auruxxx(foo=1)")
    with pytest.raises(SettingsError, match="max_rounds must be at least 1"):
        pyspiel.load_game("goldgriff_gluecksgriff(max_rounds=0)")
    with pytest.raises(SettingsError, match="bluffing must be 0 or 1, not 7"):
        pyspiel.load_game("goldgriff_gluecksgriff(bluffing=7)")


@pytest.mark.parametrize("file", sorted(PLAYTHROUGHS.glob("*.txt")), ids=lambda file: file.stem)
def test_playthroughs_stay_the_same(file: Path) -> None:
    """Recorded by `generate_playthrough.playthrough(name, None, seed=3)`."""
    from open_spiel.python.algorithms import generate_playthrough  # noqa: PLC0415

    golden = file.read_text(encoding="utf-8")
    (name,) = re.findall("^game: (.*)$", golden, re.MULTILINE)
    actions = [int(action) for action in re.findall("^action: (.*)$", golden, re.MULTILINE)]
    now = generate_playthrough.playthrough(name, actions)
    assert now == golden


def test_states_can_be_undone_and_resampled() -> None:
    game = pyspiel.load_game("goldgriff_gluecksgriff(preset=tiny-a)")
    state, rng = game.new_initial_state(), random.Random(1)
    while not state.is_terminal():
        moves = [move for move, _ in state.chance_outcomes()] if state.is_chance_node() else None
        move = rng.choice(moves or state.legal_actions())
        before = str(state), state.history(), state.move_number(), state.current_player()
        state.apply_action(move)
        twin = state.clone()
        twin.undo_action(before[-1], move)
        assert (str(twin), twin.history(), twin.move_number(), twin.current_player()) == before
        if not state.is_chance_node() and not state.is_terminal():
            for player in range(2):
                other = state.resample_from_infostate(player, rng.random)
                assert other.information_state_string(player) == state.information_state_string(
                    player
                )
                assert other.information_state_tensor(player) == state.information_state_tensor(
                    player
                )
                assert other.current_player() == state.current_player()


def test_an_information_state_too_long_for_its_tensor_is_an_error() -> None:
    state = pyspiel.load_game("goldgriff_auruxxx(preset=tiny-a,tensor_rows=13)").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert any(state.information_state_tensor(0))
    state.apply_action(state.legal_actions()[0])
    state.apply_action(state.chance_outcomes()[0][0])
    with pytest.raises(SettingsError, match="more than the 13 rows of its tensor"):
        state.information_state_tensor(0)


def test_observers_have_no_parameters() -> None:
    game = pyspiel.load_game("goldgriff_auruxxx(preset=tiny-a)")
    with pytest.raises(GoldgriffError, match="no parameters"):
        game.make_py_observer(None, {"a": 1})
    public = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    assert game.make_py_observer(public) is None
