"""Names and versions of the games, read from the names of files: nothing is imported for them."""

from pathlib import Path


def find_versions(folder: Path) -> dict[str, int]:
    """Return the newest version of every game by its name, in alphabetical order.

    Args:
        folder: Holds a file `<game>_v<version>.py` for every version of every game.
    """
    versions: dict[str, int] = {}
    for file in sorted(folder.glob("*_v*.py")):
        name, _, version = file.stem.rpartition("_v")
        if version.isdecimal():
            versions[name] = max(int(version), versions.get(name, 0))
    return versions


VERSIONS = find_versions(Path(__file__).parents[1])
