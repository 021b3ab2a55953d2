"""The one door to OpenCV: quiet, and clear about what is missing.

``from companion.vision.opencv import cv2`` instead of ``import cv2``: a machine without a desktop
often lacks libGL, and that is one line with the package to install, not a traceback.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping

from companion.errors import CompanionError

__all__ = ["cv2", "explain_missing"]

_QUIET = {
    # OpenCV and the ffmpeg inside it write to stderr by themselves; Camera.health() says it better.
    "OPENCV_LOG_LEVEL": "SILENT",
    "OPENCV_FFMPEG_LOGLEVEL": "-8",
    # A camera that hangs must not hold its reader for the usual ten seconds.
    "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "2",
    # On Windows this makes opening a webcam take a second instead of twenty.
    "OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS": "0",
}
_PACKAGES = {
    "libGL.so": "libgl1",
    "libgthread": "libglib2.0-0",
    "libglib": "libglib2.0-0",
    "libSM": "libsm6",
    "libXext": "libxext6",
    "libXrender": "libxrender1",
    "libxcb": "libxcb1",
}


def explain_missing(error: ImportError) -> str:
    """Say in one line what OpenCV lacks and how to get it.

    >>> explain_missing(ImportError("libGL.so.1: cannot open shared object file"))
    'OpenCV cannot load (libGL.so.1 is missing): install it with "sudo apt install libgl1"'
    """
    library = str(error).split(":")[0].strip()
    for start, package in _PACKAGES.items():
        if library.startswith(start):
            return (
                f"OpenCV cannot load ({library} is missing): "
                f'install it with "sudo apt install {package}"'
            )
    return f'OpenCV cannot load ({error}): install it with "pip install opencv-python"'


def _quieten(environment: MutableMapping[str, str]) -> None:
    for name, value in _QUIET.items():
        environment.setdefault(name, value)


_quieten(os.environ)
try:
    import cv2
except ImportError as error:
    raise CompanionError(explain_missing(error)) from error
