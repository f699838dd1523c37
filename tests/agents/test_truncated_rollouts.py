"""Truncated rollouts: blind to what is hidden, within their budget, and right in their sums."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.agents.ensemble import PlayerCountEnsemble
from goldgriff.agents.heuristics.catalog import find_base_policy
from goldgriff.agents.network import ActionValueNetwork
from goldgriff.agents.search import agent
from goldgriff.agents.search.agent import Search
from goldgriff.agents.search.truncated_rollouts import MAX_ACTIONS, TruncatedRollouts
from goldgriff.agents.value import ValueNetwork, ValueTarget, critic_spec, rounds_to_play
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.compile import kernel
from goldgriff.envs.engine.determinization import FULL_WEIGHT
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.engine.kernels import sample_states
from goldgriff.envs.engine.preview import action_spec, state_spec
from goldgriff.envs.engine.protocol import begins_turn
from goldgriff.envs.engine.win_chances import win_probabilities
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.envs.policy import CompiledPolicy, ObservationBatch, observation_batch
from goldgriff.errors import AgentError

from ..envs.test_determinization import twin_of
from .helpers import random_action_value_network, random_network

BITS = derive_seeds(5, 30)
TARGET = ValueTarget(100.0, 10.0)
EXPERTS = {game: find_base_policy("expert", game) for game in GAMES.values()}
EXPERT = EXPERTS[AURUXXX].policy
ROUNDS = {AURUXXX: "rounds", GLUECKSGRIFF: "max_rounds"}


@kernel
def write_turns(states: Any, begin: NDArray[np.bool_]) -> None:
    """Write in which states a turn begins."""
    for k in range(len(states)):
        begin[k] = begins_turn(states[k])


def card_weights(game: Game) -> NDArray[np.uint64]:
    return np.linspace(0.1 * FULL_WEIGHT, FULL_WEIGHT, len(game.cards)).astype(np.uint64)


def flat(value: float, game: Game = AURUXXX) -> ActionValueNetwork:
    """A network to which all moves are alike, with a critic that always says the same."""
    inputs = state_spec(game).size + action_spec(game).size
    layers, of_critic = (
        [(np.zeros((1, size), np.float32), np.array([bias], np.float32))]
        for size, bias in ((inputs, 0.0), (critic_spec(game).size, value))
    )
    critic = ValueNetwork(of_critic, game, TARGET)
    return ActionValueNetwork(layers, EXPERTS[game], game, critic)


def rollouts_of(observations: ObservationBatch, network: ActionValueNetwork) -> TruncatedRollouts:
    assert network.critic
    game = network.game
    play = EXPERTS[game].policy.policy_function
    return TruncatedRollouts(observations, network, network.critic, play, card_weights(game))


def decisions(
    players: int, rounds: int = 3, game: Game = AURUXXX
) -> Iterator[tuple[Batch, ObservationBatch]]:
    """Every third decision with a choice in games of experts, and what its mover sees and knows."""
    rules = {"num_players": players, "hand_size": 4, ROUNDS[game]: rounds}
    batch = Batch(game, game.settings.from_dict(rules), 1)
    batch.start(derive_seeds(3, 1))
    for step in range(60):
        observations = observation_batch(
            batch, np.zeros(1, np.int64), derive_seeds(step, 1), information_states=True
        )
        if step % 3 == 0 and observations.masks.sum() > 1:
            yield batch, observations
        batch.step(EXPERTS[game].policy.act(observations))
        batch.start(derive_seeds(step, int(batch.over.sum())), np.flatnonzero(batch.over))


def test_games_that_differ_in_what_is_hidden_are_evaluated_alike() -> None:
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
            observations = observation_batch(batch, np.arange(2), BITS[:2], information_states=True)
            one, other = (
                rollouts_of(observations.take(np.array([k])), random_action_value_network())
                for k in range(2)
            )
            for rollouts in (one, other):
                rollouts.run(BITS)
            np.testing.assert_array_equal(one.sums, other.sums)
            seen += 1
        match.play(rng.choice(match.legal))
    assert seen > 4


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("players", [2, 4])
def test_a_rollout_ends_at_the_next_turn_or_with_the_round(
    players: int, rounds: int, game: Game
) -> None:
    """Compared with states that are played on action by action, and what the rules say then."""
    ended = own_decisions = 0
    for batch, observations in decisions(players, rounds, game):
        rollouts, seat = rollouts_of(observations, flat(3.0, game)), int(batch.current_players[0])
        rollouts.run(BITS)
        states = Batch(game, batch.settings, len(BITS) * len(rollouts.actions))
        rows = np.zeros(len(states.states), np.int64)
        random_bits = np.repeat(BITS, len(rollouts.actions))
        sampled = rollouts.information_states, rows, rows + seat, random_bits, card_weights(game)
        sample_states(*sampled, states.states)
        this_round = states.states["round_index"].copy()
        states.step(np.tile(rollouts.actions, len(BITS)))
        begin = np.zeros(len(rows), np.bool_)
        while True:
            write_turns(states.states, begin)
            running = ~states.over & (states.states["round_index"] == this_round)
            own = states.current_players == seat
            playing = np.flatnonzero(running & ~(own & begin))
            if not len(playing):
                break
            own_decisions += int(own[playing].sum())
            seen, masks = states.observe(states.current_players[playing], playing)
            zeros = np.zeros(len(playing), np.uint64)
            actions = EXPERTS[game].policy.act(ObservationBatch(game, seen, masks, zeros))
            states.step(actions, playing)
        left = rounds_to_play(states.states)
        chances = win_probabilities(states.points(), left, TARGET.score_temperature)
        values = TARGET.values(chances[:, seat], states.points()[:, seat]) + 3.0 * running
        wanted = values.reshape(len(BITS), -1).sum(axis=0)
        np.testing.assert_allclose(rollouts.sums, wanted, rtol=1e-6, atol=1e-6)
        ended += int((~running).sum())
    assert min(ended, own_decisions) > 5


@pytest.mark.parametrize("states", [1, 8, 80])
def test_the_states_count_as_much_as_the_network(states: int) -> None:
    """Where the critic is constant, the network decides; its five best actions are tried."""
    plain = random_action_value_network()
    network = ActionValueNetwork(
        plain.layers, plain.base_policy, AURUXXX, flat(3.0).critic, margin=100.0
    )
    for _, observations in decisions(4, rounds=9):
        rollouts = rollouts_of(observations, network)
        rollouts.run(derive_seeds(5, states))
        logits, masks = plain.logits(observations)[0], observations.masks[0]
        best = np.where(masks == 1, logits, -np.inf).argmax()
        assert len(rollouts.actions) == min(MAX_ACTIONS, masks.sum())
        assert masks[rollouts.actions].all()
        rollouts.sums[:] = 0.0  # of states in which the round ended
        assert rollouts.best_action() == best
        gap = (rollouts.network_values[0] - rollouts.network_values[1]) * states
        rollouts.sums[1] = gap * 0.99
        assert rollouts.best_action() == best
        rollouts.sums[1] = gap * 1.01 + 1e-6
        assert rollouts.best_action() == rollouts.actions[1]


@pytest.mark.parametrize(("players", "looks"), [(2, False), (3, True), (4, True)])
def test_rollouts_are_truncated_where_the_network_has_a_critic(
    players: int, looks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    class Counted(TruncatedRollouts):
        def run(self, random_bits: NDArray[np.uint64]) -> None:
            tried.append(len(random_bits))
            assert self.card_weights is search._card_weights_for(AURUXXX, self.information_states)
            super().run(random_bits)

    monkeypatch.setattr(agent, "TruncatedRollouts", Counted)
    _, observations = next(decisions(players))
    prior = PlayerCountEnsemble([random_network(), random_action_value_network()])
    search = Search(EXPERT, prior=prior, iterations=150)
    first = search.act(observations)
    assert tried == ([100, 50] if looks else [])
    assert (search.act(observations) == first).all()
    assert observations.masks[0, first[0]] == 1


def test_other_random_bits_sample_other_states() -> None:
    _, observations = next(decisions(4))
    one, other = (rollouts_of(observations, random_action_value_network()) for _ in range(2))
    one.run(BITS)
    other.run(BITS + np.uint64(1))
    assert (one.sums != other.sums).any()


def test_an_illegal_base_policy_raises() -> None:
    def out_of_range(raw: Any, mask: Any, bits: np.uint64) -> int:  # noqa: ARG001
        return len(mask)

    search = Search(
        CompiledPolicy(out_of_range),
        prior=PlayerCountEnsemble([random_action_value_network()]),
        iterations=50,
    )
    some = [observations for _, observations in decisions(4)]
    with pytest.raises(AgentError, match="base policy of the search chose an illegal action"):
        list(map(search.act, some))
