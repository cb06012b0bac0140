"""mousepad: a GTK 3 editor with a menu bar. The file on disk shows what a goal did."""

import x11
from harness import ARABIC, DOUBLE, GERMAN, HALF_LARGER, LARGE, SMALL, Application

app = Application("mousepad", "GTK 3", ["mousepad"])

LINES = "".join(f"line {number} of many\n" for number in range(1, 1001))
CHOOSER = "file chooser (open)"


def edit(case, name="a.txt", text="first\nsecond\nthird\n"):
    """Opens a file without da-console."""
    file = case.write(name, text)
    case.start("mousepad", file, title=name)
    return file


@app.goal("a new text is saved under a name", "open", "file chooser (save)", quick=True, settings=(SMALL, LARGE))
def save(case):
    file = case.path("greeting.txt")
    case.goal(f'open mousepad; type "Grüße 漢字 €\\nzwei\\n"; press ctrl+s; type "{file}" into "Name"; click "Save"; '
              'check window "greeting.txt" is open; close "greeting.txt"')
    case.file_is(file, "Grüße 漢字 €\nzwei\n")
    case.no_window("greeting")


@app.goal("a new text is saved under a name, in German", "open", "menus", "file chooser (save)", settings=(GERMAN,))
def save_german(case):
    file = case.path("gruss.txt")
    case.goal(f'open mousepad; type "Grüße\\n"; click "Datei"; click "Speichern unter …"; type "{file}" into "Name"; '
              'click "Speichern"; check window "gruss.txt" is open')
    case.file_is(file, "Grüße\n")


@app.goal("File, Save As writes a copy", "menus", "file chooser (save)")
def save_as(case):
    edit(case)
    copy = case.path("copy.txt")
    case.goal(f'click "File"; click "Save As..."; click "Name"; press ctrl+a; type "{copy}"; click "Save"; '
              'check window "copy.txt" is open')
    case.file_is(copy, "first\nsecond\nthird\n")


@app.goal("a submenu's radio item changes the line endings", "menus", "radio buttons", quick=True)
def line_endings(case):
    file = edit(case)
    case.goal('click "Document"; click "Line Ending"; click "DOS / Windows (CR LF)"; press ctrl+s')
    case.becomes(b"first\r\nsecond\r\nthird\r\n", file.read_bytes, "the file")


@app.goal("a menu's check item writes a byte order mark", "menus", "check boxes", quick=True)
def byte_order_mark(case):
    file = edit(case)
    case.goal('click "Document"; click "Write Unicode BOM"; press ctrl+s')
    case.becomes(b"\xef\xbb\xbffirst\nsecond\nthird\n", file.read_bytes, "the file")


@app.goal("Edit, Convert, To Uppercase changes what is selected", "menus")
def uppercase(case):
    file = edit(case)
    case.goal('press ctrl+a; click "Edit"; click "Convert"; click "To Uppercase"; press ctrl+s')
    case.file_is(file, "FIRST\nSECOND\nTHIRD\n")


@app.goal("the context menu of the text deletes what is selected", "context menu",
          settings=(SMALL, HALF_LARGER, DOUBLE))
def context_menu(case):
    file = edit(case)
    case.goal(f'press ctrl+a; right-click at {case.middle("a.txt")}; click "Delete Selection"; type "new"; press ctrl+s')
    case.becomes(lambda text: text.strip() == "new", file.read_text, "the file")


@app.goal("a file is opened by its path", CHOOSER, "keyboard only", quick=True)
def open_by_path(case):
    file = case.write("other.txt", "other\n")
    edit(case)
    case.goal(f'press ctrl+o; press ctrl+l; type "{file}"; press enter; check window "other.txt" is open')
    case.window("other.txt")


@app.goal("a row of 40 files is double-clicked and opened", CHOOSER)
def open_row(case):
    folder = case.files(40)
    case.start("mousepad", folder / "file1.txt", title="file1.txt")
    case.goal('press ctrl+o; double-click "file12.txt"; check window "file12.txt" is open')
    case.window("file12.txt")


@app.goal("a row of 1,000 files below the fold is opened", CHOOSER, "1,000 rows", "scrolling")
def open_far_row(case):
    folder = case.files(1000)
    case.start("mousepad", folder / "file1.txt", title="file1.txt")
    case.goal('press ctrl+o; click "file777.txt"; click "Open"; check window "file777.txt" is open', seconds=90)
    case.window("file777.txt")


@app.goal("Find and Replace changes every match", "dialogs", "text")
def replace(case):
    file = edit(case, text="one two one\n")
    case.goal('press ctrl+r; type "one" into "Search for"; type "three" into "Replace with"; '
              'click "Replace all in:"; click "Replace"; click "Close"; focus "a.txt"; press ctrl+s')
    case.file_is(file, "three two three\n")


