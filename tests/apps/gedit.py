"""gedit: a GTK 3 editor with a header bar and popovers. The file on disk shows what a goal did."""

from harness import ARABIC, DOUBLE, GERMAN, LARGE, SMALL, Application

LINES = "".join(f"line {number} of many\n" for number in range(1, 1001))
app = Application("gedit", "GTK 3", ["gedit"])


def edit(case, name="a.txt", text="first\nsecond\nthird\n"):
    file = case.write(name, text)
    case.start("gedit", file, title=name)
    return file


@app.goal("a new text is saved under a name", "open", "file chooser (save)", settings=(SMALL, LARGE))
def save(case):
    file = case.path("greeting.txt")
    case.goal(f'open gedit; type "Grüße 漢字\\nzwei"; press ctrl+s; type "{file}" into "Name"; click "Save"; '
              'check window "greeting.txt" is open')
    case.file_is(file, "Grüße 漢字\nzwei\n")


@app.goal("a new text is saved by the button of the header bar, in German", "open", "file chooser (save)",
          settings=(GERMAN,))
def save_german(case):
    file = case.path("gruss.txt")
    case.goal(f'open gedit; type "Grüße"; click "Speichern"; type "{file}" into "Name"; press enter; '
              'check window "gruss.txt" is open')
    case.file_is(file, "Grüße\n")


@app.goal("Save As in the main menu writes a copy", "menus", "file chooser (save)")
def save_as(case):
    edit(case)
    copy = case.path("copy.txt")
    case.goal(f'press f10; click "Save As…"; click "Name"; press ctrl+a; type "{copy}"; click "Save"; '
              f'check window "copy.txt" is open')
    case.file_is(copy, "first\nsecond\nthird\n")


@app.goal("the context menu deletes what is selected", "context menu")
def context_menu(case):
    file = edit(case)
    case.goal('press ctrl+a; right-click at 600,400; click "Delete"; type "new"; press ctrl+s')
    case.file_is(file, "new\n")


@app.goal("a file is opened by its path", "file chooser (open)", "keyboard only", settings=(SMALL, DOUBLE))
def open_by_path(case):
    file = case.write("other.txt", "other\n")
    edit(case)
    case.goal(f'press ctrl+o; press ctrl+l; type "{file}"; press enter; check window "other.txt" is open')
    case.window("other.txt")


@app.goal("a row of 40 files is chosen and opened", "file chooser (open)", "table cells")
def open_row(case):
    folder = case.files(40, "home/files")
    case.start("gedit", folder / "file1.txt", title="file1.txt")
    case.goal('press ctrl+o; click "Home"; double-click "files"; click "file12.txt"; '
              'click button "Open" in "Open"; check window "file12.txt" is open')
    case.window("file12.txt")


@app.goal("Find and Replace changes every match", "dialogs", "text", settings=(SMALL, DOUBLE))
def replace(case):
    file = edit(case, text="one two one\n")
    case.goal('press ctrl+h; type "one" into "Find"; type "three" into "Replace with"; click "Replace All"; '
              'press esc; press ctrl+s')
    case.file_is(file, "three two three\n")


@app.goal("Go to Line by keys", "keyboard only", "dialogs")
def go_to(case):
    file = edit(case)
    case.goal('press ctrl+i; type "3"; press enter; type "X"; press ctrl+s')
    case.file_is(file, "first\nsecond\nXthird\n")


@app.goal("a tab is clicked and its file edited", "tabs")
def tabs(case):
    first, second = case.write("first.txt", "1\n"), case.write("second.txt", "2\n")
    case.start("gedit", first, second, title="txt")
    case.goal('click "first.txt"; type "X"; press ctrl+s; click "second.txt"; type "Y"; press ctrl+s')
    case.file_is(first, "X1\n")
    case.file_is(second, "Y2\n")


@app.goal("closing with unsaved changes: they are saved", "unsaved changes", "dialogs")
def unsaved_save(case):
    file = edit(case)
    case.goal('type "X"; close "a.txt"; click "Save"')
    case.file_is(file, "Xfirst\nsecond\nthird\n")
    case.no_window("a.txt")


@app.goal("closing with unsaved changes: they are dropped", "unsaved changes", "dialogs")
def unsaved_drop(case):
    file = edit(case)
    case.goal('type "X"; close "a.txt"; click "Close without Saving"')
    case.no_window("a.txt")
    case.file_is(file, "first\nsecond\nthird\n")


@app.goal("Preferences: check box and spin button make tabs into three spaces", "dialogs", "tabs", "check boxes",
          "spin buttons")
def preferences(case):
    file = edit(case)
    case.goal('press f10; click "Preferences"; click "Editor"; click "Insert spaces instead of tabs"; '
              'click "Tab width"; press ctrl+a; type "3"; press tab; close "Preferences"; type "\\tX"; press ctrl+s')
    case.file_is(file, "   Xfirst\nsecond\nthird\n")


@app.goal("the wheel scrolls, and a line that shows then is edited", "scrolling")
def scroll(case):
    file = edit(case, "long.txt", LINES)
    case.goal('scroll down 20 at 600,400; click "line 100 of many"; press home; type "X"; press ctrl+s')
    case.becomes(lambda text: "\nXline 100 of many\n" in text, file.read_text, "line 100 begins with X")


@app.goal("a text is changed and saved by the button of the header bar, in Arabic", "menus", "text", settings=(ARABIC,))
def save_arabic(case):
    file = case.write("a.txt", "first\n")
    case.start("gedit", "--standalone", file, title="a.txt")
    case.goal('type "مرحبا "; click "احفظ"')
    case.file_is(file, "مرحبا first\n")


@app.looked_at("Open")
def looked_at(case):
    edit(case, "long.txt", LINES)
