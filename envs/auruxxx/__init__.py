"""Auruxxx - Die Goldene 12, as a game that the shared doors can open."""

from goldgriff.envs.auruxxx.game import apply, begin
from goldgriff.envs.auruxxx.legal import list_legal
from goldgriff.envs.auruxxx.observe import SLICES, observe
from goldgriff.envs.auruxxx.rules import ACTIONS, Settings
from goldgriff.envs.auruxxx.state import State
from goldgriff.envs.auruxxx.statistics import ENDINGS, STATISTICS, tally
from goldgriff.envs.auruxxx.text import draw_table, read_position, write_position
from goldgriff.envs.core.game import Game

AURUXXX = Game(
    name="auruxxx",
    title="Auruxxx - Die Goldene 12",
    version=0,
    settings=Settings,
    state=State,
    actions=ACTIONS,
    slices=SLICES,
    begin=begin,
    list_legal=list_legal,
    apply=apply,
    observe=observe,
    read_position=read_position,
    write_position=write_position,
    draw_table=draw_table,
    statistics=STATISTICS,
    endings=ENDINGS,
    tally=tally,
)
