"""The PettingZoo environment: its conventions, and what PettingZoo's own tests do not see."""

import copy
import json
import pickle
import warnings
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import goldgriff
from goldgriff.envs import auruxxx_v0, gluecksgriff_v1
from goldgriff.envs.aec import CardGameEnv
from goldgriff.envs.auruxxx.observation import OBSERVATION_SPEC
from goldgriff.envs.auruxxx.rules import ACTIONS, Settings
from goldgriff.envs.match import Match, replay
from goldgriff.errors import (
    GoldgriffError,
    MoveError,
    PositionError,
    ResetError,
    SettingsError,
)

# api_test warns about every dict observation, and of the all-zero masks of those not to move.
EXPECTED_WARNINGS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Observation numpy array is all zeros",
)


def play(
    env: CardGameEnv, seed: int, decisions: int = 10**6
) -> list[tuple[str, float, bool, bool]]:
    """Play at random; what `last` said of rewards and ends, decision by decision."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    told = []
    for agent in env.agent_iter(decisions):
        observation, reward, terminated, truncated, _ = env.last()
        told.append((agent, reward, terminated, truncated))
        if terminated or truncated:
            env.step(None)
        else:
            env.step(rng.choice(np.flatnonzero(observation["action_mask"])))
    return told


@pytest.mark.parametrize(
    ("module", "num_players"),
    [(auruxxx_v0, players) for players in range(2, 7)]
    + [(gluecksgriff_v1, players) for players in range(2, 6)],
)
def test_pettingzoo_finds_nothing_to_object_to(module: Any, num_players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", message=message)
        api_test(module.env(num_players=num_players), num_cycles=500)
        seed_test(lambda: module.env(num_players=num_players), num_cycles=200)
        render_test(lambda **mode: module.env(num_players=num_players, **mode))


def test_every_registry_makes_it() -> None:
    for env in (
        goldgriff.make("auruxxx_v0", num_players=3),
        pettingzoo.make("aec", "goldgriff/auruxxx_v0", num_players=3),
    ):
        env.reset(seed=1)
        assert env.agents == ["player_0", "player_1", "player_2"]
    with pytest.raises(
        GoldgriffError,
        match=r"unknown game 'chess_v6'; there are auruxxx, gluecksgriff",
    ):
        goldgriff.make("chess_v6")  # type: ignore[call-overload]
    with pytest.raises(GoldgriffError, match=r"'auruxxx_v9' \(.*\); there are auruxxx_v0, gluecks"):
        goldgriff.make("auruxxx_v9")  # type: ignore[call-overload]
    with pytest.raises(GoldgriffError, match=r"unknown game 'gluecksgriff_v0' \(.*_v1'\?\); there"):
        goldgriff.make("gluecksgriff_v0")  # type: ignore[call-overload]


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "7"])
def test_seeds_that_are_none_are_refused(seed: Any) -> None:
    with pytest.raises(SettingsError, match="seed must be a whole number from 0"):
        auruxxx_v0.raw_env().reset(seed=seed)


def test_numpys_whole_numbers_are_seeds_too() -> None:
    first, again = auruxxx_v0.raw_env(), auruxxx_v0.raw_env()
    numpys: Any = np.uint64(2**63 + 1)
    first.reset(seed=numpys)
    again.reset(seed=2**63 + 1)
    assert first.match.position() == again.match.position()
    assert json.loads(first.match.record())["seed"] == 2**63 + 1
    first.reset()
    again.reset()
    assert first.match.position() == again.match.position()


def test_the_number_of_players_may_come_first() -> None:
    assert len(auruxxx_v0.env(3).possible_agents) == 3


def test_seeds_decide_the_game() -> None:
    first, again, other = (auruxxx_v0.raw_env() for _ in range(3))
    first.reset(seed=4)
    again.reset(seed=4)
    other.reset(seed=5)
    assert first.match.position() == again.match.position() != other.match.position()


def test_resets_without_a_seed_follow_from_the_last_one_given() -> None:
    first, again = auruxxx_v0.raw_env(), auruxxx_v0.raw_env()
    deals = []
    for env in (first, again):
        env.reset(seed=4)
        env.reset()
        deals.append(env.match.position())
        env.reset()
        deals.append(env.match.position())
    assert deals[:2] == deals[2:]
    assert deals[0] != deals[1]
    fresh = [auruxxx_v0.raw_env(), auruxxx_v0.raw_env()]
    for env in fresh:
        env.reset()
    assert fresh[0].match.position() != fresh[1].match.position()


def test_a_turn_may_be_several_decisions_of_one_agent() -> None:
    env = auruxxx_v0.raw_env()
    env.reset(seed=1)
    current_players = []
    for move in ("draw", "draw", "end"):
        current_players.append(env.agent_selection)
        env.step(ACTIONS.index(move))
    assert [*current_players, env.agent_selection] == ["player_0"] * 3 + ["player_1"]


def test_only_the_mover_has_a_mask() -> None:
    env = auruxxx_v0.raw_env()
    env.reset(seed=1)
    masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
    legal = [ACTIONS[action] for action in np.flatnonzero(masks.pop("player_0"))]
    assert legal == env.match.legal
    assert not any(mask.any() for mask in masks.values())


def hide_and_reseed(
    match: Match, seat: int, rng: np.random.Generator, keep: str | None = None
) -> Match:
    """Another game that `seat` cannot tell from this one: what is hidden is dealt anew.

    Cards that the seat knows stay where they are. The mover keeps one card, if it is named.
    """
    position = match.position()
    kept: list[list[str]] = position["known"][seat]
    if keep is not None and keep not in kept[match.current_player]:
        kept[match.current_player].append(keep)
    hidden = position["pile"][:]
    for other, hand in enumerate(position["hands"]):
        if other != seat:
            hidden += (Counter(hand) - Counter(kept[other])).elements()
    shuffled = [str(card) for card in rng.permutation(hidden)]
    for other, hand in enumerate(position["hands"]):
        if other != seat:
            new = kept[other]
            position["hands"][other] = new + [shuffled.pop() for _ in hand[len(new) :]]
    position["known"] = [
        known if observer == seat else [[] for _ in known]
        for observer, known in enumerate(match.position()["known"])
    ]
    del position["aware"]
    position["pile"] = shuffled
    twin = Match(match.game, match.settings)
    twin.start(int(rng.integers(2**32)), position)
    return twin


def test_nothing_hidden_shows() -> None:
    """Two games that differ only in what a seat cannot know look the same to it."""
    rng = np.random.default_rng(0)
    compared = 0
    for seed in range(6):
        match = Match(auruxxx_v0.raw_env().match.game, Settings(num_players=2 + seed % 5))
        match.start(seed)
        while not match.over:
            for seat in range(match.settings.num_players):
                twin = hide_and_reseed(match, seat, rng)
                assert looks_alike(match, twin, seat)
                compared += 1
            for _ in range(11):
                if not match.over:
                    match.play(int(rng.choice(np.flatnonzero(match.mask))))
    assert compared > 500


def looks_alike(match: Match, twin: Match, seat: int) -> bool:
    """Whether a seat sees the same in two games."""
    looks = zip(match.observe(seat), twin.observe(seat), strict=True)
    return all((one == other).all() for one, other in looks)


def test_a_move_shows_nothing_else_that_is_hidden() -> None:
    """After the same move, too, games that differ in what a seat cannot know look the same to it.

    Above all, who is to move after a card laid by number hangs on no other card of its layer.
    """
    rng = np.random.default_rng(1)
    laid, asked_for_nothing = 0, 0
    for seed in range(5):
        match = Match(auruxxx_v0.raw_env().match.game, Settings(num_players=2 + seed % 5))
        match.start(seed)
        while not match.over:
            current_player = match.current_player
            lays = [move for move in match.legal if move.startswith("lay ") and move != "lay gold"]
            move = str(rng.choice(lays if lays and rng.random() < 0.5 else match.legal))
            if move in {"lay gold", "blessing", "steal"} or move.startswith("swap"):
                match.play(move)
                continue
            card = move.removeprefix("lay ") if move in lays else None
            seat = (current_player + int(rng.integers(1, match.settings.num_players))) % len(
                match.scores
            )
            twin = hide_and_reseed(match, seat, rng, keep=card)
            match.play(move)
            twin.play(move)
            if match.state.round_ended:
                continue
            assert match.current_player == twin.current_player
            assert match.position()["phase"] == twin.position()["phase"]
            assert looks_alike(match, twin, seat)
            laid += card is not None
            if card is not None and match.current_player == current_player:
                asked_for_nothing += (match.legal == ["end"]) != (twin.legal == ["end"])
    assert laid > 500
    assert asked_for_nothing > 50  # in one game only, and only the player asked sees in which


@pytest.mark.parametrize("rest", ["g8 v8", "g8 b0", "r0 y3", "gold gold", "steal swap"])
def test_who_is_to_move_after_a_lay_hangs_on_no_card_left_in_the_hand(rest: str) -> None:
    position = {"hands": [["r8", *rest.split()], ["b4", "b5"]], "discard": ["r7"]}
    env = auruxxx_v0.raw_env(num_players=2)
    env.reset(seed=1, options={"position": position})
    env.step(ACTIONS.index("lay r8"))
    assert (env.agent_selection, env.match.position()["phase"]) == ("player_0", "multiple")
    assert not env.observe("player_1")["action_mask"].any()


def test_infos_are_the_same_for_all_and_only_of_what_lies_open() -> None:
    env = auruxxx_v0.raw_env(rounds=1)
    play_to_last_decision(env)
    infos = list(env.infos.values())
    np.testing.assert_equal(infos, [infos[0]] * 4)
    assert set(infos[0]) == {
        "illegal",
        "round_ended",
        "round_winner",
        "round_points",
        "score_sheet",
        "scores",
        "capped_rounds",
        "win_shares",
    }


def play_to_last_decision(env: CardGameEnv, seed: int = 2) -> None:
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    while not env.match.over:
        env.step(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))


def test_the_observation_says_what_its_slices_promise() -> None:
    position = {
        "hands": [["r7", "gold", "gold"], ["b0"] * 2, ["y50", "swap"]],
        "discard": ["rH", "steal"],
        "current_player": 1,
        "drawn": 1,
        "acted": 1,
        "figure": 2,
        "crosses": [1, 0, 3],
        "scores": [10, -4, 0.5],
        "round": 2,
    }
    env = auruxxx_v0.raw_env(num_players=3)
    env.reset(seed=1, options={"position": position})
    seen = env.observe("player_2")["observation"]
    values = {
        entry.name: seen[OBSERVATION_SPEC.range(entry.name)] * entry.scale
        for entry in OBSERVATION_SPEC
    }

    def ones(name: str) -> list[int]:
        return [int(place) for place in np.flatnonzero(values[name])]

    cards = [str(name) for name in env.match.position()["hands"][2]]
    assert cards == ["y50", "swap"]
    assert ones("hand") == [66, 78]
    assert ones("top") == [77]
    assert ones("discard") == [70, 77]
    assert values["hand_sizes"].tolist() == [2, 3, 2, 0, 0, 0]  # from player_2 clockwise
    assert np.round(values["crosses"]).tolist() == [3, 1, 0, 0, 0, 0]
    assert values["scores"].tolist() == [32, 37, 30, 0, 0, 0]
    assert ones("figure") == [0]
    assert ones("players") == [1]
    assert ones("current_player") == [2]
    assert ones("phase") == [0]
    assert values["drawn"].tolist() == [1]
    assert values["acted"].tolist() == [1]
    assert values["demand"].tolist() == [0]
    assert np.round(values["pile"]).tolist() == [151]
    assert values["rounds_left"].tolist() == [1]


def test_observations_stay_within_their_space() -> None:
    env = auruxxx_v0.raw_env(num_players=2)
    for seed in range(3):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while not env.match.over:
            observation = env.last()[0]
            assert env.observation_space(env.agent_selection).contains(observation)
            env.step(rng.choice(np.flatnonzero(observation["action_mask"])))


@pytest.mark.parametrize("reward", ["points", "win"])
def test_every_agent_gets_all_that_the_rounds_brought_it(reward: str) -> None:
    env = auruxxx_v0.raw_env(num_players=3, reward=reward)
    for seed in range(5):
        told = play(env, seed)
        earned = dict.fromkeys(env.possible_agents, 0.0)
        for agent, paid, _, _ in told:
            earned[agent] += paid
        scores, shares = env.match.scores, env.match.win_shares()
        for seat, agent in enumerate(env.possible_agents):
            others = (sum(scores) - scores[seat]) / 2
            expected = (
                (others - scores[seat]) / 100 if reward == "points" else (3 * shares[seat] - 1) / 2
            )
            assert earned[agent] == pytest.approx(expected, abs=1e-5)
        assert sum(earned.values()) == pytest.approx(0, abs=1e-5)


def test_points_are_paid_when_a_round_ends_and_the_win_at_the_end() -> None:
    for reward, times in (("points", 3), ("win", 1)):
        env = auruxxx_v0.raw_env(reward=reward)
        env.reset(seed=3)
        rng = np.random.default_rng(3)
        paid = 0
        while not env.match.over:
            env.step(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))
            paid += any(env.rewards.values())
        assert paid == times


def test_a_cap_shows_as_truncation_and_an_end_as_termination() -> None:
    capped = play(auruxxx_v0.raw_env(max_decisions=20), 1)
    ended = play(auruxxx_v0.raw_env(), 1)
    assert [told[2:] for told in capped[-4:]] == [(False, True)] * 4
    assert [told[2:] for told in ended[-4:]] == [(True, False)] * 4


@pytest.mark.parametrize(
    "action", [-1, len(ACTIONS), ACTIONS.index("take"), None, 1.5, "draw", True]
)
def test_a_wrong_action_is_named_and_changes_nothing(action: Any) -> None:
    env = auruxxx_v0.raw_env()
    env.reset(seed=1)
    env.step(ACTIONS.index("draw"))
    before = env.match.state.tobytes(), env.match.moves[:], env.agent_selection, env.infos
    for wrong in (action, 10**5000):
        with pytest.raises(MoveError):
            env.step(wrong)
    assert (env.match.state.tobytes(), env.match.moves, env.agent_selection, env.infos) == before
    env.step(ACTIONS.index("draw"))


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.step(0),
        lambda env: env.last(),
        lambda env: env.observe("player_0"),
        lambda env: env.render(),
        lambda env: env.state(),
        lambda env: next(iter(env.agent_iter())),
    ],
)
@pytest.mark.parametrize("render_mode", [None, "ansi", "human", "rgb_array"])
def test_before_the_first_reset_there_is_no_game(use: Any, render_mode: str | None) -> None:
    env = auruxxx_v0.env(render_mode=render_mode)
    for made in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        with pytest.raises(ResetError, match="there is no game yet: reset starts one"):
            use(made)
        for name in ("agents", "num_agents", "agent_selection", "rewards", "terminations"):
            assert not hasattr(made, name)
        assert not hasattr(made, "truncations")
        assert not hasattr(made, "infos")


@pytest.mark.parametrize("options", [5, "x", [1]])
def test_options_that_are_no_dict_are_refused(options: Any) -> None:
    envs: list[Any] = [
        auruxxx_v0.env(),
        gymnasium.make("goldgriff/Auruxxx-v0"),
        gymnasium.make_vec("goldgriff/Auruxxx-v0", num_envs=2),
    ]
    for env in envs:
        with pytest.raises(PositionError, match="options must be a dict, not"):
            env.reset(options=options)


def test_a_loop_over_the_agents_must_step() -> None:
    env = auruxxx_v0.env()
    env.reset(seed=1)
    turns = iter(env.agent_iter())
    next(turns)
    env.last()
    with pytest.raises(MoveError, match="must call step or reset each time"):
        next(turns)


def test_a_loop_over_the_agents_may_reset_and_ends_after_so_many() -> None:
    env = auruxxx_v0.env()
    env.reset(seed=1)
    asked = 0
    for _ in env.agent_iter(max_iter=5):
        env.reset(seed=1)
        asked += 1
    assert asked == 5


def test_what_is_given_out_can_be_overwritten() -> None:
    """An agent that writes into its observation changes neither the game nor the next look."""
    env = auruxxx_v0.env()
    env.reset(seed=1)
    for agent in env.agents:
        seen, again = env.observe(agent), env.observe(agent)
        for name in seen:
            seen[name] += 1
            assert (env.observe(agent)[name] == again[name]).all()


def test_nothing_can_be_played_after_the_end() -> None:
    env = auruxxx_v0.raw_env(rounds=1)
    play(env, 1)
    assert env.agents == []
    with pytest.raises(MoveError, match="the game is over"):
        env.step(0)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_is_equal_and_independent(duplicate: Any) -> None:
    env = auruxxx_v0.env()
    rng = np.random.default_rng(0)
    env.reset(seed=7)
    for _ in range(200):
        env.step(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))
    twin = duplicate(env)
    before = env.unwrapped.match.state.copy()
    moves = []
    while not twin.unwrapped.match.over:
        observation = twin.last()[0]
        moves.append(rng.choice(np.flatnonzero(observation["action_mask"])))
        twin.step(moves[-1])
    assert env.unwrapped.match.state == before
    for move in moves:
        env.step(move)
    assert env.unwrapped.match.state == twin.unwrapped.match.state
    assert env.last()[1] == twin.last()[1]


def test_reset_takes_a_position() -> None:
    position = {"hands": [["gold"], ["r5", "r6"]], "discard": ["b4"], "scores": [40, 1]}
    env = auruxxx_v0.raw_env(num_players=2, rounds=1)
    env.reset(seed=1, options={"position": position})
    env.step(ACTIONS.index("lay gold"))
    assert env.infos["player_0"]["round_points"] == [-5, 11]
    assert env.infos["player_0"]["scores"] == [35, 12]
    assert env.infos["player_0"]["win_shares"] == [0, 1]


def test_a_refused_position_leaves_the_game_as_it_was() -> None:
    env = auruxxx_v0.raw_env(num_players=2)
    env.reset(seed=1)
    before = env.match.position()
    with pytest.raises(PositionError, match="3 times r5, the deck has 2"):
        env.reset(options={"position": {"hands": [["r5"] * 3, []], "discard": ["b4"]}})
    assert env.match.position() == before


def test_the_game_so_far_can_be_recorded() -> None:
    env = auruxxx_v0.raw_env(edition="italian")
    play(env, 6)
    again = replay(env.match.record())
    assert again.state.tobytes() == env.match.state.tobytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 1}, "num_players must be a whole number from 2 to 6, not 1"),
        ({"num_players": 7}, "num_players must be a whole number from 2 to 6, not 7"),
        ({"num_players": 2.0}, "num_players must be a whole number"),
        ({"rounds": 0}, "rounds must be"),
        ({"edition": "french"}, "edition must be 'german' or 'italian' or 'web', not"),
        ({"golden_twelves": 0}, "golden_twelves must be"),
        ({"hand_size": 40}, "4 hands of 40 cards need a deck with more than 160"),
        ({"number_copies": 3}, "the deck has 225 cards; at most 160"),
        ({"colour": 3}, r"'colour' \(did you mean 'colours'\?\); settings are num_players"),
        ({"reward": "money"}, "unknown reward 'money'; there are points, win, rank"),
        ({"knowledge": 1}, "knowledge must be True or False, not 1"),
        ({"render_mode": "rgb"}, "render_mode must be None or one of 'ansi', 'human', 'rgb_array'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        auruxxx_v0.env(**options)


@pytest.mark.parametrize("module", [auruxxx_v0, gluecksgriff_v1])
def test_knowledge_is_an_option_of_observations(module: Any) -> None:
    """It is what the table says the agent knows; the rest of the observation stays as it was."""
    env, plain = module.env(num_players=3, knowledge=True), module.env(num_players=3)
    env.reset(seed=4)
    plain.reset(seed=4)
    rng, knew = np.random.default_rng(1), 0
    for agent in env.agent_iter(400):
        seen, _, over, capped, _ = env.last()
        if over or capped:
            break
        assert env.observation_space(agent).contains(seen)
        without = plain.observe(agent)
        assert seen.keys() - without.keys() == {"known"}
        assert all((seen[key] == without[key]).all() for key in without)
        np.testing.assert_array_equal(
            seen["known"], env.match.known_cards(env.possible_agents.index(agent))
        )
        knew += int(seen["known"].sum())
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        env.step(action)
        plain.step(action)
    assert knew > 0


def test_a_seat_that_there_is_not_is_refused() -> None:
    env = auruxxx_v0.env(num_players=3)
    env.reset(seed=1)
    for ask in (env.match.known_cards, env.match.information_state, env.match.observe):
        for seat in (-1, 3):
            with pytest.raises(MoveError, match=f"seat must be from 0 to 2, not {seat}"):
                ask(seat)


def test_the_table_can_be_read() -> None:
    env = auruxxx_v0.env(num_players=2, render_mode="ansi")
    env.reset(
        seed=1,
        options={
            "position": {
                "hands": [["r7", "gold"], ["b50"]],
                "discard": ["g3", "r6"],
                "figure": 1,
                "crosses": [0, 2],
            }
        },
    )
    assert str(env.render()).splitlines() == [
        "Auruxxx   round 1 of 3   pile 155   discard r6 on 1",
        "> player_0: 2 cards, 0 points",
        "      r7 gold  (19)",
        "  player_1: 1 card, 0 points, passed xx, figure",
        "      b50  (50)",
        "player_0 has drawn 0 of 2. Legal: draw, pass, lay r7",
    ]
    assert "gold" not in env.unwrapped.match.draw(1)
    for show in (env.unwrapped.match.draw, env.unwrapped.match.picture):
        with pytest.raises(MoveError, match="seat must be from 0 to 1, not 2"):
            show(2)


def test_human_mode_prints_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = auruxxx_v0.env(render_mode="human")
    env.reset(seed=1)
    env.step(ACTIONS.index("draw"))
    printed = capsys.readouterr().out
    assert printed.count("Auruxxx   round 1 of 3") == 2
    assert "player_0 has drawn 1 of 2." in printed


class AllEnvironments:
    """One environment of each kind."""

    def __init__(self) -> None:
        self.aec = goldgriff.make("auruxxx")
        self.single = goldgriff.registration.single_agent_env("auruxxx")
        self.vector = goldgriff.make_vec("auruxxx", num_envs=3)

    def reset(self, seed: int | None = None) -> None:
        """Reset all of them."""
        for env in (self.aec, self.single, self.vector):
            env.reset(seed=seed)


def test_resets_without_a_seed_draw_all_64_bits_anew() -> None:
    """A first hand tells a seed of 32 bits in minutes, but not one of 64, nor that of the next."""
    envs = AllEnvironments()
    seeds: list[list[int]] = []
    for _ in range(12):
        envs.reset()
        rows = (envs.single.games.row_seeds[0], *envs.vector.games.row_seeds)
        seeds.append([int(seed) for seed in (envs.aec.match.state.seed, *rows)])
    assert len({seed for row in seeds for seed in row}) == 12 * 5
    assert min(map(max, zip(*seeds, strict=True))) >= 2**56


def test_resets_go_on_from_a_seed_that_was_given() -> None:
    envs = AllEnvironments()
    seen: list[list[int]] = []
    for _ in range(2):
        envs.reset(7)
        envs.reset()
        played = (envs.aec.match.state.seed, envs.single.match.state.seed)
        seen.append([int(seed) for seed in (*played, *envs.vector.games.column("seed"))])
    assert seen[0] == seen[1]
