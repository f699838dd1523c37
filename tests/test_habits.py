"""The habits that a search deals worlds by: what players hold, counted in their own games."""

from typing import Any

import numpy as np
import pytest

from goldgriff.agents.scripted import find_adviser
from goldgriff.agents.search import habits, player
from goldgriff.agents.search.habits import DOUBT, LEAST, habits_of
from goldgriff.agents.search.tree import new_room
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.core.batch import Batch, derive_seeds
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.policy import Views
from goldgriff.envs.core.table import Table
from goldgriff.envs.core.worlds import SURE, Odds
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF

both_games = pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=lambda game: game.name)


def counted(game: Game, **rules: Any) -> Odds:
    """The habits of the expert."""
    batch = Batch(game, game.settings.from_dict(rules), 1)
    batch.start([77])
    room = new_room(batch.games, game.slices.size, len(game.actions))
    return habits_of(batch.games, len(game.cards), room, find_adviser("expert", game).policy.choose)


@both_games
def test_they_are_what_others_hold_of_what_is_not_seen(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the same games at a table, counted with what the table says that a seat knows."""
    monkeypatch.setattr(habits, "GAMES", 2)
    expert, rules = find_adviser("expert", game).policy, {"num_players": 3}
    held, unseen = np.zeros(len(game.cards)), np.zeros(len(game.cards))
    table = Table(game, game.settings.from_dict(rules))
    for seed in derive_seeds(0, 2):
        table.start(int(seed))
        while not table.over:
            state, seat = table._games[0], table.mover
            others = [(seat + steps) % 3 for steps in (1, 2)]
            hands = state["hands"][others].astype(int).sum(axis=0) - table.known(seat).sum(axis=0)
            slots = state["slots"][: state["deck_size"]]
            held += hands
            unseen += hands + np.bincount(slots[slots < 128], minlength=len(game.cards))
            views = Views(game, table.features[None], table.mask[None], derive_seeds(1, 1))
            table.play(game.actions[expert.act(views)[0]])
    shares = (held + DOUBT * held.sum() / unseen.sum()) / (unseen + DOUBT)
    odds = shares / (1 - shares)
    wanted = np.maximum(odds / odds.max(), LEAST)
    np.testing.assert_allclose(counted(game, **rules) / SURE, wanted, rtol=1e-6)


def test_cards_that_are_soon_played_are_seldom_held() -> None:
    def odds_of(game: Game, card: str) -> float:
        return float(counted(game)[game.cards.index(card)] / SURE)

    assert odds_of(AURUXXX, "r50") < odds_of(AURUXXX, "r12") < 0.5 < odds_of(AURUXXX, "r0")
    assert odds_of(AURUXXX, "gold") == 1
    assert odds_of(GLUECKSGRIFF, "joker") < odds_of(GLUECKSGRIFF, "14") < 0.5
    assert odds_of(GLUECKSGRIFF, "0") > 0.9


def test_a_search_counts_them_once_for_all_games_of_the_same_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def count(like: Any, cards: int, *rest: Any) -> Odds:
        asked.append(int(like["num_players"][0]))
        return habits_of(like, cards, *rest)

    monkeypatch.setattr(player, "habits_of", count)
    monkeypatch.setattr(habits, "GAMES", 2)
    search = player.Search(find_adviser("expert", AURUXXX).policy, iterations=1)
    for players in (3, 4, 3):
        table = Table(AURUXXX, AURUXXX.settings(num_players=players))
        for seed in (1, 2):
            table.start(seed)
            for _ in range(9):
                search._habits(AURUXXX, table.hidden(table.mover))
                table.play(table.legal[0])
    assert asked == [3, 4]
