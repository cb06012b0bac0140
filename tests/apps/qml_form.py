"""Qt Quick controls in a program of ours: one of each kind. Its state file shows what a goal did."""

from harness import SCALES, Application
from harness.case import HERE

PYTHON = "/usr/bin/python3"
app = Application("QML program", "Qt Quick 2 (Qt 5)", [PYTHON])


def form(case):
    state = case.path("state.json")
    case.start(PYTHON, HERE / "programs/qml_form.py", state, title="QML form")
    return state


def becomes(case, state, name, value):
    case.becomes(value, lambda: case.state(state)[name], name)


@app.goal("a menu's item is clicked", "menus", settings=SCALES)
def menu(case):
    state = form(case)
    case.goal('click "Actions"; click "Greet"')
    becomes(case, state, "menu", "Greet")


@app.goal("a field is filled twice, and the second text stays", "text", settings=SCALES)
def entry(case):
    state = form(case)
    case.goal('type "Bonn" into "Town"; type "Köln" into "Town"')
    becomes(case, state, "town", "Köln")


@app.goal("a password field is filled", "text")
def password(case):
    state = form(case)
    case.goal('type "a b;c" into "Secret"')
    becomes(case, state, "secret", "a b;c")


@app.goal("a check box is checked", "check boxes", settings=SCALES)
def check(case):
    state = form(case)
    case.goal('click "Subscribe me"')
    becomes(case, state, "check", True)


@app.goal("a switch is switched on", "check boxes")
def switch(case):
    state = form(case)
    case.goal('click "Dark mode"')
    becomes(case, state, "dark", True)


@app.goal("a radio button is chosen", "radio buttons")
def radio(case):
    state = form(case)
    case.goal('click "Large"')
    becomes(case, state, "size", "Large")


@app.goal("a drop-down is opened and an item chosen", "drop-downs", settings=SCALES)
def drop_down(case):
    state = form(case)
    case.goal('click "Colour"; click "blue"')
    becomes(case, state, "colour", "blue")


@app.goal("a slider is moved by keys", "sliders", "keyboard only")
def slider(case):
    state = form(case)
    case.goal('click "Colour"; press esc; press tab; press right; press right; press right')
    becomes(case, state, "volume", 3)


@app.goal("a dialog inside of the window is answered", "dialogs", settings=SCALES)
def dialog(case):
    state = form(case)
    case.goal('click "Finish"; click "Yes"')
    becomes(case, state, "answer", "yes")


@app.goal("a row that shows is clicked on another tab", "table cells", "tabs", settings=SCALES)
def row(case):
    state = form(case)
    case.goal('click "Rows"; click "entry 4"')
    becomes(case, state, "row", "entry 4")


@app.looked_at("Actions")
def looked_at(case):
    form(case)
