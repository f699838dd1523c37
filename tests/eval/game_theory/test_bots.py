"""Agents as bots of OpenSpiel and back, and its measures beside ours."""

import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest

import goldgriff
from goldgriff.envs.policy import RandomPolicy
from goldgriff.errors import AgentError
from goldgriff.eval.game_theory.cfr import Solver
from goldgriff.eval.game_theory.strategies import nash_conv, values
from goldgriff.eval.game_theory.tree import build_tree

pyspiel: Any = pytest.importorskip("pyspiel")
bots: Any = pytest.importorskip("goldgriff.eval.game_theory.open_spiel.bots")
SMALL = (
    "goldgriff_auruxxx(preset=tiny-a,max_turns=2)",
    "goldgriff_gluecksgriff(preset=tiny-b,max_turns=1)",
)
PRESETS = ("goldgriff_auruxxx(preset=tiny-a)", "goldgriff_gluecksgriff(preset=tiny-b)")


@pytest.fixture(scope="module", autouse=True)
def _register() -> None:
    goldgriff.register_open_spiel()


def solved(name: str) -> tuple[Any, Any, Any]:
    game = pyspiel.load_game(name)
    tree = build_tree(game.root.game, game.root.settings)
    solver = Solver(tree)
    solver.run(15)
    return game, tree, solver.strategies()


@pytest.mark.parametrize("name", SMALL)
def test_open_spiel_measures_the_same_nash_conv(name: str) -> None:
    from open_spiel.python.algorithms import expected_game_score, exploitability  # noqa: PLC0415

    game, tree, strategies = solved(name)
    policy = bots.TreePolicy(game, tree, strategies)
    assert nash_conv(tree, strategies) > 1e-4
    found = exploitability.nash_conv(game, policy)
    assert found == pytest.approx(nash_conv(tree, strategies), abs=1e-9)
    returns = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert returns == pytest.approx(values(tree, strategies), abs=1e-9)


def test_open_spiel_measures_half_of_it_as_exploitability() -> None:
    from open_spiel.python.algorithms import exploitability  # noqa: PLC0415

    game, tree, strategies = solved(SMALL[0])
    found = exploitability.exploitability(game, bots.TreePolicy(game, tree, strategies))
    assert found == pytest.approx(nash_conv(tree, strategies) / 2, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("name", PRESETS)
def test_open_spiel_measures_the_same_nash_conv_on_presets(name: str) -> None:
    test_open_spiel_measures_the_same_nash_conv(name)


@pytest.mark.parametrize("agent", ["random", "expert", "search@20"])
def test_agents_are_bots(agent: str) -> None:
    """Two of them play a game of three seats by OpenSpiel's own loop."""
    from open_spiel.python.algorithms import evaluate_bots  # noqa: PLC0415

    game = pyspiel.load_game("goldgriff_auruxxx(players=3,rounds=1,max_turns=9)")
    policy = goldgriff.load_agent(agent, "auruxxx")
    seated = [bots.AgentBot(policy, player, seed=player) for player in range(3)]
    state = game.new_initial_state()
    returns = evaluate_bots.evaluate_bots(state, seated, np.random)
    assert sum(returns) == pytest.approx(0)


def test_agents_are_policies() -> None:
    game = pyspiel.load_game(SMALL[0])
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    state.apply_action(state.legal_actions()[0])
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    legal = state.legal_actions()
    assert len(legal) > 1
    estimated = bots.AgentPolicy(game, RandomPolicy(), samples=4000).action_probabilities(state)
    assert list(estimated) == legal
    assert list(estimated.values()) == pytest.approx([1 / len(legal)] * len(legal), abs=0.05)

    class Told(RandomPolicy):
        def action_probabilities(self, batch: Any) -> Any:
            told = np.zeros(batch.masks.shape)
            told[:, legal[-1]] = 1
            return told

    told = bots.AgentPolicy(game, Told()).action_probabilities(state)
    assert told == {**dict.fromkeys(legal, 0.0), legal[-1]: 1.0}


class Counter:
    """Remembers how often it has decided; it plays its last legal action."""

    def initial_agent_state(self, rows: int) -> Any:
        return np.zeros((rows, 1), np.int64)

    def act(self, batch: Any, agent_state: Any) -> Any:
        self.seen = int(agent_state[0, 0])
        last = batch.masks.shape[1] - 1 - batch.masks[:, ::-1].argmax(axis=1)
        return last, agent_state + 1


def test_a_bot_of_an_agent_that_remembers() -> None:
    """Its agent state follows from the history, whoever has decided."""
    game = pyspiel.load_game("goldgriff_gluecksgriff(preset=tiny-a,chance=sampled,rng_seed=1)")
    counter, state, made = Counter(), game.new_initial_state(), 0
    bot = bots.AgentBot(counter, 0)
    while not state.is_terminal():
        if state.current_player() == 0:
            bot.step(state)
            assert counter.seen == made
            made += 1
        state.apply_action(state.legal_actions()[0])
    assert made > 1


@pytest.mark.parametrize("game", ["auruxxx", "gluecksgriff"])
def test_a_bot_plays_in_a_tournament(game: str) -> None:
    """IS-MCTS, which samples states by our determinization; the same games give the same result."""
    make = partial(bots.ismcts_bot, simulations=8)
    agent = bots.BotAgent(make, f"goldgriff_{game}(preset=tiny-b,chance=sampled)")
    again = pickle.loads(pickle.dumps(agent))
    shares = []
    for one in (agent, again):
        result = goldgriff.play_tournament(
            game, {"IS-MCTS": one, "random": "random"}, rules={"preset": "tiny-b"}, deals=3
        )
        assert not result.results.forfeits
        shares.append(str(result))
    assert shares[0] == shares[1]


def test_a_bot_refuses_other_games() -> None:
    match = goldgriff.Match("auruxxx", {"num_players": 2, "rounds": 1})
    match.start(1)
    batch = match.observation_batch(information_states=True)
    for name, message in (
        ("goldgriff_auruxxx(rounds=2)", "a game with other settings"),
        ("goldgriff_gluecksgriff", "the bot plays gluecksgriff, not auruxxx"),
    ):
        with pytest.raises(AgentError, match=message):
            bots.BotAgent(bots.ismcts_bot, name).act(batch)


def test_rollouts_are_random_games() -> None:
    game = pyspiel.load_game("goldgriff_auruxxx(preset=tiny-a)")
    state = game.new_initial_state()
    mean = bots.RolloutEvaluator(3000, seed=1).evaluate(state)
    tree = build_tree(game.root.game, game.root.settings)
    uniform = values(tree, [side.uniform() for side in tree.sides])
    assert mean == pytest.approx(uniform, abs=0.06)
    assert sum(chance for _, chance in bots.RolloutEvaluator().prior(state)) == pytest.approx(1)
