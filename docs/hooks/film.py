"""Film the page of `goldgriff play`: `python docs/hooks/film.py GAME`.

It writes `docs/assets/GAME.webp`, and needs the extras `play` and `test`, and Chromium.
"""

import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ASSETS = Path(__file__).resolve().parents[1] / "assets"
WIDTH, HEIGHT = 1100, 740  # of the page
SIZE = 640, 431  # of the picture
FRAMES, PAUSE = 32, 500  # milliseconds between two frames


@contextmanager
def served(game: str) -> Iterator[str]:
    """Let three experts play on a page, and yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "goldgriff", "play", game, "--seat", "none"]
        command += ["--players", "3", "--seed", "7", "--out", folder]
        command += ["--browser", "--no-open", "--port", "0"]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert process.stdout
        try:
            yield next(word for line in process.stdout for word in line.split() if "http" in word)
        finally:
            process.terminate()
            process.wait()


def film(address: str) -> list[Image.Image]:
    """Return frames of the page while the game goes on."""
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=shutil.which("chromium"))
        page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT}, locale="en-US")
        page.goto(address)
        page.wait_for_selector("#felt")
        frames = []
        for _ in range(FRAMES):
            frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
            page.wait_for_timeout(PAUSE)
        chromium.close()
    return [frame.resize(SIZE, Image.Resampling.LANCZOS) for frame in frames]


def main(game: str) -> None:
    """Write the film of a game."""
    with served(game) as address:
        first, *others = film(address)
    first.save(
        *(ASSETS / f"{game}.webp", "WEBP"),
        save_all=True,
        append_images=others,
        duration=PAUSE,
        loop=0,
        quality=60,
        method=6,
    )


if __name__ == "__main__":
    main(sys.argv[1])
