"""The front door: `import goldgriff as gg`, and what its functions take and return."""

import inspect
import json
import pickle
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.envs.registration import EnvSpec

import goldgriff as gg
from goldgriff import registration
from goldgriff.agents.heuristics.catalog import find_base_policy
from goldgriff.agents.registry import fingerprint
from goldgriff.envs.aec import CardGameEnv
from goldgriff.envs.single_agent import SingleAgentEnv
from goldgriff.envs.vector import SingleAgentVectorEnv
from goldgriff.eval.tournament.config import tournament_config
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.matches import play_games

SPELLINGS = {
    "auruxxx": [
        "auruxxx",
        "auruxxx_v0",
        "Auruxxx",
        " AURUXXX_V0 ",
        "Auruxxx-v0",
        "goldgriff/Auruxxx-v0",
        "Auruxxx - Die Goldene 12",
    ],
    "gluecksgriff": ["gluecksgriff", "gluecksgriff_v1", "Glücksgriff", "Glu\u0308cksgriff"],
}
AURUXXX = gg.get_game("auruxxx")
TYPED = {
    "auruxxx": (registration.AuruxxxName, registration.AuruxxxSettings),
    "gluecksgriff": (registration.GluecksgriffName, registration.GluecksgriffSettings),
}


def test_a_mistyped_name_in_a_module_has_a_suggestion() -> None:
    with pytest.raises(gg.AgentError, match=r"no attribute 'Fist' \(did you mean 'First'\?\)"):
        gg.load_agent("tests.players:Fist", "auruxxx")


def test_a_file_of_code_is_no_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("agent = None\n")
    with pytest.raises(gg.GoldgriffError, match=r"is code, no checkpoint: .*, mine:NAME"):
        gg.load_agent(str(tmp_path / "mine.py"), "auruxxx")


@pytest.mark.parametrize("name", TYPED)
def test_type_checkers_know_the_names_and_settings_of_a_game(name: str) -> None:
    names, options = TYPED[name]
    game = gg.get_game(name)
    assert {gg.get_game(each) for each in get_args(names)} == {game}
    assert {game.name, game.id} <= {*get_args(names)}
    declared = {entry.name: entry for entry in fields(game.settings)}
    assert {*options.__annotations__} == {*declared, "preset"} - {"num_players"}
    for setting, given in options.__annotations__.items():
        if setting in declared and "choices" in declared[setting].metadata and given is not bool:
            assert get_args(given) == declared[setting].metadata["choices"]
    assert {*get_args(options.__annotations__["preset"])} == {*game.settings.PRESETS}


@pytest.mark.parametrize(
    ("options", "env_class"),
    [
        (registration.AecOptions, CardGameEnv),
        (registration.VectorOptions, SingleAgentVectorEnv),
        (registration.SB3Options, SingleAgentVectorEnv),
    ],
)
def test_type_checkers_know_the_options_of_an_environment(options: Any, env_class: type) -> None:
    own = {*inspect.getfullargspec(env_class).kwonlyargs, "num_players"}
    beside = {"num_players"} if options is registration.AecOptions else set[str]()
    if options is registration.SB3Options:
        own = own - {"autoreset_mode"} | {"seed"}
    assert {*options.__annotations__} == own - beside


make: Any = gg.make  # type checkers refuse most of these calls, too
make_vec: Any = gg.make_vec


