"""Applications and their goals, as data.

    app = Application("mousepad", "GTK 3", programs=["mousepad"])

    @app.goal("a text is saved under a name", "file chooser (save)")
    def save(case):
        ...

A goal that is known to be impossible declares the reason (`limit`). It runs anyway, so that the table shows when it
begins to work.
"""

import dataclasses
from typing import Callable

# The features that goals exercise, in the order of the table in docs/APPLICATIONS.md.
FEATURES = (
    "open", "menus", "context menu", "dialogs", "file chooser (open)", "file chooser (save)", "1,000 rows", "trees",
    "tabs", "check boxes", "radio buttons", "drop-downs", "sliders", "spin buttons", "table cells", "text",
    "scrolling", "drag and drop", "keyboard only", "unsaved changes", "windows",
)


@dataclasses.dataclass(frozen=True)
class Setting:
    """Screen size, locale and scale of a desktop for goals."""
    name: str
    size: str
    locale: str = "C.UTF-8"
    environment: tuple[tuple[str, str], ...] = ()


SMALL = Setting("1280x800", "1280x800")
LARGE = Setting("1920x1080", "1920x1080")
GERMAN = Setting("German, 1280x800", "1280x800", "de_DE.UTF-8")
ARABIC = Setting("Arabic, 1280x800", "1280x800", "ar_EG.UTF-8")
# GTK 3 has no scale of 1.5, only larger fonts.
HALF_LARGER = Setting("scale 1.5, 1920x1200", "1920x1200",
                      environment=(("QT_SCALE_FACTOR", "1.5"), ("GDK_DPI_SCALE", "1.5")))
DOUBLE = Setting("scale 2, 2560x1600", "2560x1600", environment=(("QT_SCALE_FACTOR", "2"), ("GDK_SCALE", "2")))
SETTINGS = (SMALL, LARGE, GERMAN, ARABIC, HALF_LARGER, DOUBLE)
SCALES = (SMALL, HALF_LARGER, DOUBLE)


@dataclasses.dataclass(frozen=True)
class Goal:
    name: str
    features: tuple[str, ...]
    function: Callable
    limit: str       # Why the goal is impossible today; empty if it is possible.
    quick: bool      # Whether it is part of every test run, not only of deploy/test --apps.
    settings: tuple[Setting, ...]


@dataclasses.dataclass(frozen=True)
class Look:
    """For the harm table: opens the application; `sentence` is the goal sentence that observes it."""
    open: Callable
    sentence: str


class Application:
    """One application. `tree` is False if it has no accessibility; targets are then read from the screen."""

    def __init__(self, name, toolkit, programs, tree=True, heavy=False):
        self.name, self.toolkit, self.programs, self.tree, self.heavy = name, toolkit, programs, tree, heavy
        self.look = None
        self.goals = []

    def goal(self, name, *features, limit="", quick=False, settings=(SMALL,)):
        unknown = set(features) - set(FEATURES)
        if unknown or not features:
            raise ValueError(f"{self.name}: {name}: unknown features {sorted(unknown)}")
        if name in [goal.name for goal in self.goals]:
            raise ValueError(f"{self.name}: two goals are called {name!r}")

        def register(function):
            self.goals.append(Goal(name, features, function, limit, quick, tuple(settings)))
            return function
        return register

    def looked_at(self, shows="", window=""):
        """Decorates the function that opens the application for the harm table. `shows` is a text always visible."""
        def register(function):
            sentence = f'check window "{window}" is open' if window else f'check "{shows}" is visible'
            self.look = Look(function, sentence)
            return function
        return register
