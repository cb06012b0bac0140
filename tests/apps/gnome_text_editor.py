"""gnome-text-editor: a GTK 4 editor (libadwaita). The file on disk shows what a goal did."""

from harness import LARGE, SMALL, Application

LINES = "".join(f"line {number} of many\n" for number in range(1, 1001))
app = Application("gnome-text-editor", "GTK 4", ["gnome-text-editor"])


def edit(case, name="a.txt", text="first\nsecond\nthird\n"):
    file = case.write(name, text)
    case.start("gnome-text-editor", "-s", file, title=name)
    return file


@app.goal("a new text is saved under a name", "open", "file chooser (save)", settings=(SMALL, LARGE))
def save(case):
    file = case.path("greeting.txt")
    case.goal(f'open gnome-text-editor; type "Grüße 漢字\\nzwei"; press ctrl+s; type "{file}" into "Name"; '
              'click "Save"; check window "greeting.txt" is open')
    case.file_is(file, "Grüße 漢字\nzwei\n")


@app.goal("a text is changed and saved by keys", "keyboard only", "text")
def keys(case):
    file = edit(case)
    case.goal('press ctrl+home; type "X"; press ctrl+s')
    case.file_is(file, "Xfirst\nsecond\nthird\n")


@app.goal("Save As in the main menu writes a copy", "menus", "file chooser (save)")
def save_as(case):
    edit(case)
    copy = case.path("copy.txt")
    case.goal(f'press f10; click "Save As…"; click "Name"; press ctrl+a; type "{copy}"; click "Save"; '
              f'check window "copy.txt" is open')
    case.file_is(copy, "first\nsecond\nthird\n")


@app.goal("the context menu selects and cuts", "context menu")
def context_menu(case):
    file = edit(case)
    case.goal('press ctrl+a; right-click at 500,300; click "Cut"; type "new"; press ctrl+s')
    case.file_is(file, "new\n")


@app.goal("a file is opened by its path", "file chooser (open)", "keyboard only")
def open_by_path(case):
    file = case.write("other.txt", "other\n")
    edit(case)
    case.goal(f'press ctrl+o; wait for "Cancel"; type "{file}"; press enter; check window "other.txt" is open')
    case.window("other.txt")


@app.goal("a row that shows is double-clicked and opened", "file chooser (open)", "table cells",
          limit="GTK 4's tree has no rows, and reading takes the 5 for an S: no other row is clicked by a guess")
def open_row(case):
    folder = case.files(8)
    case.start("gnome-text-editor", "-s", folder / "file1.txt", title="file1.txt")
    case.goal('press ctrl+o; double-click "file5.txt"; check window "file5.txt" is open')
    case.window("file5.txt")


@app.goal("a row of 40 files below the fold is opened", "file chooser (open)", "scrolling",
          limit="GTK 4's file chooser has no rows in the tree, so that nobody knows of those that do not show")
def open_far_row(case):
    folder = case.files(40)
    case.start("gnome-text-editor", "-s", folder / "file1.txt", title="file1.txt")
    case.goal('press ctrl+o; double-click "file33.txt"; check window "file33.txt" is open')
    case.window("file33.txt")


@app.goal("Find and Replace changes every match", "dialogs", "text",
          limit="the two fields have placeholders, but no names in the tree that GTK 4 gives")
def replace(case):
    file = edit(case, text="one two one\n")
    case.goal('press ctrl+h; type "one" into "Find"; type "three" into "Replace"; click "Replace All"; press esc; '
              'press ctrl+s')
    case.file_is(file, "three two three\n")


@app.goal("a tab is clicked and its file edited", "tabs")
def tabs(case):
    first, second = case.write("first.txt", "1\n"), case.write("second.txt", "2\n")
    case.start("gnome-text-editor", "-s", first, second, title="txt")
    case.goal('click "first.txt"; press ctrl+home; type "X"; press ctrl+s; click "second.txt"; press ctrl+home; '
              'type "Y"; press ctrl+s')
    case.file_is(first, "X1\n")
    case.file_is(second, "Y2\n")


@app.goal("closing with unsaved changes: they are saved", "unsaved changes", "dialogs")
def unsaved_save(case):
    file = edit(case)
    case.goal('press ctrl+home; type "X"; close "a.txt"; click "Save"')
    case.file_is(file, "Xfirst\nsecond\nthird\n")
    case.no_window("a.txt")


@app.goal("closing with unsaved changes: they are dropped", "unsaved changes", "dialogs")
def unsaved_drop(case):
    file = edit(case)
    case.goal('press ctrl+home; type "X"; close "a.txt"; click "Discard"')
    case.no_window("a.txt")
    case.file_is(file, "first\nsecond\nthird\n")


@app.goal("a check item of the view menu shows line numbers", "menus", "check boxes",
          limit="GTK 4 tells wrong places of what is in a popover, so that it does not count as showing")
def line_numbers(case):
    edit(case)
    case.goal('click "View"; click "Line Numbers"; click "View"; check "Line Numbers" is checked')


@app.goal("the wheel scrolls, and a line that shows then is edited", "scrolling")
def scroll(case):
    file = edit(case, "long.txt", LINES)
    case.goal('scroll down 20 at 500,400; click "line 70 of many"; press home; type "X"; press ctrl+s')
    case.becomes(lambda text: "\nXline 70 of many\n" in text, file.read_text, "line 70 begins with X")


@app.looked_at("Open")
def looked_at(case):
    edit(case, "long.txt", LINES)
