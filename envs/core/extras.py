"""Parts of the library that need more than its core."""

from importlib import import_module
from typing import Any

from goldgriff.envs.core.errors import GoldgriffError


def import_extra(module: str, extra: str, what: str) -> Any:
    """A module that needs an extra of the package; what: needs it, for people.

    Raises GoldgriffError, naming the extra, where something of it is missing.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise GoldgriffError(
            f"{error.name} is missing; {what} needs the extra: pip install 'goldgriff[{extra}]'"
        ) from None
