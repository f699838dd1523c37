"""Agents: by name, from a checkpoint, or a user's own class.

Every folder in `heuristics` and `features` is a game's; importing it registers what the game has.
"""

import importlib
import pkgutil

if __name__ != "goldgriff.agents":
    raise ImportError(f"import this package as goldgriff.agents, not as {__name__}")

for _folder in ("heuristics", "features"):
    for _module in pkgutil.iter_modules([f"{__path__[0]}/{_folder}"]):
        if _module.ispkg:
            importlib.import_module(f"{__name__}.{_folder}.{_module.name}")
