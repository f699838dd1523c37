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

from .envs.test_worlds import twin_of

EXPERT = find_base_policy("expert", AURUXXX).policy
WORDS = derive_seeds(5, 30)


ODDS = np.linspace(0.1 * FULL_WEIGHT, FULL_WEIGHT, len(AURUXXX.cards)).astype(np.uint64)


def champion() -> ActionValueNetwork:
    network = load_champion("auruxxx").for_num_players(4)
    assert isinstance(network, ActionValueNetwork)
    return network


def flat(worth: float) -> ActionValueNetwork:
    """A network to which all moves are alike, with a critic that always says the same."""
    description = find_feature_spec(AURUXXX)
    layers, tables = (
        [(np.zeros((1, spec.size), np.float32), np.array([bias], np.float32))]
        for spec, bias in ((description.spec, 0.0), (description.state_spec, worth))
    )
    critic = ValueNetwork(tables, description, ValueTarget(100.0, 10.0))
    return ActionValueNetwork(layers, find_base_policy("expert", AURUXXX), description, critic)


def trial_of(observations: ObservationBatch, network: ActionValueNetwork) -> TruncatedRollouts:
    assert network.critic
    return TruncatedRollouts(observations, network, network.critic, EXPERT.policy_function, ODDS)


def decisions(players: int, rounds: int = 3) -> Iterator[tuple[Batch, ObservationBatch]]:
    """Every third decision with a choice in games of experts, and what its mover sees and knows."""
    rules = {"num_players": players, "hand_size": 4, "rounds": rounds}
    batch = Batch(AURUXXX, AURUXXX.settings.from_dict(rules), 1)
    batch.start(derive_seeds(3, 1))
    for step in range(60):
        observations = observation_batch(
            batch, np.zeros(1, np.int64), derive_seeds(step, 1), information_states=True
        )
        if step % 3 == 0 and observations.masks.sum() > 1:
            yield batch, observations
        batch.step(EXPERT.act(observations))
        batch.start(derive_seeds(step, int(batch.over.sum())), np.flatnonzero(batch.over))


def test_games_that_differ_in_what_is_hidden_are_judged_alike() -> None:
    rng, match, seen = np.random.default_rng(1), Match(AURUXXX, AURUXXX.settings(num_players=4)), 0
    match.start(4)
    for step in range(80):
        if step % 8 == 0 and match.mask.sum() > 1:
            batch = Batch(AURUXXX, match.settings, 2)
            batch.states[0], batch.states[1] = (
                match._states[0],
                twin_of(match, match.current_player, rng)[0],
            )
            assert batch.states[0].tobytes() != batch.states[1].tobytes()
            observations = observation_batch(
                batch, np.arange(2), WORDS[:2], information_states=True
            )
            one, other = (trial_of(observations.take(np.array([k])), champion()) for k in range(2))
            for trial in (one, other):
                trial.go_on(WORDS)
            np.testing.assert_array_equal(one.sums, other.sums)
            seen += 1
        match.play(rng.choice(match.legal))
    assert seen > 4


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("players", [2, 4])
def test_worlds_are_judged_by_the_scores_or_else_by_the_critic(players: int, rounds: int) -> None:
    """Beside worlds that are played on move by move, with what the rules say of their ends."""
    ended = 0
    for batch, observations in decisions(players, rounds):
        trial, seat = trial_of(observations, flat(3.0)), int(batch.current_players[0])
        trial.go_on(WORDS)
        worlds = Batch(AURUXXX, batch.settings, len(WORDS) * len(trial.moves))
        rows = np.zeros(len(worlds.states), np.int64)
        random_bits = np.repeat(WORDS, len(trial.moves))
        sample_states(trial.hidden, rows, rows + seat, random_bits, ODDS, worlds.states)
        this_round, before = worlds.states["round_index"].copy(), batch.points()[0, seat]
        worlds.step(np.tile(trial.moves, len(WORDS)))
        while True:
            on = ~worlds.over & (worlds.states["round_index"] == this_round)
            others = np.flatnonzero(on & (worlds.current_players != seat))
            if not len(others):
                break
            seen, masks = worlds.observe(worlds.current_players[others], others)
            luck = np.zeros(len(others), np.uint64)
            worlds.step(EXPERT.act(ObservationBatch(AURUXXX, seen, masks, luck)), others)
        left = worlds.states["rounds"] - worlds.states["round_index"]
        probabilities = np.exp(-worlds.points() / (10.0 * np.sqrt(np.maximum(left, 1)))[:, None])
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        probabilities[worlds.over] = worlds.win_shares()[worlds.over]
        scored = (100 * probabilities[:, seat] - worlds.points()[:, seat] + before) / UNIT
        wanted = np.where(on, 3.0, scored).reshape(len(WORDS), -1).sum(axis=0)
        np.testing.assert_allclose(trial.sums, wanted, rtol=1e-6)
        ended += int((~on).sum())
    assert ended > 5


@pytest.mark.parametrize("worlds", [1, 8, 80])
def test_the_networks_word_counts_more_than_all_worlds(worlds: int) -> None:
    """Where the critic is of one mind, the network decides; its five best moves are tried."""
    network = champion()
    network = ActionValueNetwork(
        network.layers, network.adviser, network.description, flat(3.0).critic
    )
    for _, observations in decisions(4, rounds=9):
        trial = trial_of(observations, network)
        trial.go_on(derive_seeds(5, worlds))
        probabilities, masks = network.probabilities(observations)[0], observations.masks[0]
        assert len(trial.moves) == min(MOVES, masks.sum())
        assert masks[trial.moves].all()
        trial.sums[:] = 0.0  # of worlds in which the round ended
        assert trial.best() == probabilities.argmax()
        gap = (trial.own[0] - trial.own[1]) * FAITH * (worlds + FEW)
        trial.sums[1] = gap * 0.99
        assert trial.best() == probabilities.argmax()
        trial.sums[1] = gap * 1.01 + 1e-6
        assert trial.best() == trial.moves[1]


@pytest.mark.parametrize(("players", "looks"), [(2, False), (3, True), (4, True), (6, False)])
def test_it_looks_ahead_where_the_champion_has_a_critic(
    players: int, looks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    class Counted(TruncatedRollouts):
        def go_on(self, random_bits: NDArray[np.uint64]) -> None:
            tried.append(len(random_bits))
            assert self.odds is search._habits(AURUXXX, self.hidden)
            super().go_on(random_bits)

    monkeypatch.setattr(agent, "TruncatedRollouts", Counted)
    _, observations = next(decisions(players))
    found = load_agent("search+champion@150", AURUXXX)
    assert isinstance(found, Search)
    search: Search = found
    first = search.act(observations)
    assert tried == ([100, 50] if looks else [])
    assert (search.act(observations) == first).all()
    assert observations.masks[0, first[0]] == 1


def test_other_worlds_tell_something_else() -> None:
    _, observations = next(decisions(4))
    one, other = (trial_of(observations, champion()) for _ in range(2))
    one.go_on(WORDS)
    other.go_on(WORDS + np.uint64(1))
    assert (one.sums != other.sums).any()


def test_an_adviser_that_plays_illegally_is_found_out() -> None:
    def out_of_range(raw: Any, mask: Any, bits: np.uint64) -> int:  # noqa: ARG001
        return len(mask)

    search = Search(
        CompiledPolicy(out_of_range), hunch=PlayerCountEnsemble([champion()]), iterations=50
    )
    some = [observations for _, observations in decisions(4)]
    with pytest.raises(AgentError, match="plays worlds out chose an illegal action"):
        list(map(search.act, some))