@pytest.mark.parametrize(
    ("name", "spelled"), [(name, one) for name, all_ in SPELLINGS.items() for one in all_]
)
def test_every_door_takes_a_game_as_people_write_it(name: str, spelled: str) -> None:
    game = gg.get_game(name)
    assert gg.get_game(spelled) is game
    assert repr(game) == f"Game({game.id})"
    assert make(spelled, num_players=3).match.game is game
    assert make_vec(spelled, num_envs=2, num_players=3).games.game is game
    assert gg.Match(spelled, {"num_players": 3}).game is game
    assert gg.Batch(spelled, None, 2).game is game
    assert gg.load_agent("expert", spelled).game is game
    config = tournament_config(spelled, ["a"], {"num_players": 3}, deals=2, seed=1)
    assert config.game is game
    assert fingerprint("champion", spelled) == fingerprint("champion", game) != ""
    assert find_base_policy("expert", spelled).name == "expert"


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: make("auruxx"), r"unknown game.*\(did you mean 'auruxxx'\?\)"),
        (lambda: make("auruxxx_v9"), r"unknown game 'auruxxx_v9' .*; there are auruxxx"),
        (lambda: gg.get_game(7), "unknown game 7; there are auruxxx, gluecksgriff$"),  # type: ignore[arg-type]
        (lambda: gg.load_agent("exprt", "auruxxx"), r"unknown agent.*\(did you mean 'expert'\?\)"),
        (lambda: make("auruxxx", round=1), r"'round' \(did you mean 'rounds'\?\); settings are"),
        (lambda: make("auruxxx", rules={"rounds": 1}), r"each setting .* as in rounds=1$"),
        (lambda: make("auruxxx", opponents="expert"), "make_vec has opponents$"),
        (lambda: make_vec("auruxxx", render_mode="ansi"), "make has a render_mode$"),
        (
            lambda: gg.train_agent("auruxxx", "ppo", rounds=1),
            r"setting of the game.*--rules rounds=",
        ),
        (lambda: make("auruxxx", preset="web2"), r"unknown preset.*\(did you mean 'web'\?\)"),
        (lambda: make("auruxxx", edition="germn"), r"edition must.*\(did you mean 'german'\?\)"),
        (lambda: make("auruxxx", reward="wins"), r"unknown reward.*\(did you mean 'win'\?\)"),
        (lambda: make_vec("auruxxx", 2, opponents="exprt"), "unknown agent 'exprt'"),
        (
            lambda: gg.train_agent("auruxxx", "pp"),  # type: ignore[arg-type]
            r"unknown algorithm 'pp'.*\(did you mean 'ppo'\?\)",
        ),
        (lambda: gg.train_agent("auruxxx", "ppo", lerning_rate=1), "did you mean 'learning_rate'"),
    ],
    ids=range(15),
)
def test_an_unknown_name_is_answered_with_what_there_is(ask: Any, message: str) -> None:
    with pytest.raises(gg.GoldgriffError, match=message):
        ask()


@pytest.mark.parametrize(
    "name", ["x" * 5000, "x" * 5000 + ":Agent", "a/" * 3000, "/dev/null/" + "x" * 72]
)
def test_messages_quote_at_most_80_characters(name: str) -> None:
    result = gg.play_tournament("auruxxx", ["random"], num_players=2, deals=2, rules={"rounds": 1})
    for ask in (
        lambda: gg.train_agent("auruxxx", "ppo", total_timesteps=10, out=name),
        lambda: gg.load_agent(name, "auruxxx"),
        lambda: gg.play_tournament("auruxxx", ["random"], deals=2, out=name),
        lambda: gg.load_agent("champion", "auruxxx").save_pretrained(name),
        lambda: result.save(name),
    ):
        with pytest.raises(gg.GoldgriffError) as raised:
            ask()
        assert max(map(len, str(raised.value).split())) <= 80
        assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_the_public_names_are_there() -> None:
    assert dir(gg) == sorted(gg.__all__)
    for name in gg.__all__:
        assert getattr(gg, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'tain'"):
        _ = gg.tain  # type: ignore[attr-defined]


# --- Environments ---------------------------------------------------------------------------------


def test_a_spec_survives_json() -> None:
    options: dict[str, Any] = {
        "opponents": ["expert", "random"],
        "num_players": 3,
        "reward": "rank",
    }
    env = gymnasium.make("goldgriff/Auruxxx-v0", **options)
    assert env.spec is not None
    text = env.spec.to_json()
    assert json.loads(text)["kwargs"]["opponents"] == ["expert", "random"]
    again = gymnasium.make(EnvSpec.from_json(text))
    for one in (env, again):
        one.reset(seed=3)
    assert (env.step(0)[0] == again.step(0)[0]).all()
    envs = gymnasium.make_vec(EnvSpec.from_json(text), num_envs=2)
    assert envs.reset(seed=3)[0].shape[0] == 2


def test_all_seats_of_a_vector_environment() -> None:
    """Every decision is the learner's: the games are those of a `Match` with the same seeds."""
    envs = gg.make_vec("auruxxx", 3, num_players=3, player="all", rounds=1)
    observations, infos = envs.reset(seed=1)
    matches = [gg.Match("auruxxx", {"num_players": 3, "rounds": 1}) for _ in range(3)]
    for row, match in enumerate(matches):
        match.start(int(envs.games.batches[0].states["seed"][row]))
    rng, terminated = np.random.default_rng(1), np.zeros(3, np.bool_)
    while not terminated.any():
        for row, match in enumerate(matches):
            assert infos["current_player"][row] == match.current_player
            assert (observations[row] == match.observation).all()
            assert (infos["action_mask"][row] == match.mask).all()
        acting = infos["current_player"]
        actions = (infos["action_mask"] * rng.random((3, len(AURUXXX.actions)))).argmax(axis=1)
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        assert not truncated.any()
        for row, match in enumerate(matches):
            match.act(int(actions[row]))
            assert infos["rewards"][row].tolist() == match.rewards.tolist()
            assert rewards[row] == match.rewards[acting[row]]
    row = int(terminated.argmax())
    assert infos["final_info"]["scores"][row].tolist() == matches[row].scores
    last, _ = matches[row].observe(int(acting[row]))
    assert (infos["final_obs"][row] == AURUXXX.observation_spec.to_float(last[0])).all()


def test_all_seats_of_a_single_environment() -> None:
    env = SingleAgentEnv.make("auruxxx", num_players=3, player="all", rounds=1)
    env.reset(seed=1)
    match = env.match
    done, seats, rng = False, set(), np.random.default_rng(1)
    while not done:
        assert env.player == match.current_player
        seats.add(env.player)
        assert (env.action_masks() == match.mask).all()
        seat, action = env.player, int(rng.choice(np.flatnonzero(match.mask)))
        observation, reward, done, _, info = env.step(action)
        match.act(action)
        assert reward == match.rewards[seat]
        assert info["rewards"].tolist() == match.rewards.tolist()
        if not done:
            assert (observation == match.observation).all()
    assert seats == {0, 1, 2}
    with pytest.raises(gg.SettingsError, match="player='all' leaves no seat for opponents"):
        SingleAgentEnv.make("auruxxx", player="all", opponents="random")


# --- act_on ---------------------------------------------------------------------------------------


def played(env: CardGameEnv, agent: gg.Agent, seed: int) -> list[int]:
    """Return the moves of a game in which an agent plays all seats."""
    env.reset(seed=seed)
    for _ in env.agent_iter():
        _, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else agent.act_on(env))
    return env.match.moves


