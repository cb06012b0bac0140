"""Runs goals: each application and setting on its own display, at most two displays at once."""

import contextlib
import dataclasses
import importlib
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from .catalogue import DOUBLE, HALF_LARGER, SETTINGS, SMALL
from .harm import Harm
from .report import FAILED, LIMIT, NO_LIMIT, WITHOUT_TREE, WORKS, Result

HERE = pathlib.Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
DISPLAYS = 2
HARM_S = 400
GOAL_S = 150  # Longer than any goal takes; the limits of the runs themselves are shorter.

# In the order of the table.
MODULES = (
    "mousepad", "gedit", "gnome_text_editor", "featherpad", "galculator", "gnome_calculator", "zenity", "pcmanfm", "evince",
    "xterm", "tk", "fullscreen", "tiling", "libreoffice_writer", "libreoffice_calc", "chromium", "firefox", "swing",
    "keepassxc", "kate", "inkscape", "audacity", "gimp", "gtk4_form", "qt_form", "qml_form", "wx_form", "terminal_tabs",
)


def applications(only=(), heavy=True):
    found = []
    for module in MODULES:
        if only and module not in only:
            continue
        found.append((module, importlib.import_module(module).app))
    return [(module, app) for module, app in found if heavy or not app.heavy]


@dataclasses.dataclass(frozen=True)
class Batch:
    """Goals of one application on one desktop."""
    module: str
    app: object
    setting: object
    goals: tuple


def batches(chosen, quick=False, settings=(), match=""):
    found = []
    for module, app in chosen:
        for setting in SETTINGS:
            goals = tuple(goal.name for goal in app.goals
                          if setting in goal.settings and match in goal.name
                          and (not quick or (goal.quick and setting not in (HALF_LARGER, DOUBLE))))
            if goals and (not settings or setting.name in settings):
                found.append(Batch(module, app, setting, goals))
    return found


def run_goal(app, goal, setting):
    from .case import Case
    result = Result(app.name, app.toolkit, goal.name, list(goal.features), setting.name, WORKS)
    started = time.monotonic()
    case = Case(setting)
    failure = ""
    try:
        goal.function(case)
    except Exception as error:  # Any exception fails only this goal, not the whole run.
        failure = " ".join(str(error).split()) or type(error).__name__
        if not isinstance(error, AssertionError):
            failure = f"{type(error).__name__}: {failure}"
        failure += f" | not proven: {'; '.join(case.unproven)}" if case.unproven else ""
        failure = (case.deaths() + failure)[:700]
        if "DA_APPS_PICTURES" in os.environ:
            picture(app, goal, setting)
    finally:
        case.close()
    result.seconds = round(time.monotonic() - started, 1)
    result.sentences, result.proven = case.sentences, case.proven
    result.false_done = bool(failure) and case.says_done
    if failure:
        result.verdict, result.reason = (LIMIT, goal.limit) if goal.limit else (FAILED, failure)
        result.found = failure
    elif goal.limit:
        result.verdict = NO_LIMIT
    elif not app.tree:
        result.verdict = WITHOUT_TREE
    return result


def picture(app, goal, setting):
    """Saves a screenshot of a failed goal in the directory DA_APPS_PICTURES."""
    from PIL import ImageGrab
    name = "".join(letter if letter.isalnum() else "-" for letter in f"{app.name} {setting.name} {goal.name}")
    with contextlib.suppress(OSError):
        ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).save(f"{os.environ['DA_APPS_PICTURES']}/{name}.png")


def run_on_display(module, setting_name, names, results):
    """Runs in the process that deploy/desktop started: writes a line of JSON for each goal."""
    app = importlib.import_module(module).app
    setting = next(setting for setting in SETTINGS if setting.name == setting_name)
    missing = [program for program in app.programs if shutil.which(program) is None]
    with open(results, "w", encoding="utf-8", buffering=1) as out:
        for goal in app.goals:
            if goal.name not in names:
                continue
            if missing:
                result = Result(app.name, app.toolkit, goal.name, list(goal.features), setting.name, FAILED,
                                f"{missing[0]} is not installed (deploy/packages/apps)")
            else:
                result = run_goal(app, goal, setting)
            out.write(json.dumps(dataclasses.asdict(result)) + "\n")


