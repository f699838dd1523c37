"""Write a trained agent as a model repository: networks, config.json and the model card."""

import json
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ..envs.engine.game import Game
from ..errors import AgentError, one_line
from ..files import make_folder, write_together
from .checkpoints import network_content
from .ensemble import TrainedPolicy
from .hub import upload
from .model_folder import CARD, CHECKPOINT, CONFIG
from .pretrained import Evaluation


def write_model_folder(agent: TrainedPolicy, folder: Path, *, name: str = "") -> None:
    """Write the files of a model repository, all or none.

    Args:
        agent: A trained agent that knows its game.
        folder: Made if it does not exist.
        name: `user/name` on the Hub; left out, that of the folder.

    Raises:
        AgentError: The game of the agent is not known.
        FileError: The folder cannot be written to.
    """
    if agent.game is None:
        raise AgentError(
            "the agent does not know its game: set its attribute `game`, or load it by load_agent"
        )
    make_folder(folder)
    files = model_files(agent, agent.game, name or folder.resolve().name, agent.evaluation)
    write_together({folder / file: content for file, content in files.items()})


def push_to_hub(
    agent: TrainedPolicy, repo_id: str, *, also: Sequence[Path] = (), **options: Any
) -> str:
    """Upload an agent, and return the address of the commit.

    Args:
        agent: A trained agent that knows its game.
        repo_id: `user/name`; made if it does not exist.
        also: Other files for the repository.
        **options: See `upload` in agents/hub.py.

    Raises:
        GoldgriffError: The extra `hub` is missing, or the Hub refuses or cannot be reached.
    """
    with tempfile.TemporaryDirectory() as folder:
        write_model_folder(agent, Path(folder), name=repo_id)
        for path in also:
            shutil.copy(path, folder)
        return upload(Path(folder), repo_id, **options)


def model_files(
    agent: TrainedPolicy, game: Game, name: str, evaluation: Evaluation | None
) -> dict[str, bytes]:
    """Return the files of a model repository by name; networks that are used twice are there once.

    Args:
        agent: The trained agent.
        game: What it plays.
        name: `user/name` on the Hub, or the name of a folder.
        evaluation: How it did, for config and card; None if nobody knows.
    """
    networks = agent.networks
    names = {
        network: CHECKPOINT if number == 1 else f"model-{number}.safetensors"
        for number, network in enumerate(dict.fromkeys(networks), start=1)
    }
    config: dict[str, Any] = {
        "library_name": "goldgriff",
        "library_version": import_module(__name__.partition(".")[0]).__version__,
        "game": game.id,
        "networks": [names[network] for network in networks],
        "training": {
            file: {name: _value(text) for name, text in network.notes.items()}
            for network, file in names.items()
        },
    }
    if evaluation:
        config["evaluation"] = asdict(evaluation)
    files = {file: network_content(net, game, net.notes) for net, file in names.items()}
    files[CONFIG] = (json.dumps(config, indent=2) + "\n").encode()
    files[CARD] = _card(game, name, config["training"].values(), evaluation).encode()
    return files


def _value(text: str) -> Any:
    """Return a note of a checkpoint as plain data."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _card(
    game: Game, name: str, trainings: Collection[Mapping[str, Any]], evaluation: Evaluation | None
) -> str:
    templates = Environment(
        loader=PackageLoader("goldgriff", "agents"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    algorithms = dict.fromkeys(
        training["algorithm"]
        for training in trainings
        if isinstance(training.get("algorithm"), str)
    )
    return templates.get_template("model_card.md.jinja").render(
        game=game,
        name=name,
        is_on_hub="/" in name,
        algorithms=list(algorithms),
        trainings=[
            {name: value for name, value in training.items() if name != "opponents"}
            for training in trainings
            if training
        ],
        evaluation=evaluation,
        opponents=[row for training in trainings for row in _opponents(training)],
        num_players=_num_players(trainings),
    )


def _opponents(training: Mapping[str, Any]) -> Iterator[tuple[str, int, float]]:
    """Yield name, games and win share of the opponents in training; a stranger wrote the notes."""
    rows = training.get("opponents")
    for row in rows if isinstance(rows, list) else ():
        match row:
            case [str(name), int(games), float(share)]:
                yield one_line(name).replace("|", r"\|"), games, share


def _num_players(trainings: Iterable[Mapping[str, Any]]) -> int | list[int]:
    """Return the number of players that an agent was trained with, or several; 2 if unknown."""
    counts = set[int]()
    for training in trainings:
        match training.get("settings"):
            case {"players": [*players]} if all(type(number) is int for number in players):
                counts.update(players)
    return sorted(counts) if len(counts) > 1 else max(counts, default=2)
