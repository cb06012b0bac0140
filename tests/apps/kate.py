"""Kate: KDE's editor (Qt 5, KDE Frameworks). The file on disk shows what a goal did."""

from harness import GERMAN, LARGE, SCALES, SMALL, Application

LINES = "".join(f"line {number} of many\n" for number in range(1, 1001))
app = Application("Kate", "KDE Frameworks 5", ["kate"], heavy=True)


def edit(case, name="a.txt", text="first\nsecond\nthird\n"):
    file = case.write(name, text)
    case.start("kate", "--new", file, title=name)
    return file


@app.goal("a new text is saved under a name", "file chooser (save)", settings=(SMALL, LARGE))
def save(case):
    file = case.path("new.txt")
    edit(case)
    case.goal(f'press ctrl+n; type "Grüße 漢字"; press ctrl+s; type "{file}" into "Name"; press enter; '
              'check window "new.txt" is open')
    case.file_is(file, "Grüße 漢字\n")


@app.goal("File, Save writes what was typed", "menus", settings=SCALES)
def save_by_menu(case):
    file = edit(case)
    case.goal('type "X"; click "File"; click menu item "Save"')
    case.file_is(file, "Xfirst\nsecond\nthird\n")


@app.goal("the context menu cuts what is selected", "context menu", settings=SCALES)
def context_menu(case):
    file = edit(case)
    case.goal(f'press ctrl+a; right-click at {case.middle("a.txt")}; click "Cut"; type "new"; press ctrl+s')
    case.file_is(file, "new\n")


@app.goal("Go to Line sets a spin button", "spin buttons", "keyboard only")
def go_to(case):
    file = edit(case)
    case.goal('press ctrl+g; type "3"; press enter; type "X"; press ctrl+s')
    case.file_is(file, "first\nsecond\nXthird\n")


@app.goal("Replace changes every match", "text")
def replace(case):
    file = edit(case, text="one two one\n")
    case.goal('press ctrl+r; type "one" into "Find"; type "three" into "Replace"; click "Replace All"; press esc; '
              'press ctrl+s')
    case.file_is(file, "three two three\n")


@app.goal("a tab is clicked and its file edited", "tabs", settings=SCALES)
def tabs(case):
    first, second = case.write("first.txt", "1\n"), case.write("second.txt", "2\n")
    case.start("kate", "--new", first, second, title="txt")
    case.goal('click page tab "first.txt"; press ctrl+home; type "X"; press ctrl+s; click page tab "second.txt"; '
              'press ctrl+home; type "Y"; press ctrl+s')
    case.file_is(first, "X1\n")
    case.file_is(second, "Y2\n")


@app.goal("a check item of a submenu shows the line numbers no more", "menus", "check boxes")
def line_numbers(case):
    edit(case)
    case.goal('click "View"; click "Borders"; check "Show Line Numbers" is checked; click "Show Line Numbers"; '
              'click "View"; click "Borders"; check "Show Line Numbers" is unchecked')


@app.goal("closing with unsaved changes: they are saved", "unsaved changes", "dialogs")
def unsaved_save(case):
    file = edit(case)
    case.goal('type "X"; press ctrl+q; click "Save" in "Save Documents"')
    case.file_is(file, "Xfirst\nsecond\nthird\n")
    case.no_window("Kate")


@app.goal("closing with unsaved changes: cancelled, nothing is lost", "unsaved changes", "dialogs")
def unsaved_cancel(case):
    file = edit(case)
    case.goal('type "X"; close "a.txt"; click "Cancel"; press ctrl+s')
    case.file_is(file, "Xfirst\nsecond\nthird\n")


@app.goal("the wheel scrolls, and a line that shows then is edited", "scrolling")
def scroll(case):
    file = edit(case, "long.txt", LINES)
    case.goal('scroll down 15 at 500,400; click "line 50 of many"; press home; type "X"; press ctrl+s')
    case.becomes(lambda text: "\nXline 50 of many\n" in text, file.read_text, "line 50 begins with X")


@app.goal("a radio item of a submenu changes the line endings", "menus")
def end_of_line(case):
    file = edit(case)
    case.goal('type "X"; click "Tools"; click "End of Line"; click "Windows/DOS"; press ctrl+s')
    case.becomes(b"Xfirst\r\nsecond\r\nthird\r\n", file.read_bytes, "the file")


@app.goal("a text is changed and saved through the menu, in German", "menus", settings=(GERMAN,))
def german(case):
    file = edit(case)
    case.goal('type "Ü"; click "Datei"; click menu item "Speichern"')
    case.file_is(file, "Üfirst\nsecond\nthird\n")


@app.looked_at("File")
def looked_at(case):
    edit(case, "long.txt", LINES)