@app.goal("Go to sets a line with a spin button", "dialogs", "spin buttons")
def go_to(case):
    file = edit(case)
    case.goal('press ctrl+l; type "3" into "Line number"; click "Jump to"; type "X"; press ctrl+s')
    case.file_is(file, "first\nsecond\nXthird\n")


@app.goal("a tab is clicked and its file edited", "tabs")
def tabs(case):
    first, second = case.write("first.txt", "1\n"), case.write("second.txt", "2\n")
    case.start("mousepad", first, second, title="txt")
    case.goal('click "first.txt"; type "X"; press ctrl+s; click "second.txt"; type "Y"; press ctrl+s')
    case.file_is(first, "X1\n")
    case.file_is(second, "Y2\n")


def change_and_close(case, answer):
    file = edit(case)
    case.goal(f'type "X"; close "a.txt"; click "{answer}"')
    return file


@app.goal("closing with unsaved changes: they are saved", "unsaved changes", "dialogs", quick=True)
def unsaved_save(case):
    case.file_is(change_and_close(case, "Save"), "Xfirst\nsecond\nthird\n")
    case.no_window("a.txt")


@app.goal("closing with unsaved changes: they are dropped", "unsaved changes", "dialogs")
def unsaved_drop(case):
    file = change_and_close(case, "Don't Save")
    case.no_window("a.txt")
    case.file_is(file, "first\nsecond\nthird\n")


@app.goal("closing with unsaved changes: cancelled, nothing is lost", "unsaved changes", "dialogs")
def unsaved_cancel(case):
    file = change_and_close(case, "Cancel")
    case.goal('check window "a.txt" is open; press ctrl+s')
    case.file_is(file, "Xfirst\nsecond\nthird\n")


@app.goal("a menu is opened and used by keys alone", "keyboard only", "menus")
def keys(case):
    file = edit(case)
    case.goal('press ctrl+a; press alt+e; wait for "Select All"; press esc; press esc; type "typed"; press ctrl+s')
    case.becomes(lambda text: text.strip() == "typed", file.read_text, "the file")


@app.goal("Preferences: a tab and a drop-down make tabs into spaces", "dialogs", "tabs", "drop-downs")
def preferences(case):
    file = edit(case)
    case.goal('click "Edit"; click "Preferences..."; click "Editor"; click "Insert Tabs"; click "Insert Spaces"; '
              'close "Preferences"; type "\\t"; press ctrl+s')
    case.becomes(lambda text: text.startswith("    ") and "\t" not in text, file.read_text,
                 "the file begins with spaces")


@app.goal("the wheel scrolls, and a line that shows then is edited", "scrolling")
def scroll(case):
    file = edit(case, "long.txt", LINES)
    case.goal('scroll down 20 at 400,400; click "line 75 of many"; press home; type "X"; press ctrl+s')
    case.becomes(lambda text: "\nXline 75 of many\n" in text, file.read_text, "line 75 begins with X")


@app.goal("text is selected by dragging, and replaced", "drag and drop", "text")
def drag(case):
    file = edit(case, text="first\n")
    x11.ask("wmctrl", "-r", "a.txt", "-b", "add,maximized_vert,maximized_horz")
    case.goal('press ctrl+end; drag from 600,400 to 2,82; type "new"; press ctrl+s')
    case.becomes(lambda text: text.strip() == "new", file.read_text, "the file")


@app.goal("a text is changed and saved through the menu, in Arabic", "menus", "text", settings=(ARABIC,))
def save_arabic(case):
    file = case.write("a.txt", "first\n")
    case.start("mousepad", file, title="a.txt")
    case.goal('type "مرحبا "; click "ملف"; click "حفظ"')
    case.file_is(file, "مرحبا first\n")


@app.goal("F11 makes the window full screen, and its text is edited", "windows", "keyboard only")
def full_screen(case):
    file = edit(case)
    case.goal('press f11; type "X"; press ctrl+s')
    case.file_is(file, "Xfirst\nsecond\nthird\n")
    case.becomes(lambda text: "FULLSCREEN" in text,
                 lambda: x11.ask("xprop", "-id", x11.window_of("a.txt"), "_NET_WM_STATE"), "the window is full screen")


@app.goal("a text is pasted, and undone", "text")
def paste(case):
    file = edit(case, text="")
    case.goal('paste "kept\\n"; press ctrl+s; paste "dropped\\n"; press ctrl+z; press ctrl+s')
    case.becomes(lambda text: text.strip() == "kept", file.read_text, "the file")


@app.looked_at("File")
def looked_at(case):
    edit(case, "long.txt", LINES)
