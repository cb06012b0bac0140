"""A Java Swing program with the Java access bridge (libatk-wrapper-java). Its state file shows what a goal did."""

from harness import DOUBLE, LARGE, SMALL, Application
from harness.case import HERE

PROGRAM = HERE / "programs/SwingForm.java"
COMMAND = ("java", "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper",
           "-cp", "/usr/share/java/java-atk-wrapper.jar", str(PROGRAM))
app = Application("Swing program", "Swing", ["java"], heavy=True)


def form(case):
    state = case.path("state.json")
    case.start(*COMMAND, state, title="Swing form", seconds=60)
    return state


def becomes(case, state, name, value):
    case.becomes(value, lambda: case.state(state)[name], name)


@app.goal("a menu's item is clicked", "menus", settings=(SMALL, LARGE))
def menu(case):
    state = form(case)
    case.goal('click "Actions"; click "Greet"')
    becomes(case, state, "menu", "Greet")


@app.goal("a dialog is answered", "dialogs")
def dialog(case):
    state = form(case)
    case.goal('click "Actions"; click "Ask something"; click "Yes"')
    becomes(case, state, "answer", "yes")


@app.goal("a window behind a modal dialog takes no act", "dialogs")
def blocked(case):
    state = form(case)
    run = case.goal('click "Actions"; click "Ask something"; click "Finish"', exit=1)
    assert "Yes" in run.errors(), run.errors()
    case.goal('click "Yes"; click "Finish"')
    becomes(case, state, "answer", "yes")
    becomes(case, state, "finished", "yes")


@app.goal("a field is filled by its label", "text", settings=(SMALL, DOUBLE))
def field(case):
    state = form(case)
    case.goal('type "Köln" into "Town"')
    becomes(case, state, "town", "Köln")


@app.goal("a check box is clicked", "check boxes")
def check(case):
    state = form(case)
    case.goal('click "Subscribe me"; check "Subscribe me" is checked')
    becomes(case, state, "check", "true")


@app.goal("a radio button is clicked", "radio buttons")
def radio(case):
    state = form(case)
    case.goal('click "Size large"')
    becomes(case, state, "size", "large")


@app.goal("a drop-down is opened and an item clicked", "drop-downs", settings=(SMALL, DOUBLE))
def drop_down(case):
    state = form(case)
    case.goal('click "red"; click "green"')
    becomes(case, state, "colour", "green")


@app.goal("a spin button is changed by keys", "spin buttons", "keyboard only")
def spin(case):
    state = form(case)
    case.goal('click "Amount"; press up; press up')
    becomes(case, state, "amount", "7")


@app.goal("a slider is moved by keys", "sliders", "keyboard only")
def slider(case):
    state = form(case)
    case.goal('click "Amount"; press tab; press end')
    becomes(case, state, "volume", "100")


@app.goal("a tab is clicked, and a row of 1,000 that shows", "tabs", "1,000 rows", "table cells")
def row(case):
    state = form(case)
    case.goal('click "Table"; click "person 7"', seconds=90)
    becomes(case, state, "row", "person 7")


@app.goal("a row of 1,000 below the fold is clicked", "1,000 rows", "scrolling",
          limit="Java did not tell the names of 2,000 cells in 0.7 s, so that only those that show are asked for: scroll first")
def far_row(case):
    state = form(case)
    case.goal('click "Table"; click "person 640"', seconds=90)
    becomes(case, state, "row", "person 640")


@app.goal("a table's cell is edited", "table cells")
def cell(case):
    state = form(case)
    case.goal('click "Table"; double-click "town 3"; press ctrl+a; type "Bonn"; press enter', seconds=90)
    becomes(case, state, "edited", "Bonn")


@app.goal("a tree is opened by a double click, and its leaf clicked", "trees")
def tree(case):
    state = form(case)
    case.goal('click "Tree"; double-click "Vegetables"; click "Onions"')
    becomes(case, state, "item", "Onions")


@app.goal("a context menu's item is clicked", "context menu")
def context(case):
    state = form(case)
    case.goal('click "Tree"; right-click "Fruits"; click "Peel it"')
    becomes(case, state, "menu", "Peel it")


@app.goal("a file is opened by its row", "file chooser (open)")
def load(case):
    case.write("wanted.txt", "")
    state = form(case)
    case.goal('click "Actions"; click "Load a file"; click "wanted.txt"; click "Open"')
    becomes(case, state, "file", "wanted.txt")


@app.goal("a file is saved under a typed name", "file chooser (save)")
def store(case):
    state = form(case)
    case.goal('click "Actions"; click "Store a file"; type "new.txt" into "File Name"; press enter')
    becomes(case, state, "stored", "new.txt")


@app.goal("leaving with unsaved changes: not left, then left", "unsaved changes", "dialogs")
def leave(case):
    form(case)
    case.goal('close "Swing form"; click "No"; check window "Swing form" is open; close "Swing form"; click "Yes"')
    case.no_window("Swing form")


@app.looked_at("Finish")
def looked_at(case):
    form(case)
