"""Qt widgets in a program of ours: one of each kind. Its state file shows what a goal did."""

from harness import ARABIC, GERMAN, SCALES, Application
from harness.case import HERE

PYTHON = "/usr/bin/python3"
app = Application("Qt widgets", "Qt 5", [PYTHON])


def form(case):
    state = case.path("state.json")
    case.start(PYTHON, HERE / "programs/qt_form.py", state, title="Qt form")
    return state


def becomes(case, state, name, value):
    case.becomes(value, lambda: case.state(state)[name], name)


@app.goal("a menu's item is clicked", "menus", settings=SCALES)
def menu(case):
    state = form(case)
    case.goal('click "Actions"; click "Greet"')
    becomes(case, state, "menu", ["Greet"])


@app.goal("a check item of a submenu is checked", "menus", "check boxes", settings=SCALES)
def submenu(case):
    state = form(case)
    case.goal('click "Actions"; click "More"; click "Bold"')
    becomes(case, state, "bold", True)


@app.goal("while a menu is open, a button beside it is not clicked", "menus", quick=True, settings=SCALES)
def beside_menu(case):
    state = form(case)
    run = case.goal('click "Actions"; click "Stamp"', exit=1)
    assert any("open menu" in line for line in run.stderr), run.stderr[-3:]
    assert "stamp" not in case.state(state)


@app.goal("a context menu's item wins over the tool bar's button of that name", "context menu",
          quick=True, settings=SCALES)
def context_menu(case):
    state = form(case)
    case.goal('click "Lists"; click "entry 3"; right-click "entry 3"; click "Stamp"')
    becomes(case, state, "marked", "entry 3")
    assert "stamp" not in case.state(state)


@app.goal("a question is answered", "dialogs", settings=SCALES)
def dialog(case):
    state = form(case)
    case.goal('click "Actions"; click "Ask something"; click "Yes"')
    becomes(case, state, "answer", "yes")


@app.goal("a field's text is replaced", "text", settings=SCALES)
def entry(case):
    state = form(case)
    case.goal('type "Köln" into "Town"')
    becomes(case, state, "town", "Köln")


@app.goal("a password is typed twice, and the second one stays", "text")
def password(case):
    state = form(case)
    case.goal('type "first" into "Secret"; type "a b;c" into "Secret"')
    becomes(case, state, "secret", "a b;c")


@app.goal("two lines are typed into an editor", "text")
def notes(case):
    state = form(case)
    case.goal('type "one\\ntwo" into "Notes"')
    becomes(case, state, "notes", "one\ntwo")


@app.goal("a check box is checked by its text", "check boxes", settings=SCALES)
def check(case):
    state = form(case)
    case.goal('click "Subscribe me"; check "Subscribe me" is checked')
    becomes(case, state, "check", True)


@app.goal("a radio button is chosen", "radio buttons", settings=SCALES)
def radio(case):
    state = form(case)
    case.goal('click "Large"; check "Large" is checked')
    becomes(case, state, "size", "Large")


@app.goal("a drop-down is set by one sentence (select)", "drop-downs", quick=True, settings=SCALES)
def select(case):
    state = form(case)
    case.goal('select "blue" in "Colour"')
    becomes(case, state, "colour", "blue")


@app.goal("an item of a closed drop-down is not clicked", "drop-downs", quick=True)
def closed_list(case):
    state = form(case)
    case.goal('click "green"', exit=1)
    assert "colour" not in case.state(state)


@app.goal("a row of a page that does not show is not clicked", "table cells", quick=True)
def hidden_page(case):
    state = form(case)
    run = case.goal('click "person 0"', exit=1)
    assert any("does not show" in line for line in run.stderr), run.stderr[-3:]
    assert "cell" not in case.state(state)


@app.goal("a spin button gets a value", "spin buttons", quick=True, settings=SCALES)
def spin(case):
    state = form(case)
    case.goal('set "Amount" to 7')
    becomes(case, state, "amount", 7)


@app.goal("a number is typed into a spin button", "spin buttons", "text")
def spin_typed(case):
    state = form(case)
    case.goal('type "42" into "Amount"; press enter')
    becomes(case, state, "amount", 42)


@app.goal("a slider gets a value", "sliders", settings=SCALES)
def slider(case):
    state = form(case)
    case.goal('set "Volume" to 30')
    becomes(case, state, "volume", 30)


@app.goal("a part of a date is changed by keys", "text", "keyboard only")
def day(case):
    state = form(case)
    case.goal('click "Day"; press home; press up')
    becomes(case, state, "day", "2021-05-10")


@app.goal("a date that the field takes otherwise than it was typed is not proven", "text", "keyboard only", quick=True)
def day_taken_otherwise(case):
    form(case)
    case.goal('click "Day"; press home; type "2021-12-24"', "--proven", exit=1)


@app.goal("a row of 1,000 is clicked below the fold", "1,000 rows", "scrolling", "tabs", quick=True, settings=SCALES)
def far_row(case):
    state = form(case)
    case.goal('click "Lists"; click "entry 640"')
    becomes(case, state, "row", "entry 640")


@app.goal("a row of a list is double-clicked", "1,000 rows", "tabs")
def double(case):
    state = form(case)
    case.goal('click "Lists"; double-click "entry 4"')
    becomes(case, state, "activated", "entry 4")


@app.goal("a second row is selected with ctrl", "table cells", "tabs")
def several(case):
    state = form(case)
    case.goal('click "Lists"; click "apples"; click "plums" with ctrl')
    becomes(case, state, "fruits", ["apples", "plums"])


@app.goal("a tree's branch is opened, and an item chosen", "trees", "tabs", settings=SCALES)
def tree(case):
    state = form(case)
    case.goal('click "Tree"; click "Vegetables"; press right; click "Onions"')
    becomes(case, state, "item", "Onions")


@app.goal("a cell is edited", "table cells", "tabs", settings=SCALES)
def cell(case):
    state = form(case)
    case.goal('click "Table"; double-click "town 3"; press ctrl+a; type "Rom"; press enter')
    becomes(case, state, "cell", [3, 1, "Rom", False])


@app.goal("a question is answered, in German", "dialogs", settings=(GERMAN,))
def german(case):
    state = form(case)
    case.goal('click "Actions"; click "Ask something"; click "Ja"')
    becomes(case, state, "answer", "yes")


@app.goal("from right to left: a question is answered, in Arabic", "dialogs", settings=(ARABIC,))
def arabic(case):
    state = form(case)
    case.goal('click "Actions"; click "Ask something"; click "نعم"')
    becomes(case, state, "answer", "yes")


@app.goal("from right to left: fields, boxes and rows, in Arabic", "text", "check boxes", "table cells",
          settings=(ARABIC,))
def arabic_fields(case):
    state = form(case)
    case.goal('type "القاهرة" into "Town"; click "Subscribe me"; select "blue" in "Colour"; click "Lists"; '
              'click "entry 12"')
    becomes(case, state, "town", "القاهرة")
    becomes(case, state, "check", True)
    becomes(case, state, "colour", "blue")
    becomes(case, state, "row", "entry 12")


@app.looked_at("Actions")
def looked_at(case):
    form(case)
