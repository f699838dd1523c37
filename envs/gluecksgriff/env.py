"""Environments of Glücksgriff; docs/envs/gluecksgriff.md shows their actions and observations.

`env` makes the PettingZoo AEC environment (`CardGameEnv`, which needs no wrapper), `raw_env` the
same with `illegal="raise"`, `single_agent_env` gymnasium's of one learner (`SingleAgentEnv`), and
`single_agent_vector_env` its vector environment. All take their class's options and the game's
settings by name.
"""

from functools import partial

from ..aec import CardGameEnv
from ..single_agent import SingleAgentEnv
from ..vector import SingleAgentVectorEnv
from . import GLUECKSGRIFF

env = partial(CardGameEnv.make, GLUECKSGRIFF)
raw_env = partial(CardGameEnv.make, GLUECKSGRIFF, illegal="raise")
single_agent_env = partial(SingleAgentEnv.make, GLUECKSGRIFF)
single_agent_vector_env = partial(SingleAgentVectorEnv.make, GLUECKSGRIFF)
