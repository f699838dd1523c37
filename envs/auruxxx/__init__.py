"""Auruxxx - Die Goldene 12, as a game that the shared doors can open."""

from goldgriff.envs.auruxxx.game import apply, begin
from goldgriff.envs.auruxxx.knowledge import teach, tell_known
from goldgriff.envs.auruxxx.legal import list_legal
from goldgriff.envs.auruxxx.observe import SLICES, observe
from goldgriff.envs.auruxxx.render import draw_table, show_table
from goldgriff.envs.auruxxx.rules import ACTIONS, CARDS, Settings
from goldgriff.envs.auruxxx.state import State
from goldgriff.envs.auruxxx.statistics import ENDINGS, STATISTICS, tally
from goldgriff.envs.auruxxx.text import read_position, write_position
from goldgriff.envs.auruxxx.worlds import fill, hide
from goldgriff.envs.core.game import Game

AURUXXX = Game(
    name="auruxxx",
    title="Auruxxx - Die Goldene 12",
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
