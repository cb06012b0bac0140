"""LibreOffice Writer (its GTK 3 interface). The documents that it writes show what a goal did."""

from harness import DOUBLE, GERMAN, LARGE, SMALL, Application
from harness.office import command, content, words

app = Application("LibreOffice Writer", "VCL, GTK 3", ["soffice"], heavy=True)
TITLE = "LibreOffice Writer"
PATIENCE = {"seconds": 100}


def start(case, *files):
    case.start(*command(case, "--writer"), *files, title=TITLE, seconds=60, SAL_USE_VCLPLUGIN="gtk3")


def document(case, text="first\nsecond\nthird\n"):
    """Opens a plain text file in Writer, which saves it as plain text again."""
    file = case.write("a.txt", text)
    start(case, file)
    return file


def save_as(case, name="out.odt"):
    """Returns the sentences that save under a name, and the file."""
    file = case.path(name)
    return f'press ctrl+shift+s; type "{file}" into "Name"; click "Save"; check window "{name}" is open', file


@app.goal("a new text is saved under a name", "open", "file chooser (save)", settings=(SMALL, LARGE))
def save(case):
    case.sandbox.environment["SAL_USE_VCLPLUGIN"] = "gtk3"
    saving, file = save_as(case)
    case.goal(f'open "{" ".join(command(case, "--writer"))}"; wait for "Format" 30 seconds; type "Grüße"; {saving}',
              seconds=120)
    case.becomes(["Grüße"], lambda: words(file), "the document")


@app.goal("a text is made bold through the menus", "menus")
def bold(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; type "bold"; press ctrl+a; click "Format"; click "Text"; click "Bold"; '
              f'{saving}', **PATIENCE)
    case.becomes(lambda text: 'fo:font-weight="bold"' in text, lambda: content(file), "bold text")


@app.goal("a text is made bold by a chord", "keyboard only")
def bold_keys(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; press ctrl+b; type "bold"; {saving}', **PATIENCE)
    case.becomes(lambda text: 'fo:font-weight="bold"' in text, lambda: content(file), "bold text")


@app.goal("a table is inserted by a dialog with spin buttons", "dialogs", "spin buttons", "table cells",
          settings=(SMALL, DOUBLE))
def table(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; press ctrl+f12; type "4" into "Columns"; press tab; click "Insert"; '
              f'type "cell"; {saving}', **PATIENCE)
    case.becomes(lambda text: 'table:number-columns-repeated="4"' in text and "cell" in text, lambda: content(file),
                 "a table")


@app.goal("a heading is made with the style's drop-down", "drop-downs")
def style(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; type "Title"; click "Paragraph Style"; press ctrl+a; type "Heading 1"; '
              f'press enter; {saving}', **PATIENCE)
    case.becomes(lambda text: "<text:h" in text, lambda: content(file), "a heading")


@app.goal("a heading is made by a chord", "keyboard only")
def heading_keys(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; press ctrl+1; type "Title"; {saving}', **PATIENCE)
    case.becomes(lambda text: "<text:h" in text, lambda: content(file), "a heading")


@app.goal("Find and Replace changes every match", "dialogs", "text", settings=(SMALL, DOUBLE))
def replace(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; type "one two one"; press ctrl+h; type "one" into "Find"; '
              f'type "three" into "Replace"; '
              f'click "Replace All"; wait 1 seconds; close "Find"; {saving}', **PATIENCE)
    case.becomes(["three", "two", "three"], lambda: words(file), "the document")


@app.goal("the character dialog: a tab, then a check box", "dialogs", "tabs", "check boxes")
def character(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; type "small"; press ctrl+a; click "Format"; click "Character..."; '
              f'click "Font Effects"; '
              f'click "Hidden"; click "OK"; {saving}', **PATIENCE)
    case.becomes(lambda text: 'text:display="none"' in text, lambda: content(file), "hidden text")


@app.goal("the context menu clears the formatting", "context menu")
def context(case):
    start(case)
    saving, file = save_as(case)
    case.goal(f'focus "{TITLE}"; press ctrl+b; type "plain"; press ctrl+a; press shift+f10; '
              f'click "Clear Direct Formatting"; {saving}', **PATIENCE)
    case.becomes(lambda text: "plain" in text and 'fo:font-weight="bold"' not in text, lambda: content(file),
                 "plain text")


@app.goal("a text file is opened by its path", "file chooser (open)")
def open_file(case):
    file = case.write("wanted.txt", "wanted\n")
    start(case)
    case.goal(f'focus "{TITLE}"; press ctrl+o; wait for "Cancel"; type "{file}"; press enter; '
              f'check window "wanted.txt" is open',
              **PATIENCE)
    case.window("wanted.txt")


@app.goal("closing with unsaved changes: they are dropped", "unsaved changes", "dialogs")
def unsaved_drop(case):
    file = document(case)
    case.goal('focus "a.txt"; type "X"; press ctrl+w; click "Don\'t Save"; '
              'check window "LibreOffice" is open', **PATIENCE)
    case.no_window("a.txt")
    case.file_is(file, "first\nsecond\nthird\n")


@app.goal("closing with unsaved changes: they are saved", "unsaved changes", "dialogs")
def unsaved_save(case):
    file = document(case)
    case.goal('focus "a.txt"; type "X"; close "a.txt"; click "Save"; click "Use Text Format"', **PATIENCE)
    case.becomes(lambda text: text.replace("\ufeff", "").startswith("Xfirst"), file.read_text, "the file")


@app.goal("a text is saved through the menus, in German", "menus", "dialogs", settings=(GERMAN,))
def german(case):
    file = document(case)
    case.goal('focus "a.txt"; type "Ü"; click "Datei"; click "Speichern"; click "Text-Format verwenden"', **PATIENCE)
    case.becomes(lambda text: text.replace("\ufeff", "").startswith("Üfirst"), file.read_text, "the file")


@app.goal("the wheel scrolls to a later page", "scrolling")
def scroll(case):
    file = document(case, "".join(f"row {number}\n" for number in range(1, 400)))
    case.goal('focus "a.txt"; scroll down 100 at 500,400; wait 1 seconds; click at 400,400; type "HERE"; press ctrl+s; '
              'click "Use Text Format"', **PATIENCE)
    case.becomes(lambda text: text.find("HERE") > 300, file.read_text, "the text far below")


@app.looked_at("File")
def looked_at(case):
    document(case, "".join(f"line {number}\n" for number in range(1, 2001)))
