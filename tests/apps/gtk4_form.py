"""GTK 4 widgets in a program of ours, with bubbles that show in windows of their own. Its state file shows what a goal
did."""

from harness import SCALES, Application
from harness.case import HERE

PYTHON = "/usr/bin/python3"
app = Application("GTK 4 widgets", "GTK 4", [PYTHON])


def form(case):
    state = case.path("state.json")
    case.start(PYTHON, HERE / "programs/gtk4_form.py", state, title="GTK form")
    return state


def becomes(case, state, name, value):
    case.becomes(value, lambda: case.state(state).get(name), name)


@app.goal("fields are named by their placeholders", "text", quick=True, settings=SCALES)
def placeholders(case):
    state = form(case)
    case.goal('type "Ada" into "Your name"; type "Main 1" into "Street and number"; type "Bob" into "Your name"')
    becomes(case, state, "name", "Bob")
    becomes(case, state, "street", "Main 1")


@app.goal("an item of a drop-down list is selected", "drop-downs", quick=True, settings=SCALES)
def select(case):
    state = form(case)
    case.goal('select "Colour 4" in 1st combo box; select "Colour 2" in 1st combo box')
    becomes(case, state, "colour", "Colour 2")


@app.goal("an item of a drop-down list that is scrolled out is selected", "drop-downs", settings=SCALES,
          limit="GTK 4 creates the rows of a long list only where they show")
def select_far(case):
    state = form(case)
    case.goal('select "Colour 27" in 1st combo box')
    becomes(case, state, "colour", "Colour 27")


@app.goal("a button in a bubble is clicked", "menus", quick=True, settings=SCALES)
def bubble(case):
    state = form(case)
    case.goal('click "Share"; click "Send"')
    becomes(case, state, "bubble", "Send")


@app.goal("a box is checked by its label", "check boxes", settings=SCALES)
def check(case):
    state = form(case)
    case.goal('click "Private"; click "Private"; click "Private"')
    becomes(case, state, "private", True)


@app.goal("a row that is scrolled out is selected", "scrolling", settings=SCALES)
def row(case):
    state = form(case)
    case.goal('click "Row 38"; click "Row 3"')
    becomes(case, state, "row", 3)
