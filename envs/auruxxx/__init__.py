"""Auruxxx - Die Goldene 12, as a game that the shared doors can open."""

from ..engine.game import Game
from ..engine.knowledge import get_known_cards, set_known_cards
from .determinization import sample_state, to_information_state
from .legal import list_legal
from .observation import OBSERVATION_SPEC, observe
from .render import draw_table, show_table
from .rounds import begin
from .rules import ACTIONS, CARDS, Settings
from .serialization import read_position, write_position
from .state import State
from .statistics import ENDINGS, STATISTICS, tally
from .transitions import apply

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
