"""LibreOffice Calc (its GTK 3 interface). The tables that it writes show what a goal did."""

from harness import DOUBLE, GERMAN, LARGE, SMALL, Application
from harness.office import command, content, words

app = Application("LibreOffice Calc", "VCL, GTK 3", ["soffice"], heavy=True)
TITLE = "LibreOffice Calc"
PATIENCE = {"seconds": 100}


def start(case, *files, title=TITLE):
    case.start(*command(case, "--calc"), *files, title=title, seconds=60, SAL_USE_VCLPLUGIN="gtk3")


def save_as(case, name="out.ods"):
    file = case.path(name)
    return f'press ctrl+shift+s; type "{file}" into "Name"; click "Save"; check window "{name}" is open', file


@app.goal("numbers and a sum are typed, and saved", "open", "file chooser (save)", "table cells",
          settings=(SMALL, LARGE))
def save(case):
    case.sandbox.environment["SAL_USE_VCLPLUGIN"] = "gtk3"
    saving, file = save_as(case)
    case.goal(f'open "{" ".join(command(case, "--calc"))}"; wait for "Sheet1" 30 seconds; '
              f'type "2\\n3\\n=A1+A2\\n"; {saving}', seconds=120)
    case.becomes(["2", "3", "5"], lambda: words(file), "the table")


@app.goal("a cell is reached by the name box, and filled", "text", "table cells")
def name_box(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; press ctrl+shift+t; type "C3"; press enter; type "here"; press enter; '
              f'{saving}', **PATIENCE)
    case.becomes(lambda text: "here" in text and text.index("here") > text.index("number-rows-repeated"),
                 lambda: content(file), "the cell")


@app.goal("a cell is clicked by its name, and filled", "table cells")
def cell(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; click "B2"; type "here"; press enter; {saving}', **PATIENCE)
    case.becomes(["here"], lambda: words(file), "the table")


@app.goal("a text cell is clicked by what it says, and replaced", "table cells")
def cell_text(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; type "apples\\npears\\nplums\\n"; click "pears"; type "figs\\n"; {saving}', **PATIENCE)
    case.becomes(["apples", "figs", "plums"], lambda: words(file), "the table")


@app.goal("a table of 1,000 rows is opened, and its last row changed", "file chooser (open)", "1,000 rows", "dialogs")
def thousand(case):
    file = case.write("rows.csv", "".join(f"row {number},{number}\n" for number in range(1, 1001)))
    start(case, file, title="Import")
    case.goal('click "OK"; check window "rows.csv" is open; press ctrl+end; type "last\\n"; press ctrl+s; '
              'click "Use Text CSV Format"', **PATIENCE)
    case.becomes(lambda text: text.strip().endswith("row 1000,last"), file.read_text, "the last row")


@app.goal("a menu inserts a sheet, by its dialog", "menus", "dialogs", "tabs")
def sheet(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; click "Sheet"; click "Insert Sheet at End..."; type "Second" into "Name"; click "OK"; '
              f'click "Second"; type "there\\n"; {saving}', **PATIENCE)
    case.becomes(lambda text: 'table:name="Second"' in text and "there" in text, lambda: content(file), "the sheet")


@app.goal("a column is sorted by a menu", "menus", settings=(SMALL, DOUBLE))
def sort(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; type "pears\\napples\\n"; press ctrl+a; click "Data"; click "Sort Descending"; '
              f'wait 1 seconds; {saving}', **PATIENCE)
    case.becomes(["pears", "apples"], lambda: words(file), "the table")


@app.goal("cells are made bold by a chord", "keyboard only")
def bold(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; type "x\\n"; press ctrl+home; press ctrl+b; {saving}', **PATIENCE)
    case.becomes(lambda text: 'fo:font-weight="bold"' in text, lambda: content(file), "a bold cell")


@app.goal("Format Cells: a tab and a check box protect a cell", "dialogs", "tabs", "check boxes")
def format_cells(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; type "x\\n"; press ctrl+home; press ctrl+1; click "Cell Protection"; '
              f'click "Hide all"; '
              f'click "OK"; {saving}', **PATIENCE)
    case.becomes(lambda text: "hidden-and-protected" in text, lambda: content(file), "the cell's protection")


@app.goal("the context menu inserts a comment", "context menu")
def comment(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; press ctrl+home; press shift+f10; click "Insert Comment"; type "noted"; '
              f'press esc; {saving}',
              **PATIENCE)
    case.becomes(lambda text: "office:annotation" in text and "noted" in text, lambda: content(file), "the comment")


@app.goal("a cell is dragged to another one", "drag and drop")
def drag(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; type "moved\\n"; drag "A1" to "B2"; {saving}', **PATIENCE)
    case.becomes(["moved"], lambda: words(file), "the table")


@app.goal("closing with unsaved changes: they are dropped", "unsaved changes", "dialogs")
def unsaved(case):
    start(case)
    case.goal(f'focus "{TITLE}"; type "x\\n"; press ctrl+w; click "Don\'t Save"', **PATIENCE)
    case.no_window("Untitled")


@app.goal("a number with a decimal comma is typed, in German", "table cells", settings=(GERMAN,))
def german(case):
    start(case)
    saving, file = save_as(case)
    saving = saving.replace('click "Save"', "press enter")
    case.goal(f'focus "{TITLE}"; type "1,5\\n=A1*2\\n"; {saving}', **PATIENCE)
    case.becomes(lambda text: 'office:value="3"' in text, lambda: content(file), "the table")


@app.looked_at("File")
def looked_at(case):
    start(case)
