"""A model repository on disk: the networks of a trained agent, and what they are for.

`model.safetensors` is a checkpoint, `config.json` says of which game, and `README.md` is the model
card. An agent with a network for each number of players has several checkpoints. Reading them runs
no code.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..envs.engine.game import Game, get_game
from ..errors import GoldgriffError, describe_error, one_line, quoted
from ..files import MAX_JSON, read_limited
from .checkpoints import CheckpointError, load_network
from .ensemble import PlayerCountEnsemble, TrainedPolicy
from .pretrained import Evaluation

CHECKPOINT = "model.safetensors"
CONFIG, CARD = "config.json", "README.md"
PATTERNS = [CONFIG, "model*.safetensors"]  # what is downloaded of a repository
_NETWORK = re.compile(r"model(-\d{1,2})?\.safetensors")


def network_files(folder: Path) -> list[Path]:
    """Return the checkpoints of a folder, for two, three, ... players; [] where it has none.

    The last one is for all larger numbers of players, too.

    Raises:
        CheckpointError: config.json is damaged, or names a file that is not there.
    """
    names = _config(folder).get("networks")
    if names is None:
        path = folder / CHECKPOINT
        return [path] if path.is_file() else []
    if not isinstance(names, list) or not names or not all(map(_is_network, names)):
        raise CheckpointError(
            f"{folder / CONFIG}: networks must be a list of file names such as {CHECKPOINT}, not "
            f"{quoted(names)}"
        )
    paths = [folder / name for name in names]
    for path in paths:
        if not path.is_file():
            raise CheckpointError(f"{folder / CONFIG} names {path.name}, which is not there")
    return paths


def load_model_folder(folder: Path, game: Game | str | None = None) -> TrainedPolicy:
    """Return the agent of a folder.

    Args:
        folder: The folder of a run or a model repository.
        game: What it is to play; None for the game that config.json names.

    Raises:
        CheckpointError: There is no such agent, it is damaged, or it is of another game.
    """
    game = _game_of(folder) if game is None else get_game(game)
    paths = network_files(folder)
    if not paths:
        raise CheckpointError(f"{folder} holds no {CHECKPOINT}")
    ensemble = load_ensemble(paths, game)
    agent: TrainedPolicy = ensemble if len(paths) > 1 else ensemble.networks[0]
    agent.game, agent.evaluation = game, _evaluation_of(folder)
    return agent


def load_ensemble(paths: Sequence[Path], game: Game) -> PlayerCountEnsemble:
    """Return the networks for two, three, ... players; one that is named twice is loaded once."""
    networks = {path: load_network(path, game) for path in set(paths)}
    return PlayerCountEnsemble([networks[path] for path in paths])


def _is_network(name: object) -> bool:
    return isinstance(name, str) and bool(_NETWORK.fullmatch(name))


def _game_of(folder: Path) -> Game:
    """Return the game that a config names; its version is checked with the networks."""
    config = _config(folder)
    if not isinstance(config.get("game"), str):
        raise CheckpointError(f"{folder} holds no {CONFIG} that names a game")
    try:
        return get_game(config["game"])
    except GoldgriffError as error:
        raise CheckpointError(f"{folder / CONFIG}: {error}") from None


def _evaluation_of(folder: Path) -> Evaluation | None:
    """Return the evaluation in a config; None where there is none, or not in this form."""
    match _config(folder).get("evaluation"):
        case {
            "opponent": str(opponent),
            "num_players": [*num_players],
            "deals": int(deals),
            "win_share": float(win_share),
            "low": float(low),
            "high": float(high),
        } if num_players and all(isinstance(n, int) and n > 1 for n in num_players):
            return Evaluation(one_line(opponent), num_players, deals, win_share, low, high)
    return None


def _config(folder: Path) -> Mapping[str, Any]:
    """Return the content of config.json; nothing where there is none."""
    path = folder / CONFIG
    try:
        config = json.loads(read_limited(path, MAX_JSON))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise CheckpointError(f"cannot read {quoted(str(path))}: {describe_error(error)}") from None
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is damaged: {describe_error(error)}") from None
    if not isinstance(config, dict):
        raise CheckpointError(f"{path} is damaged: it must be a JSON object")
    return config