@pytest.mark.parametrize("name", ["random", "champion", "search+champion@4"])
def test_an_agent_acts_on_environments_and_matches_as_in_a_tournament(name: str) -> None:
    agent = gg.load_agent(name, "auruxxx")
    env = gg.make("auruxxx", num_players=2, rounds=1)
    moves = played(env, agent, 11)
    assert played(env, agent, 11) == moves
    match = gg.Match("auruxxx", env.match.settings)
    match.start(11)
    while not match.over:
        match.act(agent.act_on(match))
    assert match.moves == moves
    players, seeds = [Player(name, agent)], np.array([11], np.uint64)
    seating = np.zeros((1, 2), np.int64)
    outcomes = play_games(AURUXXX, env.match.settings, players, seating, seeds)
    assert outcomes.actions.tolist() == moves


def test_a_single_agent_environment_asks_for_the_learners_action() -> None:
    """The learner's own agent in its seat and the same agent around it: the game of a `Match`."""
    agent = gg.load_agent("random", "auruxxx")
    env = gymnasium.make(
        "goldgriff/Auruxxx-v0", opponents="random", num_players=3, rounds=1, player=1
    )
    env.reset(seed=4)
    done = False
    while not done:
        action = agent.act_on(env)
        assert type(action) is int
        _, _, done, _, _ = env.step(action)
    inner = env.unwrapped
    assert isinstance(inner, SingleAgentEnv)
    match = gg.Match("auruxxx", {"num_players": 3, "rounds": 1})
    match.start(int(inner.games.batches[0].states["seed"][0]))
    while not match.over:
        match.act(agent.act_on(match))
    assert match.moves == inner.match.moves
    with pytest.raises(gg.MoveError, match="the episode is over"):
        agent.act_on(env)


def test_acting_where_nothing_can_be_decided_is_refused() -> None:
    agent = gg.load_agent("random", "auruxxx")
    with pytest.raises(gg.ResetError, match="reset starts one"):
        agent.act_on(gg.make("auruxxx"))
    with pytest.raises(gg.ResetError, match="reset starts one"):
        agent.act_on(gymnasium.make("goldgriff/Auruxxx-v0"))
    with pytest.raises(gg.MoveError, match="has not been started"):
        agent.act_on(gg.Match("auruxxx"))
    with pytest.raises(gg.GoldgriffError, match=r"act_on takes a Match, .* not int"):
        agent.act_on(3)
    other = gg.make("gluecksgriff")
    other.reset(seed=1)
    with pytest.raises(gg.AgentError, match="plays auruxxx, not gluecksgriff"):
        agent.act_on(other)
    with pytest.raises(gg.AgentError, match="plays auruxxx, not gluecksgriff"):
        gg.load_agent(agent, "gluecksgriff")
    env = gg.make("auruxxx")
    env.reset(seed=1)
    wrong = gg.load_agent(lambda *_: 10**6, "auruxxx")
    with pytest.raises(gg.AgentError, match="there is no action 1000000"):
        wrong.act_on(env)
    assert env.match.moves == []


def test_a_pettingzoo_wrapper_hides_no_environment() -> None:
    env = pettingzoo.utils.wrappers.OrderEnforcingWrapper(gg.make("auruxxx"))
    env.reset(seed=1)
    assert gg.load_agent("expert", "auruxxx").act_on(env) in range(len(AURUXXX.actions))
