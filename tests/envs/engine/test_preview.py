"""What an action changes, as its player can foresee it."""

import random
from typing import Any

import numpy as np
import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.events import FIRST_UNRECORDED, NUM_KINDS, EventKind, Unrecorded
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.preview import (
    NUM_EVENTS,
    ActionFeatures,
    Previewer,
    action_spec,
)
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match

from ...attacks.settings import random_settings
from ...tables import table_with

GAMES = (AURUXXX, GLUECKSGRIFF)


def features(match: Match, base_action: str = "") -> dict[str, dict[str, int]]:
    """The features of each legal action that are not zero, by name and place in the field."""
    game, batch = match.game, match.observation_batch(information_states=True)
    base = np.array([game.actions.index(base_action) if base_action else -1])
    states: Any = batch.information_states
    _, found = Previewer(game).features(states, batch.raw, batch.masks, base)
    return {game.actions[action]: named(game, found, k) for k, action in enumerate(found.actions)}


def named(game: Game, found: ActionFeatures, k: int) -> dict[str, int]:
    names = [f"{field.name} {k}" for field in action_spec(game) for k in range(field.size)]
    part = slice(found.starts[k], found.starts[k + 1])
    numbers = found.numbers[part].tolist()
    return {names[place]: n for place, n in zip(found.places[part], numbers, strict=True)}


def card(game: Game, name: str) -> int:
    return game.cards.index(name)


def test_a_lay_changes_hand_and_top() -> None:
    match = table_with(AURUXXX, "r7 g9", "b1", discard="r6")
    lay = features(match, "lay r7")["lay r7"]
    red, six = card(AURUXXX, "r7"), card(AURUXXX, "r6")
    assert lay["base_action 0"] == 1
    assert lay[f"action {AURUXXX.actions.index('lay r7')}"] == 1
    assert lay[f"hand_change {red}"] == -1
    assert lay[f"top_change {red}"] == 1
    assert lay[f"top_change {six}"] == -1
    assert lay["hand_sizes_change 0"] == -1
    assert lay["current_player_change 0"] == -1
    assert lay["current_player_change 1"] == 1
    assert lay[f"own_events {EventKind.LAY - 1}"] == 1
    assert "cut 0" not in lay
    assert "cut 1" not in lay


def test_a_draw_is_cut_by_chance() -> None:
    match = table_with(AURUXXX, "r7 g9", "b1", discard="r6")
    draw = features(match)["draw"]
    assert draw == {f"action {AURUXXX.actions.index('draw')}": 1, "cut 0": 1}


def test_a_lay_is_seen_before_the_theft_that_follows() -> None:
    match = table_with(AURUXXX, "steal g9", "b1", discard="r6")
    steal = features(match)["steal"]
    assert steal[f"hand_change {card(AURUXXX, 'steal')}"] == -1
    assert steal["cut 0"] == 1
    assert not [name for name in steal if name.startswith("hand_change") and steal[name] > 0]


def test_of_a_swap_only_known_cards_are_seen() -> None:
    match = table_with(AURUXXX, "swap g9", "b1 b2 b3", discard="r6")
    swap = features(match)["swap +1"]
    assert swap["hand_sizes_change 0"] == 1
    assert swap["hand_sizes_change 1"] == -2
    assert swap[f"hand_change {card(AURUXXX, 'g9')}"] == -1
    assert f"hand_change {card(AURUXXX, 'b1')}" not in swap


def test_what_a_call_brings_is_hidden() -> None:
    match = table_with(GLUECKSGRIFF, "0 1", "7 7", discard="5")
    call = features(match)["call"]
    assert not [name for name in call if name.endswith("cut 1")]
    match = table_with(GLUECKSGRIFF, "0 1", "7 7", discard="5", caller=1, turns_left=1)
    ends = features(match)["decline"]
    assert ends["cut 1"] == 1
    assert not [name for name in ends if "_change" in name]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("seed", range(8))
def test_what_is_foreseen_comes_true(game: Game, seed: int) -> None:
    """Played in the true game, an action that is not cut short changes what the features say."""
    rng = random.Random(seed)
    match = Match(game, random_settings(game, rng) if seed else game.settings.from_dict({}))
    match.start(seed)
    names = [
        f"{field.name}_change {k}" for field in game.observation_spec for k in range(field.size)
    ]
    partly = {f"own_events {kind - 1}" for kind in (EventKind.SWAP, EventKind.LOOK)}
    for _ in range(60):
        if match.over:
            match.start(seed + 100)
        foreseen, seat = features(match), match.current_player
        for move, numbers in foreseen.items():
            if {"cut 0", "cut 1"} & numbers.keys() or partly & numbers.keys():
                continue
            after = match.clone()
            after.play(move)
            changes = (after.observe(seat)[0].astype(int) - match.observe(seat)[0]).ravel()
            true = {
                name: change for name, change in zip(names, changes.tolist(), strict=True) if change
            }
            assert {name: numbers[name] for name in numbers.keys() & set(names)} == true, move
        match.play(rng.choice(list(foreseen)))


def test_events_are_counted_by_actor() -> None:
    assert NUM_KINDS + len(Unrecorded) == NUM_EVENTS
    match = table_with(GLUECKSGRIFF, "7 7 3", "7 4", discard="5")
    lay = features(match)["lay 7"]
    assert lay[f"own_events {EventKind.LAY - 1}"] == 1
    assert FIRST_UNRECORDED > NUM_KINDS
