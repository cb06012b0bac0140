"""Applications and their goals, as data.

    app = Application("mousepad", "GTK 3", programs=["mousepad"])

    @app.goal("a text is saved under a name", "file chooser (save)")
    def save(case):
        ...

A goal that is known not to be possible declares why (`limit`). It runs all the same, so that the table shows when it
begins to work.
"""

import dataclasses
from typing import Callable

# What a goal exercises. The table in docs/APPLICATIONS.md lists them in this order.
FEATURES = (
    "open", "menus", "context menu", "dialogs", "file chooser (open)", "file chooser (save)", "1,000 rows", "trees",
    "tabs", "check boxes", "radio buttons", "drop-downs", "sliders", "spin buttons", "table cells", "text",
    "scrolling", "drag and drop", "keyboard only", "unsaved changes", "windows",
)


@dataclasses.dataclass(frozen=True)
class Setting:
    """A desktop that goals run on."""
    name: str
    size: str
    locale: str = "C.UTF-8"


SMALL = Setting("1280x800", "1280x800")
LARGE = Setting("1920x1080", "1920x1080")
GERMAN = Setting("German, 1280x800", "1280x800", "de_DE.UTF-8")
SETTINGS = (SMALL, LARGE, GERMAN)


@dataclasses.dataclass(frozen=True)
class Goal:
    name: str
    features: tuple[str, ...]
    function: Callable
    limit: str       # Why it is not possible today; empty where it is.
    quick: bool      # Part of every test run, not only of deploy/test --apps.
    settings: tuple[Setting, ...]


@dataclasses.dataclass(frozen=True)
class Look:
    """How the application is opened to be looked at many times, and what of it each look is about."""
    open: Callable
    sentence: str


class Application:
    """One application. `tree` is False where it offers no accessibility: targets are then read from the screen."""

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
        """Decorates what opens the application for the harm table: `shows` is always visible in it."""
        def register(function):
            sentence = f'check window "{window}" is open' if window else f'check "{shows}" is visible'
            self.look = Look(function, sentence)
            return function
        return register
