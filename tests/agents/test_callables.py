"""Functions and objects of users as agents, wherever an agent is taken."""

import pickle
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import goldgriff as gg
from goldgriff.agents.callables import ForeignAgent, FunctionAgent
from goldgriff.agents.registry import load_agent
from goldgriff.envs.policy import ObservationBatch
from goldgriff.errors import AgentError
from goldgriff.eval.tournament.config import tournament_config
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.tournament import run_tournament

from ..players import First
from .helpers import some_observations

Mask = NDArray[np.int8]
SHORT: dict[str, Any] = {"rounds": 1, "max_decisions": 60}


def first(_observation: NDArray[np.float32], action_mask: Mask, _info: dict[str, int]) -> int:
    return int(action_mask.argmax())


def vandal(observation: NDArray[np.float32], action_mask: Mask, info: dict[str, int]) -> int:
    """Plays the first legal action and writes into all that it is given."""
    action = int(action_mask.argmax())
    observation[:], action_mask[:] = 7, 1
    info.clear()
    return action


def half(_observation: NDArray[np.float32], _action_mask: Mask, _info: dict[str, int]) -> Any:
    return 0.5


def shuffled(_observation: NDArray[np.float32], action_mask: Mask, info: dict[str, int]) -> int:
    rng = np.random.default_rng(info["random_bits"])
    return int(rng.choice(np.flatnonzero(action_mask)))


def play_episode(env: gymnasium.Env[Any, Any], seed: int) -> tuple[float, list[Any]]:
    """Play the first legal action until the game ends."""
    observation, _ = env.reset(seed=seed)
    total, seen, done = 0.0, [observation.tobytes()], False
    while not done:
        mask = env.get_wrapper_attr("action_masks")()
        observation, reward, terminated, truncated, _ = env.step(int(mask.argmax()))
        total, done = total + float(reward), terminated or truncated
        seen.append(observation.tobytes())
    return total, seen


def test_a_function_is_asked_row_by_row() -> None:
    seen = []

    def note(observation: NDArray[np.float32], action_mask: Mask, info: dict[str, int]) -> int:
        seen.append((observation, action_mask, info))
        return int(action_mask.argmax())

    batch = some_observations(8, num_players=3)
    actions = load_agent(note, "auruxxx").act(batch)
    assert actions.tolist() == batch.masks.argmax(axis=1).tolist()
    for row, (observation, action_mask, info) in enumerate(seen):
        assert observation.dtype == np.float32
        assert action_mask.dtype == np.int8
        assert (observation == batch.scaled[row]).all()
        assert (action_mask == batch.masks[row]).all()
        assert batch.seats is not None
        assert info == {
            "seat": batch.seats[row],
            "num_players": 3,
            "random_bits": int(batch.random_bits[row]),
        }
    assert len({info["seat"] for *_, info in seen}) > 1


@pytest.mark.parametrize("opponent", [first, vandal, First, First()], ids=range(4))
def test_opponents_may_be_functions_classes_and_objects(opponent: Any) -> None:
    """All of these play the first legal action, whatever they write into."""
    episodes = [
        play_episode(gymnasium.make("goldgriff/Auruxxx-v0", opponents=one, **SHORT), 5)
        for one in (opponent, "tests.players:First", "tests.agents.test_callables:first")
    ]
    assert episodes[0] == episodes[1] == episodes[2]


def test_functions_play_tournaments() -> None:
    game = gg.get_game("auruxxx")
    config = tournament_config(
        game, ["a", "b", "c"], game.read_settings(SHORT | {"num_players": 3}), deals=2, seed=1
    )
    named = dict(zip("abc", (vandal, "tests.agents.test_callables:shuffled", First()), strict=True))

    def play(agents: dict[str, Any]) -> list[Any]:
        players = [Player(name, load_agent(agent, game)) for name, agent in agents.items()]
        results = run_tournament(config, players)
        assert not results.forfeits
        return [(standing.name, standing.win_share) for standing in results.standings]

    assert play(named) == play(
        dict(zip("abc", (first, shuffled, "tests.players:First"), strict=True))
    )


def test_a_function_at_fault_forfeits() -> None:
    game = gg.get_game("auruxxx")
    config = tournament_config(game, ["a", "b"], game.settings(num_players=2), deals=2, seed=1)
    agents = {"a": half, "b": first}
    players = [Player(name, load_agent(agent, game)) for name, agent in agents.items()]
    results = run_tournament(config, players)
    assert {forfeit.reason for forfeit in results.forfeits} == {
        "failed: TypeError: returned 0.5, not an action: a whole number"
    }


def test_what_is_no_agent_is_refused() -> None:
    for given in (3, None, object()):
        with pytest.raises(
            AgentError, match=r"has no method act\(observations\) and is no function"
        ):
            load_agent(given, "auruxxx")  # type: ignore[call-overload]


def test_an_object_keeps_its_attributes_and_pickles() -> None:
    class Slow(First):
        slow = True

    agent = load_agent(Slow(), "auruxxx")
    assert isinstance(agent, ForeignAgent)
    assert Player("slow", agent).slow
    assert not hasattr(agent, "wants_information_states")
    batch = some_observations(4)
    for one in (load_agent("tests.players:First", "auruxxx"), FunctionAgent(first)):
        again = pickle.loads(pickle.dumps(one))
        assert type(again) is type(one)
    again = pickle.loads(pickle.dumps(load_agent("tests.players:First", "auruxxx")))
    assert again.act(batch).tolist() == First().act(batch).tolist()


def test_a_module_may_name_what_makes_an_agent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = (
        "from tests.players import First\ndef make(strong=True): return First()\nagent = First()"
    )
    (tmp_path / "makers_of_agents.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    batch = some_observations(4)
    for name in ("makers_of_agents:make", "makers_of_agents:agent"):
        agent = load_agent(name, "auruxxx")
        assert agent.act(batch).tolist() == First().act(batch).tolist()
    del sys.modules["makers_of_agents"]


def test_a_batch_without_seats_is_not_for_functions() -> None:
    batch = some_observations(2)
    blind = ObservationBatch(batch.game, batch.raw, batch.masks, batch.random_bits)
    with pytest.raises(AgentError, match="a function needs seats and num_players"):
        load_agent(first, "auruxxx").act(blind)
