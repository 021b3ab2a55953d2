"""The fonts that the cards are printed in: Debian packages, by name, and :mod:`.webfonts`.

A font is used when its digits are there and look like digits. Families
(by their first word, so that Roboto and Roboto Condensed stay together) are split between train,
val and test by a stable hash.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from companion.errors import BadInput
from datasets.workshop.webfonts import FOLDER as WEB_FOLDER
from datasets.workshop.webfonts import web_font_files

FONT_PACKAGES = (
    "fonts-adf-baskervald", "fonts-adf-berenis", "fonts-adf-gillius", "fonts-adf-libris",
    "fonts-adf-mekanus", "fonts-adf-romande", "fonts-adf-switzera", "fonts-adf-tribun",
    "fonts-adf-universalis", "fonts-adf-verana", "fonts-allerta", "fonts-averia-sans-gwf",
    "fonts-averia-serif-gwf", "fonts-b612", "fonts-bebas-neue", "fonts-beteckna", "fonts-breip",
    "fonts-cabin", "fonts-cantarell", "fonts-cherrybomb", "fonts-clear-sans", "fonts-comfortaa",
    "fonts-comic-neue", "fonts-courier-prime", "fonts-crosextra-caladea",
    "fonts-crosextra-carlito", "fonts-dejavu-core", "fonts-dejavu-extra",
    "fonts-dkg-handwriting", "fonts-dosis", "fonts-dustin", "fonts-ebgaramond",
    "fonts-engadget", "fonts-eurofurence", "fonts-femkeklaver", "fonts-freefont-ttf",
    "fonts-georgewilliams", "fonts-humor-sans", "fonts-inter", "fonts-junction", "fonts-jura",
    "fonts-karla", "fonts-kaushanscript", "fonts-lato", "fonts-league-spartan",
    "fonts-leckerli-one", "fonts-liberation2", "fonts-linuxlibertine", "fonts-lobster",
    "fonts-lobstertwo", "fonts-manrope", "fonts-national-park", "fonts-okolaks",
    "fonts-open-sans", "fonts-opendin", "fonts-opendyslexic", "fonts-oxygen", "fonts-paratype",
    "fonts-play", "fonts-prociono", "fonts-quattrocento", "fonts-quicksand", "fonts-radisnoir",
    "fonts-roadgeek", "fonts-roboto-slab", "fonts-roboto-unhinted", "fonts-sora",
    "fonts-staypuft", "fonts-stix", "fonts-summersby", "fonts-texgyre", "fonts-tomsontalks",
    "fonts-train", "fonts-tuffy", "fonts-ubuntu-title", "fonts-urw-base35", "fonts-vollkorn",
    "fonts-yanone-kaffeesatz",
)  # fmt: skip
"""Debian packages; those that are installed are used, and 40 families must come together."""

FEWEST_FAMILIES = 40
_DPKG_LISTS = Path("/var/lib/dpkg/info")
_SUFFIXES = (".ttf", ".otf", ".pfb", ".t1")
_SKIPPED_WORDS = (
    "dingbat", "symbol", "keyboard", "initials", "integrals", "size", "nonunicode", "variants",
    "math", "tamil", "ornament", "linux libertine mono", "wargames",
)  # fmt: skip
_FILES_A_FAMILY = 8
_SMALLEST_PX = 8
_READ_BY_EYE = (
    "Z003", "Kaushan Script", "Romande ADF Script Std", "Breip", "Domestic Manners",
    "El Abogado Loco", "Penguin Attack", "Engadget", "DkgHandwriting", "Cupola", "Leckerli One",
    "Roadgeek 2014 Series B", "Summersby", "Train One", "femkeklaver",
)  # fmt: skip
"""Families whose digits are unlike the plain ones, and still read at a glance."""
_PLAIN_FAMILIES = ("DejaVu Sans", "DejaVu Serif", "Liberation Sans", "Liberation Serif", "Lato")

Mask: TypeAlias = npt.NDArray[np.uint8]
Tile: TypeAlias = npt.NDArray[np.float32]
Patterns: TypeAlias = dict[str, Tile]


@dataclass(frozen=True, slots=True, order=True)
class FontFile:
    """One usable font: its family, style and file."""

    family: str
    style: str
    path: str

    @property
    def split(self) -> str:
        """Which split may print with it: train, val or test."""
        return split_of(self.family)


def split_of(family: str) -> str:
    """Split of a font family, by a hash of its first word; about 76 : 8 : 16 of 100.

    >>> split_of("Roboto") == split_of("Roboto Condensed")
    True
    """
    digest = hashlib.sha256(family.split()[0].lower().encode()).digest()[0]
    return "val" if digest < 25 else "test" if digest < 66 else "train"


def _installed_files() -> list[Path]:
    files: set[Path] = set()
    for package in FONT_PACKAGES:
        listing = _DPKG_LISTS / f"{package}.list"
        if listing.exists():
            names = listing.read_text().splitlines()
            files |= {Path(name) for name in names if name.lower().endswith(_SUFFIXES)}
    return sorted(path for path in files if path.exists())


@lru_cache(maxsize=512)
def load(path: str, size_px: int) -> ImageFont.FreeTypeFont:
    """The font file at a size in pixels, kept once loaded."""
    return ImageFont.truetype(path, size_px, layout_engine=ImageFont.Layout.BASIC)


def glyph(path: str, text: str, size_px: int) -> Mask:
    """Mask (h, w) of ``text`` at a font size, cut to its ink; (0, 0) when there is none."""
    font = load(path, size_px)
    left, top, right, bottom = (int(side) for side in font.getbbox(text))
    if right <= left or bottom <= top:
        return np.zeros((0, 0), np.uint8)
    sheet = Image.new("L", (right - left + 2, bottom - top + 2))
    ImageDraw.Draw(sheet).text((1 - left, 1 - top), text, fill=255, font=font)
    mask = np.asarray(sheet, np.uint8)
    rows, columns = np.flatnonzero(mask.max(axis=1) > 40), np.flatnonzero(mask.max(axis=0) > 40)
    if not rows.size:
        return np.zeros((0, 0), np.uint8)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _shape(path: str, text: str) -> Tile | None:
    mask = glyph(path, text, 40)
    if mask.shape[0] < 8 or mask.shape[1] < 2:
        return None
    tile = np.zeros((32, 32), np.float32)
    scale = min(30 / mask.shape[0], 30 / mask.shape[1])
    small = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    top, left = (32 - small.shape[0]) // 2, (32 - small.shape[1]) // 2
    tile[top : top + small.shape[0], left : left + small.shape[1]] = small / 255.0
    return tile.ravel()


def _has(path: str, text: str) -> bool:
    """Whether the font has ink for each character, other than its box for missing ones."""
    missing = glyph(path, "\ue0f3", 40)
    for letter in text:
        ink = glyph(path, letter, 40)
        if not ink.size or np.array_equal(ink, missing):
            return False
    return True


def _readable(font: FontFile, patterns: Patterns) -> bool:
    """Whether it has all it needs, and each digit is near to that digit of the plain fonts."""
    if not _has(font.path, "0123456789T!+"):
        return False
    if not all(glyph(font.path, digit, _SMALLEST_PX).size for digit in "0123456789"):
        return False  # hairlines that vanish in print
    if font.family in _READ_BY_EYE or _is_from_web(font):  # these were all looked at
        return True
    for digit in "2345679":  # an old-style 1 or 0 looks like a letter: being there is enough
        tile = _shape(font.path, digit)
        if tile is None:
            return False
        far = {d: float(np.abs(tiles - tile).mean(axis=1).min()) for d, tiles in patterns.items()}
        if sorted(far, key=far.__getitem__).index(digit) > 1 or far[digit] > 0.30:
            return False
    return True


def _named(path: Path) -> FontFile | None:
    try:
        name, style = load(str(path), 40).getname()
    except OSError:
        return None
    return FontFile((name or path.stem).strip(), style or "", str(path))


def _is_from_web(font: FontFile) -> bool:
    return WEB_FOLDER in Path(font.path).parents


@lru_cache(maxsize=1)
def usable_fonts() -> tuple[FontFile, ...]:
    """Every usable font of the packages, in stable order.

    Raises:
        BadInput: fewer than 40 families are there.
    """
    found: dict[str, list[FontFile]] = {}
    for font in [*map(_named, _installed_files()), *map(_named, web_font_files())]:
        if font is None or (_is_from_web(font) and font.split != "train"):
            continue
        if not any(word in f"{font.family} {font.style}".lower() for word in _SKIPPED_WORDS):
            found.setdefault(font.family, []).append(font)
    plain = [font.path for family in _PLAIN_FAMILIES for font in found.get(family, [])[:4]]
    usable: list[FontFile] = []
    if plain:
        patterns = _patterns(plain)
        for family in sorted(found):
            usable += [f for f in _spread(sorted(found[family])) if _readable(f, patterns)]
    families = len({font.family for font in usable})
    if families < FEWEST_FAMILIES:
        raise BadInput(
            f"{families} font families are installed and {FEWEST_FAMILIES} are wanted: "
            f"apt-get install {' '.join(FONT_PACKAGES)}"
        )
    return tuple(usable)


def _patterns(paths: list[str]) -> Patterns:
    """Digits as the plain fonts print them, one row a font."""
    shapes = {digit: [_shape(path, digit) for path in paths] for digit in "0123456789"}
    return {d: np.stack([t for t in tiles if t is not None]) for d, tiles in shapes.items()}


def _spread(fonts: list[FontFile]) -> list[FontFile]:
    if len(fonts) <= _FILES_A_FAMILY:
        return fonts
    step = len(fonts) / _FILES_A_FAMILY
    return [fonts[int(number * step)] for number in range(_FILES_A_FAMILY)]


@lru_cache(maxsize=6)
def fonts_of(split: str, signs: bool = False) -> dict[str, tuple[FontFile, ...]]:
    """The fonts of one split by family; with ``signs`` only those that have a ±."""
    families: dict[str, list[FontFile]] = {}
    for font in usable_fonts():
        if font.split != split:
            continue
        if not signs or _has(font.path, "±-"):
            families.setdefault(font.family, []).append(font)
    return {family: tuple(fonts) for family, fonts in families.items()}


def draw_font(rng: np.random.Generator, split: str, signs: bool = False) -> FontFile:
    """A font of the split: first a family, then one of its styles."""
    families = fonts_of(split, signs)
    names = sorted(families)
    fonts = families[names[int(rng.integers(len(names)))]]
    return fonts[int(rng.integers(len(fonts)))]
