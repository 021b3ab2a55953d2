"""The camera: where a point of the table lands in the picture, and what lens and sensor do to it.

The table's plane has x to the right and y towards the viewer, z up from it; its unit is the short
side of a card.

>>> camera = Camera.over(1280, 720, Pose(card_px=60.0, tilt_deg=0.0, roll_deg=0.0, zoom=1.0))
>>> [float(round(v, 3)) for v in project(camera.plane(0.0), np.array([[1.0, 0.0]]))[0]]
[700.0, 360.0]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.values import Image

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pose:
    """How a camera looks at the table.

    Attributes:
        card_px: short side of a card in the middle of the picture.
        tilt_deg: 0 looks straight down.
        roll_deg: turn of the picture about the line of sight.
        zoom: focal length in longest sides of the picture.
    """

    card_px: float
    tilt_deg: float
    roll_deg: float
    zoom: float


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A pinhole camera; ``matrix`` is its 3x4 projection."""

    matrix: Matrix
    width_px: int
    height_px: int

    @staticmethod
    def over(width_px: int, height_px: int, pose: Pose) -> Camera:
        """A camera whose line of sight meets the table in the plane's origin."""
        focal = pose.zoom * max(width_px, height_px)
        tilt, roll = np.radians([pose.tilt_deg, pose.roll_deg])
        sin, cos = np.sin(tilt), np.cos(tilt)
        view = np.array(
            [[1, 0, 0, 0], [0, cos, -sin, 0], [0, -sin, -cos, focal / pose.card_px]], np.float64
        )
        turn = np.array(
            [[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]]
        )
        inner = np.array([[focal, 0, width_px / 2], [0, focal, height_px / 2], [0, 0, 1]])
        return Camera(inner @ turn @ view, width_px, height_px)

    def plane(self, z: float) -> Matrix:
        """The homography from the plane at height ``z`` to pixels."""
        m = self.matrix
        return np.stack([m[:, 0], m[:, 1], m[:, 2] * z + m[:, 3]], axis=1)

    def on_table(self, points_px: Matrix) -> Matrix:
        """The points of the table, shape (n, 2), that lie under these pixels."""
        inverse = np.asarray(np.linalg.inv(self.plane(0.0)), np.float64)
        return project(inverse, points_px)


def project(matrix: Matrix, points: Matrix) -> Matrix:
    """Send points of shape (n, 2) through a homography."""
    homogeneous = np.c_[points, np.ones(len(points))] @ matrix.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:], np.float64)


@dataclass(frozen=True, slots=True)
class Barrel:
    """A slight radial distortion; ``k`` > 0 bulges."""

    k: float
    width_px: int
    height_px: int

    def bend(self, bgr: Image) -> Image:
        """The picture as this lens shows it."""
        h, w = self.height_px, self.width_px
        scale = max(w, h) / 2
        x = (np.arange(w, dtype=np.float32)[None, :] - w / 2) / scale
        y = (np.arange(h, dtype=np.float32)[:, None] - h / 2) / scale
        factor = 1 + self.k * (x * x + y * y)
        map_x = (x * factor * scale + w / 2).astype(np.float32)
        map_y = (y * factor * scale + h / 2).astype(np.float32)
        bent = cv2.remap(bgr, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(bent, np.uint8)

    def move(self, points_px: Matrix) -> Matrix:
        """Where points of the straight picture lie in the bent one (fixed point, five rounds)."""
        middle = np.array([self.width_px / 2, self.height_px / 2])
        straight = (points_px - middle) / (max(self.width_px, self.height_px) / 2)
        bent = straight.copy()
        for _ in range(5):
            bent = straight / (1 + self.k * (bent**2).sum(1, keepdims=True))
        return np.asarray(bent * max(self.width_px, self.height_px) / 2 + middle, np.float64)


def blur_far(bgr: Image, rng: np.random.Generator, strength_px: float) -> Image:
    """Blur the picture towards its top or bottom, as a shallow depth of field does."""
    soft = np.asarray(cv2.GaussianBlur(bgr, (0, 0), max(0.3, strength_px)), np.uint8)
    height = bgr.shape[0]
    ramp = np.linspace(-rng.uniform(0, 1), 1, height, dtype=np.float32)
    share = np.clip(ramp if rng.random() < 0.3 else ramp[::-1], 0, 1)[:, None, None]
    return np.asarray(bgr * (1 - share) + soft * share, np.uint8)


def shake(bgr: Image, length_px: float, angle_rad: float) -> Image:
    """Blur along a line, as a moving camera or a short motion does."""
    half = max(1, round(length_px / 2))
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    dx, dy = half * np.cos(angle_rad), half * np.sin(angle_rad)
    start = (round(half - dx), round(half - dy))
    cv2.line(kernel, start, (round(half + dx), round(half + dy)), 1.0, 1)
    return np.asarray(cv2.filter2D(bgr, -1, kernel / kernel.sum()), np.uint8)


@dataclass(frozen=True, slots=True)
class Sensor:
    """What the picture goes through after the lens.

    Attributes:
        blur_px: sigma of defocus.
        shake_px: length of motion blur.
        resample: share of the resolution that is kept.
        noise: sigma in steps of 8 bits.
        sharpen: strength of an unsharp mask.
        jpeg: quality 0-100; 0 leaves compression out.
    """

    blur_px: float = 0.0
    shake_px: float = 0.0
    resample: float = 1.0
    noise: float = 0.0
    sharpen: float = 0.0
    jpeg: int = 0


def expose(bgr: Image, sensor: Sensor, rng: np.random.Generator) -> Image:
    """Put a picture through a sensor: blur, resolution, noise, sharpening, JPEG."""
    out = bgr
    height, width = out.shape[:2]
    if sensor.shake_px >= 1:
        out = shake(out, sensor.shake_px, rng.uniform(0, np.pi))
    if sensor.blur_px > 0.25:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), sensor.blur_px), np.uint8)
    if sensor.resample < 0.98:
        size = (round(width * sensor.resample), round(height * sensor.resample))
        small = cv2.resize(out, size, interpolation=cv2.INTER_AREA)
        out = np.asarray(
            cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8
        )
    if sensor.noise > 0.3:
        out = _add_noise(out, sensor.noise, rng)
    if sensor.sharpen > 0.05:
        soft = cv2.GaussianBlur(out, (0, 0), 1.2)
        out = np.asarray(
            cv2.addWeighted(out, 1 + sensor.sharpen, soft, -sensor.sharpen, 0), np.uint8
        )
    if sensor.jpeg:
        coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])[1]
        out = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return out


@lru_cache(maxsize=1)
def _noise_pool() -> npt.NDArray[np.float32]:
    """Normal noise to cut pieces from: drawing it anew costs more than all the rest."""
    return np.random.default_rng(0).standard_normal((2048, 2048), dtype=np.float32)


def _piece(rng: np.random.Generator, height: int, width: int) -> npt.NDArray[np.float32]:
    pool = _noise_pool()
    y, x = rng.integers(pool.shape[0] - height), rng.integers(pool.shape[1] - width)
    return pool[y : y + height, x : x + width]


def _add_noise(bgr: Image, sigma: float, rng: np.random.Generator) -> Image:
    height, width = bgr.shape[:2]
    grey = _piece(rng, height, width) * np.float32(0.8 * sigma)
    half = cv2.merge([_piece(rng, height // 2, width // 2) for _ in range(3)]) * (0.6 * sigma)
    tint = cv2.resize(half, (width, height)) + grey[..., None]
    return np.asarray(cv2.add(bgr, tint.astype(np.int16), dtype=cv2.CV_8U), np.uint8)
