"""The perfect-information bound: what the search knows, and the games it plays."""

from functools import partial

import numpy as np
import pytest

from goldgriff.agents.heuristics.catalog import find_base_policy
from goldgriff.agents.registry import load_agent
from goldgriff.agents.search.agent import Search
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine import kernels
from goldgriff.envs.engine.determinization import uniform_weights
from goldgriff.envs.engine.game import GAMES
from goldgriff.errors import SettingsError
from goldgriff.eval.analysis.perfect_information import known_state, perfect_information_bound

from .small import SMALL


@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.parametrize("open_hands", [False, True])
def test_hands_are_known_and_nothing_else(name: str, open_hands: bool) -> None:
    """States sampled with open hands have the true hands, and other seeds."""
    game = GAMES[name]
    batch = Batch(game, game.settings(num_players=3), 20)
    batch.start(derive_seeds(5, 20))
    batch.play_until_turn([0] * 20, 6, find_base_policy("expert", game).policy.policy_function)
    hands, going_on = 0, np.flatnonzero(~batch.over)
    assert len(going_on) > 10
    for row in going_on:
        known = known_state(batch, int(row), 0, open_hands=open_hands)
        states = np.zeros(4, known.dtype)
        rows, random_bits = np.zeros(4, np.int64), derive_seeds(9, 4)
        weights = uniform_weights(len(game.cards))
        kernels.sample_states(known, rows, rows, random_bits, weights, states)
        assert (states["hands"][:, 0] == batch.states["hands"][row, 0]).all()
        assert len(set(states["seed"]) | {batch.states["seed"][row]}) == 5
        hands += (states["hands"] == batch.states["hands"][row]).all()
    assert hands == (len(going_on) if open_hands else 0)


def test_a_search_is_counted_in_every_seat_of_a_deal() -> None:
    game, over = AURUXXX, list[int]()
    settings = game.settings.from_dict({**SMALL[game.name], "num_players": 3})
    search = Search(load_agent("expert", game), iterations=20)
    bound = partial(perfect_information_bound, game, settings, search, open_hands=True, seed=1)
    found = bound(deals=3, on_progress=over.append)
    assert over[-1] == 9
    assert sorted(over) == over
    assert found == bound(deals=3)
    assert found != bound(deals=3, open_hands=False)
    for one in (found.win_share, found.points, found.opponent_points):
        assert one.low <= one.mean <= one.high
    assert found.win_share.low >= 0
    assert found.win_share.high <= 1
    with pytest.raises(SettingsError, match="deals must be a whole number from 2 to 100000, not 1"):
        bound(deals=1)
