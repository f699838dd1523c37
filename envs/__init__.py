"""The environments: `goldgriff.make("auruxxx_v0")`, or `goldgriff.envs.auruxxx_v0.env()`.

Every folder here with an `env.py` is a game; importing it enters it in `GAMES`.
"""

from importlib import import_module
from pathlib import Path

if __name__ != "goldgriff.envs":
    raise ImportError(f"import this package as goldgriff.envs, not as {__name__}")

_FOLDER = Path(__file__).parent
for _file in sorted(_FOLDER.glob("*/env.py")):
    import_module(f".{_file.parent.name}", __name__)
for _game in import_module(
    ".engine.game", __name__
).GAMES.values():  # PettingZoo's way to import an environment
    if (_FOLDER / f"{_game.id}.py").exists():
        import_module(f".{_game.id}", __name__)
