"""Run algorithms of OpenSpiel on a small game, and print NashConv or returns.

python examples/open_spiel/algorithms.py cfr-plus --iterations 50
python examples/open_spiel/algorithms.py ismcts --game "goldgriff_gluecksgriff(chance=sampled)"
"""

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    external_sampling_mccfr,
    mcts,
    mmd_dilated,
    outcome_sampling_mccfr,
)

import goldgriff
from goldgriff.eval.game_theory.open_spiel.bots import RolloutEvaluator, ismcts_bot

SMALL = "goldgriff_auruxxx(preset=tiny-a,max_turns=2)"
Policies = Iterator[Any]  # one after each iteration


def run_cfr_plus(game: Any) -> Policies:
    """Counterfactual regret minimisation+."""
    solver = cfr.CFRPlusSolver(game)
    while True:
        solver.evaluate_and_update_policy()
        yield solver.average_policy


def run_outcome_sampling(game: Any) -> Policies:
    """Monte Carlo CFR along one history an iteration."""
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    while True:
        solver.iteration()
        yield solver.average_policy


def run_external_sampling(game: Any) -> Policies:
    """Monte Carlo CFR over all actions of one player."""
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    while True:
        solver.iteration()
        yield solver.average_policy


def run_mmd(game: Any) -> Policies:
    """Magnetic mirror descent on the sequence form, towards the uniform policy."""
    solver = mmd_dilated.MMDDilatedEnt(game, 0.01)
    while True:
        solver.update_sequences()
        yield solver.get_policies


def run_psro(game: Any) -> Policies:
    """Policy space response oracles with exact best responses; needs cvxpy."""
    from open_spiel.python import policy  # noqa: PLC0415
    from open_spiel.python.algorithms import policy_aggregator  # noqa: PLC0415
    from open_spiel.python.algorithms.psro_v2 import (  # noqa: PLC0415
        best_response_oracle,
        psro_v2,
    )

    uniform = policy.TabularPolicy(game)
    solver = psro_v2.PSROSolver(
        game,
        best_response_oracle.BestResponseOracle(game=game, policy=uniform),
        sims_per_entry=100,
        initial_policies=[uniform, uniform],
        meta_strategy_method="prd",
        sample_from_marginals=True,
    )

    def mixed() -> Any:
        aggregator = policy_aggregator.PolicyAggregator(game)
        return aggregator.aggregate(range(2), solver.get_policies(), solver.get_meta_strategies())

    while True:
        solver.iteration()
        yield mixed


def run_deep_cfr(game: Any) -> Policies:
    """Deep CFR in PyTorch, an iteration of 40 traversals; it is known not to converge (1376)."""
    from open_spiel.python import policy  # noqa: PLC0415
    from open_spiel.python.pytorch import deep_cfr  # noqa: PLC0415

    iterations = 0
    while True:
        iterations += 1
        solver = deep_cfr.DeepCFRSolver(
            game,
            policy_network_layers=(64,),
            advantage_network_layers=(64,),
            num_iterations=iterations,
            num_traversals=40,
            learning_rate=1e-3,
            batch_size_advantage=256,
            batch_size_strategy=256,
            memory_capacity=100_000,
            policy_network_train_steps=200,
            advantage_network_train_steps=100,
        )
        solver.solve()
        yield lambda: policy.tabular_policy_from_callable(
            game,
            solver.action_probabilities,  # noqa: B023
        )


def run_nfsp(game: Any) -> Policies:
    """Neural fictitious self-play in PyTorch, an episode an iteration."""
    from open_spiel.python import policy, rl_environment  # noqa: PLC0415
    from open_spiel.python.pytorch import nfsp  # noqa: PLC0415

    env = rl_environment.Environment(game)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    agents = [
        nfsp.NFSP(
            player,
            size,
            actions,
            [64],
            100_000,
            0.1,
            epsilon_decay_duration=10_000,
            epsilon_start=0.06,
            epsilon_end=0.001,
        )
        for player in range(2)
    ]

    def probabilities(state: Any) -> dict[int, float]:
        player = state.current_player()
        observations = {
            "info_state": [state.information_state_tensor(each) for each in range(2)],
            "legal_actions": [state.legal_actions(each) for each in range(2)],
            "current_player": player,
        }
        step = rl_environment.TimeStep(observations, None, None, None)
        with agents[player].temp_mode_as(nfsp.MODE.AVERAGE_POLICY):
            told = agents[player].step(step, is_evaluation=True).probs
        return {action: told[action] for action in state.legal_actions()}

    while True:
        step = env.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = env.step([agents[player].step(step).action])
        for agent in agents:
            agent.step(step)
        yield lambda: policy.tabular_policy_from_callable(game, probabilities)


ALGORITHMS: dict[str, tuple[Callable[[Any], Policies], int]] = {  # with iterations by default
    "cfr-plus": (run_cfr_plus, 20),
    "outcome-sampling": (run_outcome_sampling, 10_000),
    "external-sampling": (run_external_sampling, 500),
    "mmd": (run_mmd, 200),
    "psro": (run_psro, 10),
    "deep-cfr": (run_deep_cfr, 3),
    "nfsp": (run_nfsp, 2000),
}


def solve(name: str, game_name: str, iterations: int | None) -> None:
    """Run an algorithm and print the NashConv of what it found."""
    run, default = ALGORITHMS[name]
    game = pyspiel.load_game(game_name)
    started, policies = time.process_time(), run(game)
    for _ in range(iterations or default):
        policy = next(policies)
    seconds = time.process_time() - started
    found = exploitability.nash_conv(game, policy())
    print(f"{name}: NashConv {found:.4f} after {iterations or default} iterations, {seconds:.0f} s")


def play(name: str, game_name: str, games: int | None) -> None:
    """Let a searching bot play against random play, in both seats, and print its mean return."""
    game = pyspiel.load_game(game_name)
    total, games = 0.0, games or 10
    for number in range(games):
        seat = number % 2
        bots = [pyspiel.make_uniform_random_bot(player, number) for player in range(2)]
        if name == "ismcts":
            bots[seat] = ismcts_bot(game, seat, number, simulations=100)
        else:  # sees all cards
            rng = np.random.RandomState(number)
            bots[seat] = mcts.MCTSBot(
                game, 2.0, 100, RolloutEvaluator(seed=number), random_state=rng
            )
        total += play_game(game, bots)[seat]
    print(f"{name}: mean return {total / games:.2f} in {games} games against random play")


def play_game(game: Any, bots: list[Any]) -> list[float]:
    """Return the returns of a game; `evaluate_bots` asks for a method that ISMCTSBot lacks."""
    state, rng = game.new_initial_state(), np.random.default_rng()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=chances))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return list(state.returns())


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("algorithm", choices=[*ALGORITHMS, "mcts", "ismcts"])
    parser.add_argument("--game", default=SMALL)
    parser.add_argument("--iterations", type=int, help="or games, for mcts and ismcts")
    given = parser.parse_args()
    goldgriff.register_open_spiel()
    run = solve if given.algorithm in ALGORITHMS else play
    run(given.algorithm, given.game, given.iterations)


if __name__ == "__main__":
    main()
