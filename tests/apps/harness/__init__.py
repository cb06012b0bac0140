"""What the files of the applications need: Application, the settings, and the parts that judge and report a run."""

import pathlib
import sys

# The console, the sandbox and the second opinion on X11 are those of the end-to-end tests.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "e2e"))

from .catalogue import GERMAN, LARGE, SMALL, Application  # noqa: E402, F401
