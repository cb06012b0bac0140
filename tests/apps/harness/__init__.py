"""The harness of the application files: Application, the settings, and the parts that check and report a run."""

import pathlib
import sys

# Console, sandbox and independent X11 checks come from the end-to-end tests.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "harness"))

from .catalogue import ARABIC, DOUBLE, GERMAN, HALF_LARGER, LARGE, SCALES, SMALL, Application  # noqa: E402

__all__ = ["ARABIC", "DOUBLE", "GERMAN", "HALF_LARGER", "LARGE", "SCALES", "SMALL", "Application"]
