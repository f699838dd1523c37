"""Glücksgriff, as a game that the shared doors can open."""

from goldgriff.envs.engine.game import Game
from goldgriff.envs.gluecksgriff.determinization import sample_state, to_information_state
from goldgriff.envs.gluecksgriff.knowledge import get_known_cards, set_known_cards
from goldgriff.envs.gluecksgriff.legal import list_legal
from goldgriff.envs.gluecksgriff.observation import OBSERVATION_SPEC, observe
from goldgriff.envs.gluecksgriff.render import draw_table, show_table
from goldgriff.envs.gluecksgriff.rounds import begin
from goldgriff.envs.gluecksgriff.rules import ACTIONS, CARDS, Settings
from goldgriff.envs.gluecksgriff.serialization import read_position, write_position
from goldgriff.envs.gluecksgriff.state import State
from goldgriff.envs.gluecksgriff.statistics import ENDINGS, STATISTICS, tally
from goldgriff.envs.gluecksgriff.transitions import apply

GLUECKSGRIFF = Game(
    name="gluecksgriff",
    title="Glücksgriff",
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
