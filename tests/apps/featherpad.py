"""featherpad: a Qt 5 editor. The file on disk shows what a goal did."""

from harness import DOUBLE, GERMAN, LARGE, SMALL, Application

LINES = "".join(f"line {number} of many\n" for number in range(1, 1001))
app = Application("featherpad", "Qt 5", ["featherpad"])


def edit(case, name="a.txt", text="first\nsecond\nthird\n"):
    file = case.write(name, text)
    case.start("featherpad", file, title=name)
    return file


@app.goal("a new text is saved under a name", "open", "file chooser (save)", quick=True, settings=(SMALL, LARGE))
def save(case):
    file = case.path("qt.txt")
    case.goal(f'open featherpad; type "Grüße 漢字"; press ctrl+s; type "{file}" into "File name"; click "Save"; '
              'check window "qt.txt" is open')
    case.file_is(file, "Grüße 漢字\n")


@app.goal("a text is changed and saved through the menu, in German", "menus", settings=(GERMAN,))
def save_german(case):
    file = edit(case)
    case.goal('type "Ü"; click "Datei"; click "Speichern"')
    case.file_is(file, "Üfirst\nsecond\nthird\n")


@app.goal("File, Save As writes a copy", "menus", "file chooser (save)")
def save_as(case):
    edit(case)
    copy = case.path("copy.txt")
    case.goal(f'click "File"; click "Save As"; type "{copy}" into "File name"; click "Save"; '
              'check window "copy.txt" is open')
    case.file_is(copy, "first\nsecond\nthird\n")


@app.goal("the context menu deletes what is selected", "context menu")
def context_menu(case):
    file = edit(case)
    case.goal('press ctrl+a; right-click at 500,300; click "Delete"; type "new"; press ctrl+s')
    case.file_is(file, "new\n")


@app.goal("a file is opened by its path", "file chooser (open)", "keyboard only", quick=True)
def open_by_path(case):
    file = case.write("other.txt", "other\n")
    edit(case)
    case.goal(f'press ctrl+o; type "{file}" into "File name"; press enter; check window "other.txt" is open')
    case.window("other.txt")


@app.goal("a row of 40 files is chosen and opened", "file chooser (open)", "table cells")
def open_row(case):
    folder = case.files(40)
    case.start("featherpad", folder / "file1.txt", title="file1.txt")
    case.goal('press ctrl+o; double-click "file12.txt"; check window "file12.txt" is open')
    case.window("file12.txt")


@app.goal("a row of 1,000 files below the fold is opened", "file chooser (open)", "1,000 rows", "scrolling")
def open_far_row(case):
    folder = case.files(1000)
    case.start("featherpad", folder / "file1.txt", title="file1.txt")
    case.goal('press ctrl+o; double-click "file777.txt"; check window "file777.txt" is open', seconds=90)
    case.window("file777.txt")


@app.goal("a tab is clicked and its file edited", "tabs", settings=(SMALL, DOUBLE))
def tabs(case):
    first, second = case.write("first.txt", "1\n"), case.write("second.txt", "2\n")
    case.start("featherpad", first, second, title="txt")
    case.goal('click "first.txt"; press ctrl+home; type "X"; press ctrl+s; click "second.txt"; press ctrl+home; '
              'type "Y"; press ctrl+s')
    case.file_is(first, "X1\n")
    case.file_is(second, "Y2\n")


@app.goal("closing with unsaved changes: they are saved", "unsaved changes", "dialogs", quick=True)
def unsaved_save(case):
    file = edit(case)
    case.goal('type "X"; close "a.txt"; click "Save"')
    case.file_is(file, "Xfirst\nsecond\nthird\n")
    case.no_window("a.txt")


@app.goal("closing with unsaved changes: they are dropped", "unsaved changes", "dialogs")
def unsaved_drop(case):
    file = edit(case)
    case.goal('type "X"; close "a.txt"; click "Discard"')
    case.no_window("a.txt")
    case.file_is(file, "first\nsecond\nthird\n")


@app.goal("closing with unsaved changes: cancelled, nothing is lost", "unsaved changes", "dialogs")
def unsaved_cancel(case):
    file = edit(case)
    case.goal('type "X"; close "a.txt"; click "Cancel"; press ctrl+s')
    case.file_is(file, "Xfirst\nsecond\nthird\n")


@app.goal("Go to line sets a spin button", "spin buttons", "keyboard only", settings=(SMALL, DOUBLE))
def go_to(case):
    file = edit(case)
    case.goal('press ctrl+j; type "3"; press enter; press ctrl+j; type "X"; press ctrl+s')
    case.file_is(file, "first\nsecond\nXthird\n")


@app.goal("Find and Replace changes every match", "text", "dialogs",
          limit="the button that replaces all has no name in the tree")
def replace(case):
    file = edit(case, text="one two one\n")
    case.goal('press ctrl+r; type "one" into "Find"; type "three" into "Replace with"; click "Replace all"; '
              'focus "a.txt"; press ctrl+s')
    case.file_is(file, "three two three\n")


@app.goal("Preferences: check box and spin button keep their values", "dialogs", "tabs", "check boxes", "spin buttons")
def preferences(case):
    edit(case)
    settings = case.sandbox.home / "config/featherpad/fp.conf"
    case.goal('click "Options"; click "Preferences"; check "Remember window size on closing" is checked; '
              'click "Do not show toolbar"; click "Close"; wait 1 seconds; close "a.txt"')
    case.no_window("a.txt")
    case.becomes(lambda text: "noToolbar=true" in text, settings.read_text, "the settings file")


@app.goal("the wheel scrolls, and a line that shows then is edited", "scrolling")
def scroll(case):
    file = edit(case, "long.txt", LINES)
    case.goal('scroll down 15 at 500,300; click "line 50 of many"; press home; type "X"; press ctrl+s')
    case.becomes(lambda text: "\nXline 50 of many\n" in text, file.read_text, "line 50 begins with X")


@app.looked_at("File")
def looked_at(case):
    edit(case, "long.txt", LINES)
