"""Draws a scene: the pictures of `render_mode="rgb_array"`, all of one size.

Cards are drawn large, reduced and cached, so that a picture is mostly pasting.
"""

from functools import cache
from pathlib import Path

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from ..naming import counted
from .engine.scene import BACK, Face, Player, Scene

WIDTH, HEIGHT = 1280, 720
HEADER, GAP = 44, 12
PANEL = 214  # height of a seat's panel
SMALL, MIDDLE, LARGE = (50, 70), (70, 98), (96, 134)  # cards, by the room there is
SCALE = 4  # cards are drawn so many times as large
FELT, DARK, LIGHT = "#1f5a41", "#174632", "#23664a"
GOLD, QUIET, BRIGHT = "#f0c64a", "#b9d3c6", "#ffffff"
Box = tuple[int, int, int, int]  # left, top, right, bottom


def draw_scene(scene: Scene) -> NDArray[np.uint8]:
    """Return the picture of a scene: RGB, uint8, shape (HEIGHT, WIDTH, 3)."""
    image = Image.new("RGB", (WIDTH, HEIGHT), FELT)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, WIDTH, HEADER), fill=DARK)
    pen.text((GAP + 8, HEADER // 2), scene.title, BRIGHT, font(20), anchor="lm")
    players = len(scene.players)
    marked = {scene.current_player}
    if scene.current_player is None:  # the game is over: mark the winners
        best = min(player.points for player in scene.players)
        marked = {seat for seat in range(players) if scene.players[seat].points == best}
    for steps, box in enumerate(seat_boxes(players)):
        seat = (scene.front + steps) % players
        draw_player(image, pen, box, f"player_{seat}", scene.players[seat], seat in marked)
    draw_middle(image, pen, scene)
    return np.array(image)


def seat_boxes(players: int) -> list[Box]:
    """Return where the seats are drawn, clockwise from the one in front, bottom right."""
    below = players // 2
    boxes: list[Box] = []
    for count, top in ((below, HEIGHT - GAP - PANEL), (players - below, HEADER + GAP)):
        width = (WIDTH - GAP) // count
        lefts = [GAP + place * width for place in range(count)]
        row = [(left, top, left + width - GAP, top + PANEL) for left in lefts]
        boxes += row if boxes else row[::-1]
    return boxes


def draw_player(
    image: Image.Image, pen: ImageDraw.ImageDraw, box: Box, name: str, player: Player, marked: bool
) -> None:
    """Draw a seat: name, points, notes, the hand and what lies in front of it."""
    left, top, right, bottom = box
    pen.rounded_rectangle(box, 10, LIGHT, GOLD if marked else DARK, 3 if marked else 1)
    pen.text((left + 14, top + 20), name, GOLD if marked else BRIGHT, font(18), anchor="lm")
    points = counted(player.points, "point")
    if player.gain is not None:
        points = f"{player.gain:+g}  →  {points}"
    pen.text((right - 14, top + 20), points, BRIGHT, font(16), anchor="rm")
    pen.text((left + 14, top + 43), " · ".join(player.notes), QUIET, font(13), anchor="lm")
    edge = right - 14
    for face in player.aside:
        edge -= MIDDLE[0] + 4
        paste(image, face, MIDDLE, edge, top + 60)
    lay_out(image, player.hand, (left + 14, top + 60, edge, bottom - 12))


def lay_out(image: Image.Image, hand: tuple[Face, ...], box: Box) -> None:
    """Draw a hand in a box: in one row, or small cards in up to three."""
    left, top, right, bottom = box
    for size, rows in ((LARGE, 1), (MIDDLE, 1), (SMALL, 1), (SMALL, 2), (SMALL, 3)):
        in_row = max(1, -(-len(hand) // rows))
        step = min(size[0] + 4, (right - left - size[0]) / max(1, in_row - 1))
        if step >= 0.65 * size[0]:  # every card can be read
            break
    down = min(size[1] + 2, (bottom - top - size[1]) // max(1, rows - 1))
    for place, face in enumerate(hand):
        row, column = divmod(place, in_row)
        paste(image, face, size, left + round(column * step), top + row * down)


def draw_middle(image: Image.Image, pen: ImageDraw.ImageDraw, scene: Scene) -> None:
    """Draw the piles, the status and the last moves."""
    top = HEADER + PANEL + 2 * GAP + 12
    under = top + LARGE[1] + 16
    pen.text((32, top + 16), scene.status, BRIGHT, font(17), anchor="lm")
    pile = 430
    if scene.pile:
        for lift in (6, 3, 0):
            paste(image, BACK, LARGE, pile - lift, top - lift)
    pen.text((pile + 48, under), f"pile {scene.pile}", QUIET, font(14), anchor="mm")
    first, last = pile + 130, 960
    step = min(46, (last - first - LARGE[0]) // max(1, len(scene.shown) - 1))
    for place, face in enumerate(scene.shown):
        paste(image, face, LARGE, first + place * step, top)
    pen.text((first + 48, under), f"discard {scene.discards}", QUIET, font(14), anchor="mm")
    for line, (seat, name) in enumerate(scene.moves):
        ink = BRIGHT if line == len(scene.moves) - 1 else QUIET
        pen.text((990, top + 8 + 25 * line), f"player_{seat}: {name}", ink, font(15), anchor="lm")


def paste(image: Image.Image, face: Face, size: tuple[int, int], left: int, top: int) -> None:
    """Draw a card, its upper left corner at a place."""
    card = card_image(face, size)
    image.paste(card, (left, top), card)


@cache
def card_image(face: Face, size: tuple[int, int]) -> Image.Image:
    """Return the picture of a card with round corners on a transparent ground."""
    width, height = (SCALE * length for length in size)
    image = Image.new("RGBA", (width, height))
    pen = ImageDraw.Draw(image)
    edge = width // 24
    pen.rounded_rectangle((0, 0, width - 1, height - 1), width // 8, "#f8f5ec", "#1b1b1b60", SCALE)
    inside = (edge * 2, edge * 2, width - 1 - edge * 2, height - 1 - edge * 2)
    pen.rounded_rectangle(inside, width // 11, face.paper)
    pen.text((width // 7, height // 12), face.corner, face.ink, font(width // 4), anchor="la")
    middle = (width // 2, height * 4 // 7 if face.corner else height // 2)
    pen.text(middle, face.middle, face.ink, font(width * 9 // 20), anchor="mm", align="center")
    return image.resize(size, Image.Resampling.LANCZOS)


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return DejaVu Sans Bold, which comes with matplotlib."""
    file = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans-Bold.ttf"
    return ImageFont.truetype(str(file), size)