def measure_on_display(module, setting_name, results):
    """Runs in the process that deploy/desktop started: writes one line of JSON."""
    from .harm import measure
    app = importlib.import_module(module).app
    setting = next(setting for setting in SETTINGS if setting.name == setting_name)
    pathlib.Path(results).write_text(json.dumps(dataclasses.asdict(measure(app, setting))) + "\n")


def locale_directory(locale):
    """Compiles the locale if the system lacks it. Returns LOCPATH, or None if the system has it."""
    if locale.lower().replace("utf-8", "utf8") in subprocess.check_output(["locale", "-a"], text=True).lower().split():
        return None
    place = pathlib.Path(tempfile.gettempdir()) / f"desktopassist-locales-{os.getuid()}"
    if not (place / locale).is_dir():
        fresh = pathlib.Path(tempfile.mkdtemp())
        subprocess.run(["localedef", "-i", locale.split(".")[0], "-f", "UTF-8", str(fresh / locale)], check=True)
        place.mkdir(exist_ok=True)
        with contextlib.suppress(OSError):  # Another run may have created it in the meantime.
            (fresh / locale).rename(place / locale)
        shutil.rmtree(fresh, ignore_errors=True)
    return str(place)


def environment_of(setting):
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "LANGUAGE", "LANG")}
    environment["LC_ALL"] = setting.locale
    environment.update(setting.environment)
    path = None if setting.locale.startswith("C.") else locale_directory(setting.locale)
    if path:
        environment["LOCPATH"] = path
    return environment


def on_display(module, setting, seconds, *words, show=lambda line: None):
    """Starts this program again on its own display. Returns its result lines and the end of its log. Calls show() for
    each line as soon as it is written."""
    with tempfile.TemporaryDirectory(prefix="da-apps-") as scratch:
        results = pathlib.Path(scratch) / "results"
        results.touch()
        command = ["setpriv", "--pdeathsig", "TERM",  # The desktop must not outlive this process.
                   str(ROOT / "deploy/desktop"), "--size", setting.size, sys.executable, str(HERE / "run"), "--on-display",
                   module, "--setting", setting.name, "--results", str(results), *words]
        with open(pathlib.Path(scratch) / "log", "wb") as log:
            process = subprocess.Popen(command, env=environment_of(setting), stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=log)
            found = follow(process, results, time.monotonic() + seconds, show)
        said = (pathlib.Path(scratch) / "log").read_text(errors="replace").strip().splitlines()[-3:]
        return found, " | ".join(said)


def follow(process, results, deadline, show):
    """Reads the lines of the file until the process ends; sends it SIGTERM at the deadline."""
    found = []
    while True:
        over = process.poll() is not None
        lines = results.read_text().split("\n")[:-1]  # The last line may be incomplete.
        for line in lines[len(found):]:
            found.append(json.loads(line))
            show(found[-1])
        if over:
            return found
        if time.monotonic() > deadline:
            process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.5)


def run_batch(batch, show):
    lines, said = on_display(batch.module, batch.setting, GOAL_S * len(batch.goals),
                             *(word for name in batch.goals for word in ("--goal", name)),
                             show=lambda line: show(Result(**line)))
    found = [Result(**line) for line in lines]
    done = {result.goal for result in found}
    for goal in batch.app.goals:
        if goal.name in batch.goals and goal.name not in done:
            found.append(Result(batch.app.name, batch.app.toolkit, goal.name, list(goal.features), batch.setting.name,
                                FAILED, f"the desktop ended before the goal did: {said}"))
            show(found[-1])
    return found


def measure_harm(chosen):
    """Measures one application after the other, because concurrent runs would distort the result."""
    found = []
    for module, app in chosen:
        if app.look is None:
            continue
        lines, said = on_display(module, SMALL, HARM_S, "--harm")
        found.append(Harm(**lines[0]) if lines else Harm(app.name, problem=f"the desktop ended: {said}"))
    return found


def run_batches(all_batches, show, displays=DISPLAYS):
    """Runs the batches and returns the results in their order."""
    waiting = queue.SimpleQueue()
    for index, batch in enumerate(all_batches):
        waiting.put((index, batch))
    results = {}

    def work():
        while True:
            try:
                index, batch = waiting.get_nowait()
            except queue.Empty:
                return
            results[index] = run_batch(batch, show)
    workers = [threading.Thread(target=work) for _ in range(min(displays, len(all_batches)))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return [result for index in sorted(results) for result in results[index]]
