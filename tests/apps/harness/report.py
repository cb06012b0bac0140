"""Writes the results of a run: on the terminal, as JSON, and as docs/APPLICATIONS.md."""

import dataclasses
import json

from .catalogue import FEATURES
from .harm import HEADER, LOOKS, Harm

WORKS, WITHOUT_TREE, LIMIT, NO_LIMIT, FAILED = "works", "works without accessibility", "not possible", "works now", "failed"

INTRODUCTION = """# Applications

What DesktopAssist can do in real applications, verified on X11 (Debian 12, Xvfb and openbox). `deploy/test --apps` runs
every goal of this page and `tests/apps/run --write-docs` writes the page from the result; the goals stand in
`tests/apps/`, one file for each application. What a goal did is judged by others than DesktopAssist: the file on disk,
what the program printed, its D-Bus interface, the log of a small web server, or xdotool, wmctrl and xprop.

*Works*: through the application's accessibility tree, or with keys. *Works without accessibility*: the application has
no such tree, and names are read from the screen. *Not possible*: with the reason.
"""


HARM_INTRODUCTION = f"""## What being looked at costs an application

Memory (resident, all processes of the application) and CPU time (of one core) before, during and after {LOOKS}
observations in a row. The bounds: no more than 5 % or 20 MB more memory at any time, whichever is larger, and no more
than 5 % more CPU afterwards.

"""


@dataclasses.dataclass
class Result:
    application: str
    toolkit: str
    goal: str
    features: list
    setting: str
    verdict: str
    reason: str = ""     # Why the goal is impossible or failed.
    found: str = ""      # The failure of a goal that is impossible.
    seconds: float = 0
    sentences: int = 0   # Carried out by the goal.
    proven: int = 0      # Those of them with a proof.
    false_done: bool = False  # It said "done", and something else was found.

    @property
    def good(self):
        return self.verdict != FAILED

    def line(self):
        reason = f": {self.reason}" if self.reason else ""
        reason += " (it said done)" if self.false_done else ""
        return f"{self.seconds:5.1f} s  {self.application}, {self.setting}: {self.goal} ... {self.verdict}{reason}"


def write_json(file, results, harm):
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"goals": [dataclasses.asdict(result) for result in results],
                   "harm": [dataclasses.asdict(result) | {"good": result.good} for result in harm]},
                  out, indent=1, ensure_ascii=False)
        out.write("\n")


def read_json(files):
    """Returns the results of earlier runs. If a goal is in several files, the last one is used."""
    results, harm = {}, {}
    for file in files:
        with open(file, encoding="utf-8") as saved:
            parts = json.load(saved)
        for part in parts["goals"]:
            results[part["application"], part["setting"], part["goal"]] = Result(**part)
        for part in parts["harm"]:
            part.pop("good")
            harm[part["application"]] = Harm(**part)
    return list(results.values()), list(harm.values())


def table(results):
    """Returns one row per application with the number of goals for each verdict."""
    verdicts = (WORKS, WITHOUT_TREE, LIMIT, NO_LIMIT, FAILED)
    rows = [["application", "toolkit", *verdicts, "proven", "false done"]]
    for name in dict.fromkeys(result.application for result in results):
        of_it = [result for result in results if result.application == name]
        counts = [sum(result.verdict == verdict for result in of_it) for verdict in verdicts]
        rows.append([name, of_it[0].toolkit, *(str(count or "") for count in counts), *proof_cells(of_it)])
    rows.append(["all", "", *(str(sum(result.verdict == verdict for result in results)) for verdict in verdicts),
                 *proof_cells(results)])
    return rows


def proof_cells(results):
    """How many of the sentences were proven, and how many goals said "done" although something else was found."""
    proven, sentences = sum(result.proven for result in results), sum(result.sentences for result in results)
    return [f"{proven} of {sentences}", str(sum(result.false_done for result in results))]


def text_table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def summary(results):
    failed = sum(not result.good for result in results)
    return f"{len(results) - failed} passed, {failed} failed"


def harm_table(harm):
    return [HEADER, *(result.row() for result in harm)]


def feature_cell(results):
    if not results:
        return ""
    good = [result for result in results if result.verdict in (WORKS, WITHOUT_TREE, NO_LIMIT)]
    if len(good) == len(results):
        return "by sight" if good[0].verdict == WITHOUT_TREE else "yes"
    return "partly" if good else "no"


def markdown_table(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]) + "\n"


def markdown(results, harm):
    proven, false_done = proof_cells(results)
    programs = len({result.application for result in results})
    parts = [INTRODUCTION, f"In all: {len(results)} goals on {programs} programs. The effect of {proven} sentences was "
             f"proven.\nGoals that said \"done\" while something else was found: {false_done}.\n"]
    names = list(dict.fromkeys(result.application for result in results))
    parts.append("## At a glance\n\n*by sight*: works without accessibility. *partly*: some goals are not possible.\n")
    for chunk in (names[start:start + 7] for start in range(0, len(names), 7)):
        rows = ["| | " + " | ".join(chunk) + " |", "|---" * (len(chunk) + 1) + "|"]
        for feature in FEATURES:
            cells = [feature_cell([result for result in results if result.application == name
                                   and feature in result.features]) for name in chunk]
            if any(cells):
                rows.append(f"| {feature} | " + " | ".join(cells) + " |")
        parts.append("\n".join(rows) + "\n")
    for name in names:
        of_it = [result for result in results if result.application == name]
        proven, false_done = proof_cells(of_it)
        parts.append(f"## {name} ({of_it[0].toolkit})\n\nProven: {proven} sentences. Said done and was not: "
                     f"{false_done}.\n")
        rows = ["| goal | desktop | |", "|---|---|---|"]
        for result in of_it:
            reason = f": {result.reason}" if result.reason else ""
            rows.append(f"| {result.goal} | {result.setting} | {result.verdict}{reason} |".replace("\n", " "))
        parts.append("\n".join(rows) + "\n")
    if harm:
        parts.append(HARM_INTRODUCTION + markdown_table(harm_table(harm)))
    return "\n".join(parts)
