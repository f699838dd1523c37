"""Scripted agents of Auruxxx, and the files of its champion."""

from functools import partial

from ....envs.policy import CompiledPolicy
from ...registry import register_agents
from .expert import expert
from .styles import bluffer, builder, dealer, hoarder, saver, thief

_SCRIPTED = {
    "expert": (expert, "values every lay, theft and swap in points, by the tips of all styles"),
    "hoarder": (hoarder, "draws until it holds a Golden 12"),
    "thief": (thief, "saves action cards, robs who is about to win"),
    "bluffer": (bluffer, "sheds fast and passes, Golden 12 or not"),
    "builder": (builder, "collects multiples and drops them at once"),
    "saver": (saver, "lays what costs most, wants the figure"),
    "dealer": (dealer, "grows a big hand, then swaps it away"),
}

register_agents(
    "auruxxx",
    {
        name: (partial(CompiledPolicy, play, deterministic=True), text)
        for name, (play, text) in _SCRIPTED.items()
    },
    champion=("auruxxx-2", "auruxxx-3", "auruxxx-4", "auruxxx-5-6"),
)
