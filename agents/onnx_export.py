"""Trained networks in the ONNX format, for programs and machines without Python."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cli.options import import_extra
from ..envs.engine.game import Game, get_game
from ..envs.engine.preview import action_spec, state_spec
from ..envs.engine.reading import read_whole
from ..envs.policy import ObservationBatch
from ..errors import AgentError
from ..files import as_path, write_whole
from .callables import AgentLike
from .checkpoints import labels_of
from .ensemble import TrainedPolicy
from .mlp import Layer
from .network import GREEDY_SCALE, ActionValueNetwork, Network
from .registry import load_agent

OPSET, IR = 17, 8  # old enough for the runtimes of 2022
LOWEST = np.finfo(np.float32).min  # the logit of an illegal action


def export_onnx(
    agent: AgentLike, game: Game | str, path: str | Path, *, num_players: int | None = None
) -> Path:
    """Write a trained agent as an ONNX model, and return its path.

    Inputs, where `batch` is any number of decisions:

    - `observation`, float32 (batch, observation_spec.size), as environments give it;
    - `action_mask`, int8 (batch, actions), 1 for each legal action, of which a row needs one;
    - `base_policy_action`, int64 (batch,), only where the network sees what a scripted agent would
      do.

    Where the network values actions one by one, `state_features`, float32 (batch,
    state_spec.size), and `action_features`, float32 (batch, actions, action_spec.size), stand in
    place of the first and the last (`envs/engine/preview.py`). `onnx_inputs` computes all of them.

    Outputs: `logits`, float32 (batch, actions), the lowest float32 for illegal actions, and
    `probabilities`, their softmax. The agent samples from these.

    Args:
        agent: What `load_agent` takes; it must be a trained one.
        game: The game, or its name.
        path: Of the file.
        num_players: For which number of players, where the agent has several networks.

    Raises:
        AgentError: The agent is not a trained network, or has several and `num_players` is None.
        FileError: The file cannot be written.
        GoldgriffError: The extra `onnx` is missing.
    """
    game, path = get_game(game), as_path(path)
    network = trained_network(agent, game, num_players)
    onnx = import_extra("onnx", "onnx", "export_onnx")
    model = _Graph(onnx, game, network).model()
    onnx.checker.check_model(model, full_check=True)
    write_whole(path, model.SerializeToString())
    return path


def onnx_inputs(network: Network, batch: ObservationBatch) -> dict[str, NDArray[Any]]:
    """Return the inputs of an exported network for some decisions, by name."""
    inputs: dict[str, NDArray[Any]] = {"action_mask": batch.masks}
    if isinstance(network, ActionValueNetwork):
        states, actions = network.features(batch, network.base_actions(batch))
        spec = action_spec(batch.game)
        features = np.zeros((*batch.masks.shape, spec.size), np.float32)
        own = np.repeat(np.arange(len(actions.rows)), np.diff(actions.starts))
        scaled = actions.numbers * spec.scale[actions.places]
        features[actions.rows[own], actions.actions[own], actions.places] = scaled
        inputs["state_features"] = state_spec(batch.game).to_float(states)
        return inputs | {"action_features": features}
    inputs["observation"] = batch.scaled
    if network.base_policy is not None:
        inputs["base_policy_action"] = network.base_policy.policy.act(batch)
    return inputs


def trained_network(agent: Any, game: Game | str, num_players: int | None = None) -> Network:
    """Return the network of a trained agent.

    Args:
        agent: What `load_agent` takes.
        game: The game, or its name.
        num_players: For which number of players, where the agent has several networks.

    Raises:
        AgentError: It has none, or several and `num_players` is None.
        SettingsError: `num_players` is no number of players.
    """
    trained = load_agent(agent, game)
    if not isinstance(trained, TrainedPolicy):
        raise AgentError(f"only trained networks can be exported, not a {type(trained).__name__}")
    if num_players is None and len(set(trained.networks)) > 1:
        raise AgentError("the agent has several networks: give num_players for the one to export")
    players = 2 if num_players is None else read_whole("num_players", num_players, 2)
    return trained.for_num_players(players)


class _Graph:
    """The nodes of a network, written one after the other."""

    def __init__(self, onnx: Any, game: Game, network: Network) -> None:
        self._onnx, self._game, self._network = onnx, game, network
        self._nodes, self._constants = list[Any](), list[Any]()

    def model(self) -> Any:
        """Return the model."""
        helper, kinds = self._onnx.helper, self._onnx.TensorProto
        network, actions = self._network, len(self._game.actions)

        def value(name: str, kind: int, *shape: int | str) -> Any:
            return helper.make_tensor_value_info(name, kind, ["batch", *shape])

        inputs = [value("action_mask", kinds.INT8, actions)]
        if isinstance(network, ActionValueNetwork):
            inputs += [
                value("state_features", kinds.FLOAT, state_spec(self._game).size),
                value("action_features", kinds.FLOAT, actions, action_spec(self._game).size),
            ]
            logits = self._values(network)
        else:
            size = self._game.observation_spec.size
            inputs = [value("observation", kinds.FLOAT, size), *inputs]
            hidden = "observation"
            if network.base_policy is not None:
                inputs += [value("base_policy_action", kinds.INT64)]
                depth = self._constant(np.array(actions, np.int64))
                ends = self._constant(np.array([0, 1], np.float32))
                one_hot = self._add("OneHot", "base_policy_action", depth, ends)
                hidden = self._add("Concat", hidden, one_hot, axis=1)
            logits = self._layers(hidden, network.layers)
        legal = self._add("Cast", "action_mask", to=kinds.BOOL)
        self._add("Where", legal, logits, self._constant(np.array(LOWEST)), name="logits")
        self._add("Softmax", "logits", name="probabilities", axis=-1)
        outputs = [value(name, kinds.FLOAT, actions) for name in ("logits", "probabilities")]
        graph = helper.make_graph(self._nodes, self._game.id, inputs, outputs, self._constants)
        opset = helper.make_opsetid("", OPSET)
        model = helper.make_model(
            graph, opset_imports=[opset], ir_version=IR, producer_name="goldgriff"
        )
        labels = labels_of(self._game) | dict(network.notes)
        if network.base_policy is not None:
            labels["base_policy"] = network.base_policy.name
        helper.set_model_props(model, labels)
        return model

    def _values(self, network: ActionValueNetwork) -> str:
        """Add a network that values actions one by one, and return the name of its logits."""
        (weight, bias), *rest = network.layers
        size = state_spec(self._game).size
        by_state = self._layers("state_features", [(weight[:, :size], bias)])
        by_state = self._add("Unsqueeze", by_state, self._constant(np.array([1], np.int64)))
        by_action = self._add("MatMul", "action_features", self._constant(weight[:, size:].T))
        hidden = self._add("Add", by_state, by_action)
        for layer in rest:
            hidden = self._layers(self._add("Relu", hidden), [layer])
        values = self._add("Squeeze", hidden, self._constant(np.array([2], np.int64)))
        base_action = np.array(action_spec(self._game).start("base_action"), np.int64)
        advised = self._add("Gather", "action_features", self._constant(base_action), axis=2)
        margins = self._add("Mul", advised, self._constant(np.array(network.margin, np.float32)))
        values = self._add("Add", values, margins)
        return self._add("Mul", values, self._constant(np.array(GREEDY_SCALE, np.float32)))

    def _layers(self, hidden: str, layers: Sequence[Layer]) -> str:
        """Add layers with ReLU between them, and return the name of the result."""
        for number, (weight, bias) in enumerate(layers):
            hidden = self._add("Relu", hidden) if number else hidden
            product = self._add("MatMul", hidden, self._constant(weight.T))
            hidden = self._add("Add", product, self._constant(bias))
        return hidden

    def _constant(self, array: NDArray[Any]) -> str:
        name = f"constant_{len(self._constants)}"
        array = np.asarray(array, order="C")
        self._constants.append(self._onnx.numpy_helper.from_array(array, name))
        return name

    def _add(self, operator: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        name = name or f"node_{len(self._nodes)}"
        node = self._onnx.helper.make_node(operator, inputs, [name], name=name, **attributes)
        self._nodes.append(node)
        return name
