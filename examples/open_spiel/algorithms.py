"""Run algorithms of OpenSpiel on a small game, and print NashConv or returns.

python examples/open_spiel/algorithms.py cfr-plus --iterations 50
python examples/open_spiel/algorithms.py ismcts --game "goldgriff_gluecksgriff(chance=sampled)"
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import policy
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
Policy = Any  # of OpenSpiel, for all players


def run_cfr_plus(game: Any, iterations: int) -> Policy:
    """Counterfactual regret minimisation+."""
    solver = cfr.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver.average_policy()


def run_outcome_sampling(game: Any, iterations: int) -> Policy:
    """Monte Carlo CFR along one history an iteration."""
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(iterations):
        solver.iteration()
    return solver.average_policy()


def run_external_sampling(game: Any, iterations: int) -> Policy:
    """Monte Carlo CFR over all actions of one player."""
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(iterations):
        solver.iteration()
    return solver.average_policy()


def run_mmd(game: Any, iterations: int) -> Policy:
    """Magnetic mirror descent on the sequence form, towards the uniform policy."""
    solver = mmd_dilated.MMDDilatedEnt(game, 0.01)
    for _ in range(iterations):
        solver.update_sequences()
    return solver.get_policies()


def run_psro(game: Any, iterations: int) -> Policy:
    """Policy space response oracles with exact best responses; needs cvxpy."""
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
        training_strategy_selector="probabilistic",
        meta_strategy_method="prd",
        sample_from_marginals=True,
    )
    for _ in range(iterations):
        solver.iteration()
    aggregator = policy_aggregator.PolicyAggregator(game)
    return aggregator.aggregate(range(2), solver.get_policies(), solver.get_meta_strategies())


def run_deep_cfr(game: Any, iterations: int) -> Policy:
    """Deep CFR in PyTorch, an iteration of 40 traversals a player; known not to converge (1376)."""
    from open_spiel.python.pytorch import deep_cfr  # noqa: PLC0415

    solver = deep_cfr.DeepCFRSolver(
        game,
        policy_network_layers=(64,),
        advantage_network_layers=(64,),
        num_iterations=iterations,
        num_traversals=40,
        learning_rate=1e-3,
        batch_size_advantage=256,
        batch_size_strategy=256,
        memory_capacity=1_000_000,
        policy_network_train_steps=5000,
        advantage_network_train_steps=100,
    )
    solver.solve()

    def probabilities(state: Any) -> dict[int, float]:  # the network gives some to illegal actions
        chances = solver.action_probabilities(state)
        total = sum(chances.values())
        return {action: chance / total for action, chance in chances.items()}

    return policy.tabular_policy_from_callable(game, probabilities)


def run_nfsp(game: Any, iterations: int) -> Policy:
    """Neural fictitious self-play in PyTorch, an episode an iteration."""
    from open_spiel.python import rl_environment  # noqa: PLC0415
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
            "info_state": [state.information_state_tensor(seat) for seat in range(2)],
            "legal_actions": [state.legal_actions(seat) for seat in range(2)],
            "current_player": player,
        }
        step = rl_environment.TimeStep(observations, None, None, None)
        with agents[player].temp_mode_as(nfsp.MODE.AVERAGE_POLICY):
            chances = agents[player].step(step, is_evaluation=True).probs
        return {action: chances[action] for action in state.legal_actions()}

    for _ in range(iterations):
        step = env.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = env.step([agents[player].step(step).action])
        for agent in agents:
            agent.step(step)
    return policy.tabular_policy_from_callable(game, probabilities)


ALGORITHMS: dict[str, tuple[Callable[[Any, int], Policy], int]] = {  # with iterations by default
    "cfr-plus": (run_cfr_plus, 20),
    "outcome-sampling": (run_outcome_sampling, 10_000),
    "external-sampling": (run_external_sampling, 500),
    "mmd": (run_mmd, 200),
    "psro": (run_psro, 10),
    "deep-cfr": (run_deep_cfr, 3),
    "nfsp": (run_nfsp, 2000),
}


def solve(name: str, game_name: str, iterations: int | None) -> None:
    """Run an algorithm and print the NashConv of its policy."""
    run, default = ALGORITHMS[name]
    game, iterations = pyspiel.load_game(game_name), iterations or default
    np.random.seed(1)  # noqa: NPY002 (OpenSpiel draws from it)
    started = time.process_time()
    result = run(game, iterations)
    seconds = time.process_time() - started
    conv = exploitability.nash_conv(game, result)
    print(f"{name}: NashConv {conv:.4f} after {iterations:,} iterations, {seconds:.0f} s")


def play(name: str, game_name: str, games: int | None) -> None:
    """Let a searching bot play against random play, in both seats, and print its mean return."""
    game = pyspiel.load_game(game_name)
    returns = []
    for number in range(games or 10):
        seat = number % 2
        bots = [pyspiel.make_uniform_random_bot(player, number) for player in range(2)]
        if name == "ismcts":
            bots[seat] = ismcts_bot(game, seat, number, simulations=100)
        else:  # sees all cards
            rng = np.random.RandomState(number)
            bots[seat] = mcts.MCTSBot(
                game, 2.0, 100, RolloutEvaluator(seed=number), random_state=rng
            )
        returns.append(play_game(game, bots, number)[seat])
    error = np.std(returns) / np.sqrt(len(returns))
    print(
        f"{name}: mean return {np.mean(returns):.2f}, standard error {error:.2f}, "
        f"in {len(returns)} games against random play"
    )


def play_game(game: Any, bots: list[Any], seed: int) -> list[float]:
    """Return the returns of a game; `evaluate_bots` asks for a method that ISMCTSBot lacks."""
    state, rng = game.new_initial_state(), np.random.default_rng(seed)
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
    options = parser.parse_args()
    goldgriff.register_open_spiel()
    run = solve if options.algorithm in ALGORITHMS else play
    run(options.algorithm, options.game, options.iterations)


if __name__ == "__main__":
    main()
