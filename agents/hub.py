"""Trained agents on the Hugging Face Hub: model repositories are downloaded and uploaded.

Only checkpoints and config.json are downloaded, and only numbers are read of them: no code of a
repository runs. The extra `hub` is needed for what touches the Hub, not for folders.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..cli.options import import_extra
from ..envs.engine.game import Game
from ..errors import AgentError, GoldgriffError, describe_error, one_line, quoted
from ..files import as_path
from ..naming import did_you_mean_path
from .ensemble import TrainedPolicy
from .model_folder import PATTERNS, load_model_folder

PREFIX = "hf://"
_LIBRARY = {"library_name": "goldgriff"}


def is_hub_id(name: str) -> bool:
    """Return whether a name is `hf://user/name`; no other name is asked of the Hub unasked."""
    return name.startswith(PREFIX)


def download(name: str, **options: Any) -> Path:
    """Return the folder in the Hub's cache with the files of a model repository.

    Where the Hub cannot be reached, what was downloaded before is used.

    Args:
        name: `hf://user/name` or `user/name`, with `@REVISION` for a branch, tag or commit.
        **options: `revision`, `token`, `cache_dir`, `force_download`, `local_files_only` of
            `huggingface_hub.snapshot_download`.

    Raises:
        AgentError: The id is none, there is no such repository or revision, or the Hub cannot be
            reached and nothing is in the cache.
        GoldgriffError: The extra `hub` is missing.
    """
    repo_id, at, revision = name.removeprefix(PREFIX).partition("@")
    if at:
        options["revision"] = revision
    meant = f"no such folder{did_you_mean_path(Path(name))}, and "
    with _hub(f"agent {quoted(name)}: {'' if is_hub_id(name) else meant}") as hub:
        return Path(hub.snapshot_download(repo_id, allow_patterns=PATTERNS, **_LIBRARY, **options))


def downloaded(name: str) -> Path | None:
    """Return the folder of a repository that was downloaded before; None if it was not."""
    try:
        return download(name, local_files_only=True)
    except GoldgriffError:
        return None


def from_pretrained(
    repo_or_folder: str | Path, *, game: Game | str | None = None, **options: Any
) -> TrainedPolicy:
    """Return the trained agent of a model repository, on the Hugging Face Hub or in a folder.

    Args:
        repo_or_folder: A folder, such as that of a run, or `user/name` on the Hub; `hf://user/name`
            is never taken for a folder.
        game: What it is to play; None for the game that its config.json names.
        **options: `revision` (branch, tag or commit), `token`, `cache_dir`, `force_download` and
            `local_files_only` of `huggingface_hub.snapshot_download`.

    Raises:
        AgentError: There is no such repository, or the Hub cannot be reached.
        CheckpointError: The files are damaged, or of another game.
        GoldgriffError: The extra `hub` is missing.
    """
    folder, name = as_path(repo_or_folder), str(repo_or_folder)
    if is_hub_id(name) or not os.path.isdir(name):
        folder = download(name, **options)
    return load_model_folder(folder, game)


def upload(
    folder: Path,
    repo_id: str,
    *,
    commit_message: str = "Upload an agent of goldgriff",
    private: bool | None = None,
    token: str | None = None,
    branch: str | None = None,
    create_pr: bool | None = None,
) -> str:
    """Upload a folder to a model repository, and return the address of the commit.

    Args:
        folder: Its files are uploaded, all in one commit.
        repo_id: `user/name`; made if it does not exist.
        commit_message: Of the commit.
        private: Whether a new repository is private; None for what the Hub does by itself.
        token: Of a user of the Hub; None for the one that `hf auth login` has stored.
        branch: What is committed to; None for `main`.
        create_pr: Whether to open a pull request instead.

    Raises:
        AgentError: The id is none, or the Hub refuses or cannot be reached.
        GoldgriffError: The extra `hub` is missing.
    """
    with _hub(f"upload to {quoted(repo_id)}: ") as hub:
        api = hub.HfApi(token=token, **_LIBRARY)
        repo_id = api.create_repo(repo_id, private=private, exist_ok=True).repo_id
        commit = api.upload_folder(
            repo_id=repo_id,
            folder_path=folder,
            commit_message=commit_message,
            revision=branch,
            create_pr=create_pr,
        )
        return str(commit.commit_url)


@contextmanager
def _hub(what: str) -> Iterator[Any]:
    """Import huggingface_hub; what it raises in this context is an AgentError of one line."""
    try:
        hub = import_extra("huggingface_hub", "hub", "the Hugging Face Hub")
        errors = import_extra("huggingface_hub.errors", "hub", "the Hugging Face Hub")
    except GoldgriffError as error:
        raise GoldgriffError(f"{what}{error}") from None
    try:
        yield hub
    except Exception as error:
        reasons = {  # the first that fits
            errors.HFValidationError: f"no id of the Hugging Face Hub: {error}",
            errors.GatedRepoError: "the Hugging Face Hub gives it only to users it knows",
            errors.RepositoryNotFoundError: "no such model on the Hugging Face Hub, or no access",
            errors.RevisionNotFoundError: "no such revision on the Hugging Face Hub",
            errors.LocalEntryNotFoundError: (
                "the Hugging Face Hub cannot be reached, and nothing was downloaded before"
            ),
            errors.HfHubHTTPError: f"the Hugging Face Hub refuses: {error}",
            Exception: f"the Hugging Face Hub failed: {describe_error(error)}",
        }
        reason = next(
            text for error_class, text in reasons.items() if isinstance(error, error_class)
        )
        raise AgentError(one_line(f"{what}{reason}")) from None
