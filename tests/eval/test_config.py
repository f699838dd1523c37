"""Line-ups, seating orders and shards."""

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.errors import SettingsError
from goldgriff.eval.tournament.config import SHARD_GAMES
from goldgriff.eval.tournament.seating import (
    arrangements,
    field_lineups,
    lineups,
    num_orders,
    seatings_of,
)

from .small import small_config


def test_every_choice_of_agents_meets_and_too_few_are_repeated() -> None:
    assert lineups(4, 3) == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert lineups(2, 4) == [(0, 1, 0, 1)]
    assert field_lineups(4, 1, 3) == [(0, 1, 2), (0, 1, 3), (0, 2, 3)]
    assert field_lineups(4, 2, 3) == [(0, 2, 3), (1, 2, 3)]
    assert field_lineups(2, 1, 4) == [(0, 1, 1, 1)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_everybody_sits_everywhere_and_meets_neighbours_on_both_sides(seats: int) -> None:
    orders = arrangements(tuple(range(seats)))
    assert len(orders) == len(set(orders)) == (2 if seats == 2 else 2 * seats)
    for seat in range(seats):
        assert set(Counter(order[seat] for order in orders).values()) == {len(orders) // seats}
    behind = Counter((order[k - 1], order[k]) for order in orders for k in range(seats))
    assert all(behind[first, second] == behind[second, first] for first, second in behind)
    assert len(set(behind.values())) == 1


@pytest.mark.parametrize(
    ("lineup", "deals"),
    [
        *(("abcd", 3), ("abab", 3), ("aabb", 3), ("abca", 3), ("abbb", 1), ("abcde", 2)),
        *(("ababa", 2), ("abcdea", 10), ("abcdef", 10), ("abcabc", 5), ("aabbcd", 10)),
    ],
)
def test_who_sits_how_far_from_whom_is_balanced_over_a_few_deals(lineup: str, deals: int) -> None:
    agents = tuple(map(ord, lineup))
    seatings = seatings_of(agents, np.arange(deals))
    assert seatings.shape == (deals, len(arrangements(agents)), len(agents))
    for orders in seatings:
        assert len({tuple(order) for order in orders.tolist()}) == len(orders)
        for seat in range(len(agents)):
            counts = Counter(orders[:, seat].tolist())
            assert counts == {
                agent: len(orders) * agents.count(agent) // len(agents) for agent in counts
            }
    everything = np.array(list(set(permutations(agents))))
    assert len(everything) == num_orders(agents)
    for distance in range(1, len(agents)):
        expected, found = pairs_at(everything, distance), pairs_at(seatings, distance)
        assert {
            pair: count * seatings.size // everything.size for pair, count in expected.items()
        } == found


def pairs_at(orders: NDArray[np.int64], distance: int) -> Counter[tuple[int, int]]:
    """How often each agent sits so many seats after each other one."""
    after = np.roll(orders, -distance, axis=-1)
    return Counter(zip(orders.ravel().tolist(), after.ravel().tolist(), strict=True))


def test_two_and_three_players_sit_in_every_order_of_every_deal() -> None:
    for agents in ((0, 1), (0, 1, 2), (0, 1, 1), (0, 0, 0)):
        for orders in seatings_of(agents, np.arange(3)):
            assert [tuple(order) for order in orders.tolist()] == arrangements(agents)
            assert len(orders) == num_orders(agents)


def test_the_same_game_is_played_once() -> None:
    one = range(1)
    (orders,) = small_config("a", "b", "b").seatings(3, one).tolist()
    assert orders == [[0, 1, 1], [1, 1, 0], [1, 0, 1]]
    (orders,) = small_config("a", "b", "b", "b").seatings(3, one).tolist()
    assert orders == [[0, 1, 1], [1, 1, 0], [1, 0, 1], [1, 1, 1]]
    assert small_config("a", "b", "c", "d").seatings(3, one).shape == (1, 4 * 6, 3)


def test_a_challenger_sits_in_every_game() -> None:
    config = small_config("new", "a", "b", "c", format="field")
    (seatings,) = config.seatings(3, range(1))
    assert (np.sort(seatings)[:, 0] == 0).all()
    assert (seatings > 0).sum() == 2 * len(seatings) == 2 * 3 * 6


def test_shards_hold_every_deal_once_whatever_their_number() -> None:
    config = small_config("a", "b", "c", deals=1000)
    deals = [deal for shard in range(config.num_shards) for deal in config.deals_in(shard)]
    assert deals == list(range(1000))
    assert config.num_shards > 1
    assert config.deals_per_shard * config.games_per_deal <= SHARD_GAMES


@pytest.mark.parametrize(
    ("agents", "options", "message"),
    [
        ("r", {"deals": 1}, "deals must be a whole number from 2"),
        ("r", {"deals": 10**12}, "from 2 to 1000000"),
        ("r", {"seed": -1}, "seed must be a whole number from 0"),
        ("r", {"seed": 2**64}, "seed must be a whole number from 0"),
        ("", {}, "at least one agent"),
        ("r", {"format": "field"}, "a challenger needs a field"),
        ("r", {"format": "knockout"}, "format must be one of round-robin, field, ladder"),
        ("re", {"until": 0.0}, "until must be a width above 0"),
        ("rr", {"until": 0.1}, "until needs two different agents"),
    ],
)
def test_what_makes_no_tournament_is_refused(
    agents: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        small_config(*agents, **options)
