"""A Tk program without accessibility: names are read from the screen. Its state file shows what a goal did."""

import x11
from harness import DOUBLE, LARGE, SMALL, Application
from harness.case import HERE

PROGRAM = HERE / "programs/tk_form.py"
PYTHON = "/usr/bin/python3"
app = Application("Tk program", "Tk 8.6", [PYTHON], tree=False)


def form(case):
    """Opens the form without da-console. Returns its state file."""
    state = case.path("state.json")
    case.start(PYTHON, PROGRAM, state, title="Tk form")
    x11.ask("xdotool", "windowfocus", "--sync", x11.window_of("Tk form"))
    return state


def becomes(case, state, name, value):
    case.becomes(value, lambda: case.state(state)[name], name)


@app.goal("a menu's item is clicked", "menus", settings=(SMALL, LARGE))
def menu(case):
    state = form(case)
    case.goal('click "Actions"; click "Greet"')
    becomes(case, state, "menu", ["Greet"])


@app.goal("a dialog is answered", "dialogs", settings=(SMALL, DOUBLE))
def dialog(case):
    state = form(case)
    case.goal('click "Actions"; click "Ask something"; click "Yes"')
    becomes(case, state, "answer", "yes")


@app.goal("a text is typed into the field beside a label", "text")
def entry(case):
    state = form(case)
    case.goal('click "Town"; press tab; press tab; type "Köln"')
    becomes(case, state, "town", "Köln")


@app.goal("a check box is clicked by its text", "check boxes", quick=True, settings=(SMALL, DOUBLE))
def check(case):
    state = form(case)
    case.goal('click "Subscribe me"')
    becomes(case, state, "check", True)


@app.goal("a radio button is clicked by its text", "radio buttons")
def radio(case):
    state = form(case)
    case.goal('click "Size large"')
    becomes(case, state, "size", "large")


@app.goal("a drop-down is changed by its text and keys", "drop-downs")
def drop_down(case):
    state = form(case)
    case.goal('click "red"; click "green"')
    becomes(case, state, "colour", "green")


@app.goal("a spin button is changed by keys", "spin buttons", "keyboard only")
def spin(case):
    state = form(case)
    case.goal('click "red"; press esc; press tab; press up; press up')
    becomes(case, state, "amount", "7")


@app.goal("a slider is moved by keys", "sliders", "keyboard only")
def slider(case):
    state = form(case)
    case.goal('click "red"; press esc; press tab; press tab; press right; press right; press right')
    becomes(case, state, "volume", 13)


@app.goal("a tab is clicked, and a row that shows", "tabs", "1,000 rows")
def row(case):
    state = form(case)
    case.goal('click "Rows"; click "entry 7"')
    becomes(case, state, "row", "entry 7")


@app.goal("the wheel scrolls 1,000 rows, and one is clicked", "1,000 rows", "scrolling")
def far_row(case):
    state = form(case)
    case.goal('click "Rows"; scroll down 50 at 400,300; wait for "entry 255"; click "entry 255"', seconds=90)
    becomes(case, state, "row", "entry 255")


@app.goal("a row of 1,000 that does not show is clicked", "1,000 rows",
          limit="without a tree nobody knows what a list has beyond what shows: scroll to it first")
def hidden_row(case):
    state = form(case)
    case.goal('click "Rows"; click "entry 640"')
    becomes(case, state, "row", "entry 640")


@app.goal("a tree is opened by a double click, and its leaf clicked", "trees", "table cells")
def tree(case):
    state = form(case)
    case.goal('click "Tree"; double-click "Vegetables"; click "Onions"')
    becomes(case, state, "item", "Onions")


@app.goal("a context menu's item is clicked", "context menu")
def context(case):
    state = form(case)
    case.goal('click "Canvas"; right-click "Target"; click "Paint blue"')
    becomes(case, state, "menu", ["Paint blue"])


@app.goal("a card is dragged between two points", "drag and drop")
def drag_points(case):
    state = form(case)
    x, y = canvas(case)
    case.goal(f'click "Canvas"; wait for "Card"; drag from {x + 150},{y + 100} to {x + 600},{y + 350}')
    becomes(case, state, "dragged", "Target")


def canvas(case):
    """Returns the upper left corner of the canvas, which is below the menu bar and the tabs."""
    left, top, _, _ = case.inside("Tk form")
    return left + 21, top + 85


@app.goal("a card is dragged onto another by their names", "drag and drop")
def drag_names(case):
    state = form(case)
    case.goal('click "Canvas"; drag "Card" to "Target"')
    becomes(case, state, "dragged", "Target")


@app.goal("a file is chosen by its typed path", "file chooser (open)")
def load(case):
    file = case.write("wanted.txt", "")
    state = form(case)
    case.goal(f'click "Actions"; click "Load a file"; wait for "Cancel"; type "{file}"; press enter')
    becomes(case, state, "file", str(file))


@app.goal("leaving with unsaved changes: not left, then left", "unsaved changes", "dialogs")
def leave(case):
    form(case)
    case.goal('close "Tk form"; click "No"; check window "Tk form" is open; close "Tk form"; click "Yes"')
    case.no_window("Tk form")


@app.looked_at(window="Tk form")
def looked_at(case):
    form(case)
