"""What the tests of this folder share: where the Windows build and Wine's prefixes are, and Wine's paths. Also makes the
harness importable."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NATIVE_BIN = pathlib.Path(os.environ.setdefault("DA_BIN", str(ROOT / "build/release/bin")))
sys.path.insert(0, str(ROOT / "tests/harness"))

WINE = os.environ.get("DA_WINE", str(ROOT / "deploy/windows/wine"))
PREFIX = pathlib.Path(os.environ.get("DA_WINE_PREFIX", ROOT / "build/windows-wine"))
DESKTOP_PREFIX = pathlib.Path(os.environ.get("DA_WINE_DESKTOP_PREFIX", ROOT / "build/windows-wine-desktop"))
BIN = pathlib.Path(os.environ.get("DA_WINDOWS_BIN", ROOT / "build/windows/bin"))
TESTS = pathlib.Path(os.environ.get("DA_WINDOWS_TESTS", ROOT / "build/windows/tests"))
PROGRAM = BIN / "da-actuator.exe"


def windows_path(path):
    """Wine's drive Z: is the root directory."""
    return "Z:" + str(path).replace("/", "\\")


def saved_text(path):
    """The text that Notepad has saved in the file by now."""
    return path.read_bytes().decode("utf-8-sig", errors="replace")
