"""Features of the actions and states of Auruxxx."""

from ..spec import FEATURE_SPECS, FeatureSpec
from .action_spec import ACTION_SPEC
from .actions import write_action_features
from .states import STATE_SPEC, write_state_features

FEATURE_SPECS["auruxxx"] = FeatureSpec(
    "auruxxx",
    ACTION_SPEC,
    write_action_features,
    STATE_SPEC,
    write_state_features,
    rounds_left=lambda states: states["rounds"] - states["round_index"],
)
