"""Glücksgriff, as a game that the shared doors can open."""

from goldgriff.envs.core.game import Game
from goldgriff.envs.gluecksgriff.game import apply
from goldgriff.envs.gluecksgriff.knowledge import teach, tell_known
from goldgriff.envs.gluecksgriff.legal import list_legal
from goldgriff.envs.gluecksgriff.observe import SLICES, observe
from goldgriff.envs.gluecksgriff.render import draw_table, show_table
from goldgriff.envs.gluecksgriff.rounds import begin
from goldgriff.envs.gluecksgriff.rules import ACTIONS, CARDS, Settings
from goldgriff.envs.gluecksgriff.state import State
from goldgriff.envs.gluecksgriff.statistics import ENDINGS, STATISTICS, tally
from goldgriff.envs.gluecksgriff.text import read_position, write_position
from goldgriff.envs.gluecksgriff.worlds import fill, hide

GLUECKSGRIFF = Game(
    name="gluecksgriff",
    title="Glücksgriff",
    version=0,
    settings=Settings,
    state=State,
    actions=ACTIONS,
    cards=CARDS,
    slices=SLICES,
    begin=begin,
    list_legal=list_legal,
    apply=apply,
    observe=observe,
    tell_known=tell_known,
    teach=teach,
    hide=hide,
    fill=fill,
    read_position=read_position,
    write_position=write_position,
    draw_table=draw_table,
    show_table=show_table,
    statistics=STATISTICS,
    endings=ENDINGS,
    tally=tally,
)
