"""RLCard's agents in our tournaments, and ours among RLCard's agents.

`CardEnv` has the interface of RLCard's environments, so its training loops, `tournament` and agents
(here DQN) work with it.

    python examples/rlcard_agents.py --episodes 400
"""

import argparse
import io
import time
from collections import OrderedDict
from contextlib import redirect_stdout
from typing import Any

import numpy as np
import rlcard.utils
from numpy.typing import NDArray
from rlcard.agents import DQNAgent, RandomAgent
from rlcard.envs import Env

import goldgriff as gg

State = dict[str, Any]


def state_of(observation: NDArray[np.float32], mask: NDArray[np.int8], names: Any) -> State:
    """Return RLCard's state of what a player sees."""
    legal = np.flatnonzero(mask).tolist()
    return {
        "obs": observation,
        "legal_actions": OrderedDict.fromkeys(legal),
        "raw_legal_actions": [names[action] for action in legal],
    }


class CardGame:
    """A game as RLCard's `Env` wants it."""

    np_random: Any  # set by `Env.seed`

    def __init__(self, game: str, num_players: int, **rules: Any) -> None:
        self.match = gg.Match(game, {"num_players": num_players, **rules})

    def get_num_players(self) -> int:
        """Return the number of players."""
        return self.match.settings.num_players

    def get_num_actions(self) -> int:
        """Return the number of actions."""
        return len(self.match.game.actions)

    def init_game(self) -> tuple[State, int]:
        """Start the next game of the environment's generator."""
        self.match.start(int(self.np_random.randint(2**31)))
        return self.get_state(self.get_player_id()), self.get_player_id()

    def step(self, action: int) -> tuple[State, int]:
        """Play an action."""
        self.match.act(int(action))
        return self.get_state(self.get_player_id()), self.get_player_id()

    def get_player_id(self) -> int:
        """Return the seat that decides next."""
        return int(self.match.current_player)

    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.match.over

    def get_state(self, player: int) -> State:
        """Return what a seat sees."""
        match = self.match
        (raw,), (mask,) = match.observe(player)
        scaled = match.game.observation_spec.to_float(raw)
        state = state_of(scaled, mask, match.game.actions)
        if not match.over and player == match.current_player:
            state["batch"] = match.observation_batch(information_states=True)
        return state


class CardEnv(Env):
    """A game of goldgriff as an environment of RLCard; rules are settings of the game by name.

    RLCard pays at the end of a game: a player gets the others' mean of points less its own, in
    hundreds.
    """

    def __init__(
        self, game: str = "auruxxx", num_players: int = 2, seed: int | None = None, **rules: Any
    ) -> None:
        self.name, self.game = game, CardGame(game, num_players, **rules)
        super().__init__({"seed": seed, "allow_step_back": False})
        self.state_shape = [[self.game.match.game.observation_spec.size]] * num_players
        self.action_shape = [None] * num_players

    def get_payoffs(self) -> NDArray[np.float32]:
        """Return each player's payoff, float32 (num_players,)."""
        points = np.array(self.game.match.scores, np.float32)
        others = (points.sum() - points) / (len(points) - 1)
        return np.asarray((others - points) / 100, np.float32)

    def _extract_state(self, state: State) -> State:
        return state

    def _decode_action(self, action_id: int) -> int:
        return action_id

    def _get_legal_actions(self) -> Any:
        return self.game.get_state(self.game.get_player_id())["legal_actions"]


class Ours:
    """An agent of goldgriff as one of RLCard."""

    use_raw = False

    def __init__(self, agent: gg.Policy) -> None:
        self.agent = agent

    def step(self, state: State) -> int:
        """Return an action."""
        return int(self.agent.act(state["batch"])[0])

    def eval_step(self, state: State) -> tuple[int, dict[str, Any]]:
        """Return an action, and nothing more."""
        return self.step(state), {}


class Theirs:
    """An agent of RLCard as one of goldgriff."""

    def __init__(self, agent: Any, game: str = "auruxxx") -> None:
        self.agent, self.names = agent, gg.get_game(game).actions

    def act(self, batch: gg.ObservationBatch) -> NDArray[np.int64]:
        """Return an action for each row, int64 (rows,)."""
        rows = zip(batch.scaled, batch.masks, strict=True)
        states = [state_of(observation, mask, self.names) for observation, mask in rows]
        return np.array([self.agent.eval_step(state)[0] for state in states], np.int64)


def train(episodes: int, seed: int = 1) -> tuple[DQNAgent, int]:
    """Train RLCard's DQN against its random agent; return it, and the decisions it learnt from.

    RLCard pays once, after hundreds of decisions. Here each decision pays for the cards that it
    takes off the hand, a twelfth for each, and a round is an episode.
    """
    rlcard.utils.set_seed(seed)
    env = CardEnv(seed=seed)
    spec = env.game.match.game.observation_spec
    hand, rounds_left = spec.start("hand_sizes"), spec.start("rounds_left")
    agent = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=[128, 128],
        learning_rate=5e-4,
        discount_factor=0.5,
        epsilon_decay_steps=50_000,
        replay_memory_size=50_000,
        batch_size=64,
        train_every=4,
    )
    agents = [agent, RandomAgent(env.num_actions)]
    for episode in range(episodes):
        seat = episode % 2
        env.set_agents(agents if seat == 0 else agents[::-1])
        trajectories, payoffs = env.run(is_training=True)
        with redirect_stdout(io.StringIO()):  # it prints a line for each step
            for decision in rlcard.utils.reorganize(trajectories, payoffs)[seat]:
                state, action, _payoff, later, over = decision
                seen, seen_later = state["obs"], later["obs"]
                over = over or seen[rounds_left] != seen_later[rounds_left]
                paid = 0.0 if over else float(seen[hand] - seen_later[hand])
                agent.feed([state, action, paid, later, bool(over)])
    return agent, agent.total_t


def main() -> None:
    """Train, and play against `random` here and there."""
    parser = argparse.ArgumentParser(description="RLCard's DQN on two-player Auruxxx")
    parser.add_argument("--episodes", type=int, default=400, help="games (%(default)s)")
    parser.add_argument("--deals", type=int, default=500, help="two games each (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the training (%(default)s)")
    args = parser.parse_args()
    began = time.process_time()
    agent, decisions = train(args.episodes, args.seed)
    speed = decisions / (time.process_time() - began)
    print(f"{decisions:,} decisions, {speed:,.0f} a second of CPU time")
    agents: Any = {"rlcard": Theirs(agent), "random": "random"}
    result = gg.play_tournament("auruxxx", agents, num_players=2, deals=args.deals)
    share = result.to_dict()["agents"]["rlcard"]
    low, high = share["win_share_ci"]
    print(f"win share against random: {share['win_share']:.1%} ({low:.1%} to {high:.1%})")
    env = CardEnv(seed=7)
    env.set_agents([Ours(gg.load_agent("expert", "auruxxx")), RandomAgent(env.num_actions)])
    print("mean payoffs of expert and random there:", rlcard.utils.tournament(env, 200))


if __name__ == "__main__":
    main()
