"""wxWidgets in a program of ours: one control of each kind. Its state file shows what a goal did."""

from harness import SCALES, Application
from harness.case import HERE

PYTHON = "/usr/bin/python3"
app = Application("wx program", "wxWidgets (GTK 3)", [PYTHON])


def form(case):
    state = case.path("state.json")
    case.start(PYTHON, HERE / "programs/wx_form.py", state, title="wx form")
    return state


def becomes(case, state, name, value):
    case.becomes(value, lambda: case.state(state)[name], name)


@app.goal("a menu's item is clicked", "menus", settings=SCALES)
def menu(case):
    state = form(case)
    case.goal('click "Actions"; click "Greet"')
    becomes(case, state, "menu", ["Greet"])


@app.goal("a menu's check item is checked", "menus", "check boxes")
def check_item(case):
    state = form(case)
    case.goal('click "Actions"; click "Bold"')
    becomes(case, state, "bold", True)


@app.goal("a question is answered", "dialogs")
def dialog(case):
    state = form(case)
    case.goal('click "Actions"; click "Ask something"; click "Yes"')
    becomes(case, state, "answer", "yes")


@app.goal("a field beside a label is filled", "text", settings=SCALES)
def entry(case):
    state = form(case)
    case.goal('type "Köln" into field right of "Town"')
    becomes(case, state, "town", "Köln")


@app.goal("a password field is filled", "text")
def password(case):
    state = form(case)
    case.goal('type "a b;c" into field right of "Secret"')
    becomes(case, state, "secret", "a b;c")


@app.goal("a check box is checked", "check boxes")
def check(case):
    state = form(case)
    case.goal('click "Subscribe me"; check "Subscribe me" is checked')
    becomes(case, state, "check", True)


@app.goal("a radio button is chosen", "radio buttons")
def radio(case):
    state = form(case)
    case.goal('click "Large"')
    becomes(case, state, "size", "Large")


@app.goal("a drop-down is opened and an item chosen", "drop-downs", settings=SCALES)
def drop_down(case):
    state = form(case)
    case.goal('click combo box "red"; click "blue"')
    becomes(case, state, "colour", "blue")


@app.goal("a spin button gets a value", "spin buttons")
def spin(case):
    state = form(case)
    case.goal('set spin button right of "Amount" to 7')
    becomes(case, state, "amount", 7)


@app.goal("a slider gets a value", "sliders")
def slider(case):
    state = form(case)
    case.goal('set slider right of "Volume" to 30')
    becomes(case, state, "volume", 30)


@app.goal("a button is clicked", "dialogs")
def button(case):
    state = form(case)
    case.goal('click "Finish"')
    becomes(case, state, "finished", True)


@app.goal("a row of 300 is clicked below the fold", "scrolling", "tabs", settings=SCALES)
def far_row(case):
    state = form(case)
    case.goal('click "Rows"; click "entry 240"')
    becomes(case, state, "row", "entry 240")


@app.goal("a row is double-clicked", "table cells", "tabs")
def double(case):
    state = form(case)
    case.goal('click "Rows"; double-click "entry 4"')
    becomes(case, state, "activated", "entry 4")


@app.goal("the context menu's item is clicked", "context menu", settings=SCALES)
def context_menu(case):
    state = form(case)
    case.goal('click "Rows"; right-click "entry 2"; click "Paint blue"')
    becomes(case, state, "menu", ["Paint blue"])


@app.goal("closing is cancelled by its question", "unsaved changes", "dialogs")
def close_cancelled(case):
    form(case)
    case.goal('close "wx form"; click "No"; check window "wx form" is open')
    case.window("wx form")


@app.looked_at("Actions")
def looked_at(case):
    form(case)
