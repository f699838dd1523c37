"""Searching with a network that has a critic: blind, within its budget, and right in its sums."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.agents.ensemble import PlayerCountEnsemble
from goldgriff.agents.features.description import find_feature_spec
from goldgriff.agents.heuristics.catalog import find_base_policy
from goldgriff.agents.network import ActionValueNetwork
from goldgriff.agents.registry import load_agent, load_champion
from goldgriff.agents.search import agent
from goldgriff.agents.search.agent import Search
from goldgriff.agents.search.truncated_rollouts import FAITH, FEW, MOVES, TruncatedRollouts
from goldgriff.agents.value import UNIT, ValueNetwork, ValueTarget
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.determinization import FULL_WEIGHT
from goldgriff.envs.engine.kernels import sample_states
from goldgriff.envs.match import Match
from goldgriff.envs.policy import CompiledPolicy, ObservationBatch, observation_batch
from goldgriff.errors import AgentError

from .test_worlds import twin_of

EXPERT = find_base_policy("expert", AURUXXX).policy
WORDS = derive_seeds(5, 30)


ODDS = np.linspace(0.1 * FULL_WEIGHT, FULL_WEIGHT, len(AURUXXX.cards)).astype(np.uint64)


def champion() -> ActionValueNetwork:
    network = load_champion("auruxxx").at_tables_of(4)
    assert isinstance(network, ActionValueNetwork)
    return network


def flat(worth: float) -> ActionValueNetwork:
    """A network to which all moves are alike, with a critic that always says the same."""
    description = find_feature_spec(AURUXXX)
    layers, tables = (
        [(np.zeros((1, slices.size), np.float32), np.array([bias], np.float32))]
        for slices, bias in ((description.slices, 0.0), (description.table_slices, worth))
    )
    critic = ValueNetwork(tables, description, ValueTarget(100.0, 10.0))
    return ActionValueNetwork(layers, find_base_policy("expert", AURUXXX), description, critic)


def trial_of(views: ObservationBatch, network: ActionValueNetwork) -> TruncatedRollouts:
    assert network.critic
    return TruncatedRollouts(views, network, network.critic, EXPERT.choose, ODDS)


def decisions(players: int, rounds: int = 3) -> Iterator[tuple[Batch, ObservationBatch]]:
    """Every third decision with a choice in games of experts, and what its mover sees and knows."""
    rules = {"num_players": players, "hand_size": 4, "rounds": rounds}
    batch = Batch(AURUXXX, AURUXXX.settings.from_dict(rules), 1)
    batch.start(derive_seeds(3, 1))
    for step in range(60):
        views = observation_batch(batch, np.zeros(1, np.int64), derive_seeds(step, 1), records=True)
        if step % 3 == 0 and views.masks.sum() > 1:
            yield batch, views
        batch.step(EXPERT.act(views))
        batch.start(derive_seeds(step, int(batch.over.sum())), np.flatnonzero(batch.over))


def test_games_that_differ_in_what_is_hidden_are_judged_alike() -> None:
    rng, table, seen = np.random.default_rng(1), Match(AURUXXX, AURUXXX.settings(num_players=4)), 0
    table.start(4)
    for step in range(80):
        if step % 8 == 0 and table.mask.sum() > 1:
            batch = Batch(AURUXXX, table.settings, 2)
            batch.games[0], batch.games[1] = table._games[0], twin_of(table, table.mover, rng)[0]
            assert batch.games[0].tobytes() != batch.games[1].tobytes()
            views = observation_batch(batch, np.arange(2), WORDS[:2], records=True)
            one, other = (trial_of(views.some(np.array([k])), champion()) for k in range(2))
            for trial in (one, other):
                trial.go_on(WORDS)
            np.testing.assert_array_equal(one.sums, other.sums)
            seen += 1
        table.play(rng.choice(table.legal))
    assert seen > 4


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("players", [2, 4])
def test_worlds_are_judged_by_the_scores_or_else_by_the_critic(players: int, rounds: int) -> None:
    """Beside worlds that are played on move by move, with what the rules say of their ends."""
    ended = 0
    for batch, views in decisions(players, rounds):
        trial, seat = trial_of(views, flat(3.0)), int(batch.movers[0])
        trial.go_on(WORDS)
        worlds = Batch(AURUXXX, batch.settings, len(WORDS) * len(trial.moves))
        rows = np.zeros(len(worlds.games), np.int64)
        words = np.repeat(WORDS, len(trial.moves))
        sample_states(trial.hidden, rows, rows + seat, words, ODDS, worlds.games)
        this_round, before = worlds.games["round_index"].copy(), batch.points()[0, seat]
        worlds.step(np.tile(trial.moves, len(WORDS)))
        while True:
            on = ~worlds.over & (worlds.games["round_index"] == this_round)
            others = np.flatnonzero(on & (worlds.movers != seat))
            if not len(others):
                break
            seen, masks = worlds.look(worlds.movers[others], others)
            luck = np.zeros(len(others), np.uint64)
            worlds.step(EXPERT.act(ObservationBatch(AURUXXX, seen, masks, luck)), others)
        left = worlds.games["rounds"] - worlds.games["round_index"]
        chances = np.exp(-worlds.points() / (10.0 * np.sqrt(np.maximum(left, 1)))[:, None])
        chances /= chances.sum(axis=1, keepdims=True)
        chances[worlds.over] = worlds.win_shares()[worlds.over]
        scored = (100 * chances[:, seat] - worlds.points()[:, seat] + before) / UNIT
        wanted = np.where(on, 3.0, scored).reshape(len(WORDS), -1).sum(axis=0)
        np.testing.assert_allclose(trial.sums, wanted, rtol=1e-6)
        ended += int((~on).sum())
    assert ended > 5


@pytest.mark.parametrize("worlds", [1, 8, 80])
def test_the_networks_word_counts_more_than_all_worlds(worlds: int) -> None:
    """Where the critic is of one mind, the network decides; its five best moves are tried."""
    network = champion()
    network = ActionValueNetwork(network.layers, network.adviser, network.description, flat(3.0).critic)
    for _, views in decisions(4, rounds=9):
        trial = trial_of(views, network)
        trial.go_on(derive_seeds(5, worlds))
        chances, masks = network.chances(views)[0], views.masks[0]
        assert len(trial.moves) == min(MOVES, masks.sum())
        assert masks[trial.moves].all()
        trial.sums[:] = 0.0  # of worlds in which the round ended
        assert trial.best() == chances.argmax()
        gap = (trial.own[0] - trial.own[1]) * FAITH * (worlds + FEW)
        trial.sums[1] = gap * 0.99
        assert trial.best() == chances.argmax()
        trial.sums[1] = gap * 1.01 + 1e-6
        assert trial.best() == trial.moves[1]


@pytest.mark.parametrize(("players", "looks"), [(2, False), (3, True), (4, True), (6, False)])
def test_it_looks_ahead_where_the_champion_has_a_critic(
    players: int, looks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    class Counted(TruncatedRollouts):
        def go_on(self, words: NDArray[np.uint64]) -> None:
            tried.append(len(words))
            assert self.odds is search._habits(AURUXXX, self.hidden)
            super().go_on(words)

    monkeypatch.setattr(agent, "TruncatedRollouts", Counted)
    _, views = next(decisions(players))
    found = load_agent("search+champion@150", AURUXXX)
    assert isinstance(found, Search)
    search: Search = found
    first = search.act(views)
    assert tried == ([100, 50] if looks else [])
    assert (search.act(views) == first).all()
    assert views.masks[0, first[0]] == 1


def test_other_worlds_tell_something_else() -> None:
    _, views = next(decisions(4))
    one, other = (trial_of(views, champion()) for _ in range(2))
    one.go_on(WORDS)
    other.go_on(WORDS + np.uint64(1))
    assert (one.sums != other.sums).any()


def test_an_adviser_that_plays_illegally_is_found_out() -> None:
    def out_of_range(features: Any, mask: Any, word: np.uint64) -> int:  # noqa: ARG001
        return len(mask)

    search = Search(CompiledPolicy(out_of_range), hunch=PlayerCountEnsemble([champion()]), iterations=50)
    some = [views for _, views in decisions(4)]
    with pytest.raises(AgentError, match="plays worlds out chose an illegal action"):
        list(map(search.act, some))
