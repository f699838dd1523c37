"""Auruxxx - Die Goldene 12, as a game that the shared doors can open."""

from goldgriff.envs.auruxxx.determinization import sample_state, to_information_state
from goldgriff.envs.auruxxx.knowledge import get_known_cards, set_known_cards
from goldgriff.envs.auruxxx.legal import list_legal
from goldgriff.envs.auruxxx.observation import OBSERVATION_SPEC, observe
from goldgriff.envs.auruxxx.render import draw_table, show_table
from goldgriff.envs.auruxxx.rules import ACTIONS, CARDS, Settings
from goldgriff.envs.auruxxx.serialization import read_position, write_position
from goldgriff.envs.auruxxx.state import State
from goldgriff.envs.auruxxx.statistics import ENDINGS, STATISTICS, tally
from goldgriff.envs.auruxxx.transitions import apply, begin
from goldgriff.envs.engine.game import Game

AURUXXX = Game(
    name="auruxxx",
    title="Auruxxx - Die Goldene 12",
    version=0,
    settings=Settings,
    state=State,
    actions=ACTIONS,
    cards=CARDS,
    observation_spec=OBSERVATION_SPEC,
    begin=begin,
    list_legal=list_legal,
    apply=apply,
    observe=observe,
    get_known_cards=get_known_cards,
    set_known_cards=set_known_cards,
    to_information_state=to_information_state,
    sample_state=sample_state,
    read_position=read_position,
    write_position=write_position,
    draw_table=draw_table,
    show_table=show_table,
    statistics=STATISTICS,
    endings=ENDINGS,
    tally=tally,
)
