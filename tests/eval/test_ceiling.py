"""What a search is told that sees all hands, and what comes of games against it."""

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
from goldgriff.eval.perfect_information import known_record, perfect_information_bound

from .tables import SMALL


@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.parametrize("hidden_hands", [False, True])
def test_hands_are_told_and_no_more(name: str, hidden_hands: bool) -> None:
    """In worlds drawn from what it is told every hand is the true one, and the chance another."""
    game = GAMES[name]
    batch = Batch(game, game.settings(num_players=3), 20)
    batch.start(derive_seeds(5, 20))
    batch.play_until_turn([0] * 20, 6, find_base_policy("expert", game).policy.policy_function)
    hands, going_on = 0, np.flatnonzero(~batch.over)
    assert len(going_on) > 10
    for row in going_on:
        record = known_record(batch, int(row), 0, hidden_hands)
        worlds = np.zeros(4, record.dtype)
        rows, words = np.zeros(4, np.int64), derive_seeds(9, 4)
        kernels.sample_states(record, rows, rows, words, uniform_weights(len(game.cards)), worlds)
        assert (worlds["hands"][:, 0] == batch.states["hands"][row, 0]).all()
        assert len(set(worlds["seed"]) | {batch.states["seed"][row]}) == 5
        hands += (worlds["hands"] == batch.states["hands"][row]).all()
    assert hands == (len(going_on) if hidden_hands else 0)


def test_a_search_is_counted_in_every_seat_of_a_deal() -> None:
    game, over = AURUXXX, list[int]()
    settings = game.settings.from_dict({**SMALL[game.name], "num_players": 3})
    search = Search(load_agent("expert", game), iterations=20)
    told = partial(perfect_information_bound, game, settings, search, hidden_hands=True, seed=1)
    reached = told(deals=3, on_games=over.append)
    assert over[-1] == 9
    assert sorted(over) == over
    assert reached == told(deals=3)
    assert reached != told(deals=3, hidden_hands=False)
    for one in (reached.wins, reached.points, reached.others):
        assert one.low <= one.mean <= one.high
    assert reached.wins.low >= 0
    assert reached.wins.high <= 1
    with pytest.raises(SettingsError, match="deals must be from 2 to 100000, not 1"):
        told(deals=1)
