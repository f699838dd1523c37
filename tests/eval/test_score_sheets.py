"""Score sheets of tournaments: as the games wrote them, in the store, results and reports."""

from collections import Counter, defaultdict
from dataclasses import replace

import pytest

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.match import Match
from goldgriff.eval.report.report import summary
from goldgriff.eval.report.tables import report_tables
from goldgriff.eval.tournament.config import TournamentConfig, tournament_config
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.replay import StoredGame, read_game
from goldgriff.eval.tournament.store import Store
from goldgriff.eval.tournament.tournament import run_tournament

from ..players import Cheat, Moody
from .small import EXPERT, players_of, small_config

both_games = pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=lambda game: game.name)


SETTINGS = {"auruxxx": {"rounds": 2}, "gluecksgriff": {"point_limit": 60}}


def config_of(game: Game, *agents: str) -> TournamentConfig:
    settings = game.settings.from_dict({"num_players": 3, **SETTINGS[game.name]})
    return tournament_config(game, agents, settings, deals=10, seed=3)


def means_by_hand(store: Store, games: int) -> tuple[dict[str, dict[str, float]], Counter[str]]:
    """Means by agent and entry of all games that were not forfeited, and the rounds of each."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    rounds: Counter[str] = Counter()
    for number in range(1, games + 1):
        stored = read_game(store, number)
        match = played_again(stored)
        for sheet in match.score_sheet if stored.forfeiter is None else []:
            rounds.update(stored.names)
            for agent, entries in zip(stored.names, sheet, strict=True):
                sums[agent].update(entries)
    return {
        agent: {name: points / rounds[agent] for name, points in entries.items()}
        for agent, entries in sums.items()
    }, rounds


def played_again(stored: StoredGame) -> Match:
    match = Match(stored.game, stored.settings)
    match.start(stored.seed)
    for action in stored.actions:
        match.act(action)
    return match


@both_games
def test_results_have_the_means_of_what_was_written(game: Game) -> None:
    third = {"auruxxx": "random", "gluecksgriff": "early"}[game.name]  # somebody calls wrongly
    config = config_of(game, "expert", "random", third)
    with Store.create(None, game, dict(config.rules)) as store:
        results = run_tournament(config, players_of(config), store=store)
        expected, rounds = means_by_hand(store, results.games)
    (one,) = results.by_player_count
    for standing in one.standings:
        means = one.score_sheet[standing.name]
        assert means == pytest.approx(expected[standing.name])
        assert list(means) == list(game.score_sheet)
        assert standing.points is not None
        total = sum(means.values()) * rounds[standing.name] / standing.games
        total /= config.agents.count(standing.name)
        assert total == pytest.approx(standing.points.mean)
    assert all(any(expected[agent][name] for agent in expected) for name in game.score_sheet)
    assert summary(results)["by_player_count"]["3"]["score_sheet"] == one.score_sheet


def test_forfeited_games_are_left_out() -> None:
    config = config_of(AURUXXX, "expert", "moody", "cheat")
    players = [EXPERT, Player("moody", Moody()), Player("cheat", Cheat())]
    with Store.create(None, AURUXXX, dict(config.rules)) as store:
        results = run_tournament(config, players, store=store)
        assert results.by_player_count[0].score_sheet == {"expert": {}, "moody": {}, "cheat": {}}
    config = config_of(AURUXXX, "expert", "expert", "moody")
    with Store.create(None, AURUXXX, dict(config.rules)) as store:
        results = run_tournament(config, players[:2], store=store)
        assert 0 < sum(one.games for one in results.forfeits) < results.games
        expected, _ = means_by_hand(store, results.games)
    found = results.by_player_count[0].score_sheet
    assert found == {agent: pytest.approx(means) for agent, means in expected.items()}


def test_the_report_has_a_table_of_it() -> None:
    config = small_config("expert", "random", game=GLUECKSGRIFF, deals=10)
    results = run_tournament(config, players_of(config))
    (table,) = [one for one in report_tables(results) if one.title == "3 players: score sheet"]
    assert table.headings == ["agent", "hand", "wrong call", "halving", "points"]
    assert "wrong call: 30 for a wrong call (G8.4)" in table.note
    means = results.by_player_count[0].score_sheet["expert"]
    row = next(row for row in table.rows if row[0] == "expert")
    assert row[1:] == [f"{mean:,.1f}" for mean in (*means.values(), sum(means.values()))]
    without = replace(results.by_player_count[0], score_sheet={"expert": {}, "random": {}})
    titles = [one.title for one in report_tables(replace(results, by_player_count=[without]))]
    assert "3 players: score sheet" not in titles
