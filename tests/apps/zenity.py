"""zenity: all its dialogs (GTK 3). Its output shows the answer that it received."""

from harness import DOUBLE, GERMAN, SMALL, Application

app = Application("zenity", "GTK 3", ["zenity"])


def rows(count):
    return [f"row {number}" for number in range(1, count + 1)]


@app.goal("a question is answered with Yes", "dialogs", quick=True, settings=(SMALL,))
def question_yes(case):
    dialog = case.start("zenity", "--question", "--title=Ask", "--text=Go on?", title="Ask")
    case.goal('click "Yes"')
    case.prints(dialog, "")


@app.goal("a question is answered with No", "dialogs")
def question_no(case):
    dialog = case.start("zenity", "--question", "--title=Ask", "--text=Go on?", title="Ask")
    case.goal('click "No"')
    case.prints(dialog, "", code=1)


@app.goal("a question is answered with Nein, in German", "dialogs", settings=(GERMAN,))
def question_german(case):
    dialog = case.start("zenity", "--question", "--title=Frage", "--text=Weiter?", title="Frage")
    case.goal('click "Nein"')
    case.prints(dialog, "", code=1)


@app.goal("an entry is filled and confirmed by enter", "dialogs", "text", "keyboard only", quick=True,
          settings=(SMALL, DOUBLE))
def entry(case):
    dialog = case.start("zenity", "--entry", "--title=Entry", "--text=Your name", title="Entry")
    case.goal('type "Zoë Müller"; press enter')
    case.prints(dialog, "Zoë Müller")


@app.goal("a password is typed and OK clicked", "dialogs", "text")
def password(case):
    dialog = case.start("zenity", "--password", "--title=Secret", title="Secret")
    case.goal('focus "Secret"; type "a b;c"; click "OK"')
    case.prints(dialog, "a b;c")


@app.goal("a list's third row is chosen", "dialogs", "table cells", quick=True, settings=(SMALL, DOUBLE))
def list_row(case):
    dialog = case.start("zenity", "--list", "--title=List", "--column=Name", "one", "two", "three", title="List")
    case.goal('click "three"; click "OK"')
    case.prints(dialog, "three")


@app.goal("a list's row is double-clicked", "dialogs", "table cells")
def list_double(case):
    dialog = case.start("zenity", "--list", "--title=List", "--column=Name", "one", "two", "three", title="List")
    case.goal('double-click "two"')
    case.prints(dialog, "two")


@app.goal("of 1,000 rows, one that shows is chosen", "1,000 rows", "table cells")
def thousand_near(case):
    dialog = case.start("zenity", "--list", "--title=List", "--height=500", "--column=Name", *rows(1000), title="List")
    case.goal('click "row 7"; click "OK"', seconds=90)
    case.prints(dialog, "row 7")


@app.goal("of 1,000 rows, one below the fold is chosen", "1,000 rows", "table cells", "scrolling",
          settings=(SMALL, DOUBLE))
def thousand_far(case):
    dialog = case.start("zenity", "--list", "--title=List", "--height=500", "--column=Name", *rows(1000), title="List")
    case.goal('click "row 640"; click "OK"', seconds=90)
    case.prints(dialog, "row 640")


@app.goal("of 1,000 rows, one is found by typing", "1,000 rows", "keyboard only")
def thousand_keys(case):
    dialog = case.start("zenity", "--list", "--title=List", "--height=500", "--column=Name", *rows(1000), title="List")
    case.goal('press ctrl+f; type "row 821"; press esc; click "OK"', seconds=90)
    case.prints(dialog, "row 821")


CHECKLIST = ("--column=Pick", "--column=Fruit", "FALSE", "apples", "TRUE", "pears", "FALSE", "plums")


@app.goal("boxes of a check list are ticked by keys", "check boxes", "table cells", "keyboard only")
def check_list_keys(case):
    dialog = case.start("zenity", "--list", "--checklist", "--title=Pick", *CHECKLIST, title="Pick")
    case.goal('click "plums"; press left; press space; click "OK"')
    case.prints(dialog, "pears|plums")


@app.goal("a radio list's row is chosen by its cell", "radio buttons", "table cells")
def radio_list(case):
    dialog = case.start("zenity", "--list", "--radiolist", "--title=Pick", *CHECKLIST, title="Pick")
    case.goal('click "apples"; press space; click "OK"')
    case.prints(dialog, "apples")


@app.goal("a form's fields are filled by their labels", "dialogs", "text", quick=True, settings=(SMALL, DOUBLE))
def form(case):
    dialog = case.start("zenity", "--forms", "--title=Form", "--add-entry=First name", "--add-entry=Town",
                        "--add-password=Key", title="Form")
    case.goal('type "Ada" into "First name"; type "Köln" into "Town"; type "k" into "Key"; click "OK"')
    case.prints(dialog, "Ada|Köln|k")


@app.goal("a form's drop-down is opened and an item chosen", "drop-downs")
def combo(case):
    dialog = case.start("zenity", "--forms", "--title=Form", "--add-combo=Colour", "--combo-values=red|green|blue",
                        title="Form")
    case.goal('click "Colour"; click "green"; click "OK"')
    case.prints(dialog, "green")


@app.goal("a form's drop-down is set by one sentence (select)", "drop-downs")
def select(case):
    dialog = case.start("zenity", "--forms", "--title=Form", "--add-combo=Colour", "--combo-values=red|green|blue",
                        title="Form")
    case.goal('select "green" in "Colour"; click "OK"')
    case.prints(dialog, "green")


@app.goal("a slider is moved by keys", "sliders", "keyboard only", quick=True)
def slider_keys(case):
    dialog = case.start("zenity", "--scale", "--title=Scale", "--value=20", title="Scale")
    case.goal('focus "Scale"; press right; press right; press right; click "OK"')
    case.prints(dialog, "23")


@app.goal("a slider is dragged", "sliders", "drag and drop")
def slider_drag(case):
    dialog = case.start("zenity", "--scale", "--title=Scale", "--value=0", "--width=400", title="Scale")
    x, y, width, _ = case.inside("Scale")
    case.goal(f'drag from {x + 22},{y + 40} to {x + width - 20},{y + 40}; click "OK"')
    case.prints(dialog, "100")


@app.goal("a day of the calendar is chosen by keys", "dialogs", "keyboard only")
def calendar(case):
    dialog = case.start("zenity", "--calendar", "--title=Day", "--day=10", "--month=5", "--year=2020",
                        "--date-format=%Y-%m-%d", title="Day")
    case.goal('press tab; press right; press down; press down; press right; press space; click "OK"')
    case.prints(dialog, "2020-05-11")


@app.goal("a day of the calendar is clicked", "dialogs")
def calendar_click(case):
    dialog = case.start("zenity", "--calendar", "--title=Day", "--day=10", "--month=5", "--year=2020",
                        "--date-format=%Y-%m-%d", title="Day")
    case.goal('click "23"; click "OK"')
    case.prints(dialog, "2020-05-23")


@app.goal("a file chooser's path is typed", "file chooser (open)", "keyboard only")
def file_path(case):
    file = case.write("wanted.txt", "")
    dialog = case.start("zenity", "--file-selection", "--title=Files", title="Files")
    case.goal(f'press ctrl+l; type "{file}"; press enter')
    case.prints(dialog, str(file))


def choose(case, count, name):
    folder = case.files(count)
    dialog = case.start("zenity", "--file-selection", "--title=Files", f"--filename={folder}/", title="Files")
    case.goal(f'click "{name}"; click "OK"', seconds=90)
    case.prints(dialog, str(folder / name))


@app.goal("a file chooser's row among 40 files is chosen", "file chooser (open)", "table cells", quick=True,
          settings=(SMALL, DOUBLE))
def file_row(case):
    choose(case, 40, "file12.txt")


@app.goal("a file chooser's row below the fold is chosen", "file chooser (open)", "scrolling", "table cells",
          quick=True)
def file_far_row(case):
    choose(case, 40, "file9.txt")


@app.goal("a file chooser's row among 1,000 files is chosen", "file chooser (open)", "1,000 rows", "scrolling")
def file_thousand(case):
    choose(case, 1000, "file500.txt")


@app.goal("a file chooser's row is double-clicked", "file chooser (open)", "table cells")
def file_double(case):
    folder = case.files(5)
    dialog = case.start("zenity", "--file-selection", "--title=Files", f"--filename={folder}/", title="Files")
    case.goal('double-click "file3.txt"')
    case.prints(dialog, str(folder / "file3.txt"))


@app.goal("a file is saved under a typed name", "file chooser (save)")
def file_save(case):
    folder = case.files(3)
    dialog = case.start("zenity", "--file-selection", "--save", "--title=Files", f"--filename={folder}/old.txt",
                        title="Files")
    case.goal('type "new.txt" into "Name"; click "OK"')
    case.prints(dialog, str(folder / "new.txt"))


@app.goal("saving over a file is confirmed", "file chooser (save)", "dialogs")
def file_overwrite(case):
    folder = case.files(3)
    dialog = case.start("zenity", "--file-selection", "--save", "--confirm-overwrite", "--title=Files",
                        f"--filename={folder}/file2.txt", title="Files")
    case.goal('click "OK"; wait for "already exists"; click "Replace"')
    case.prints(dialog, str(folder / "file2.txt"))


@app.goal("a text is edited and returned", "text", "dialogs")
def text_info(case):
    file = case.write("text.txt", "old")
    dialog = case.start("zenity", "--text-info", "--editable", "--title=Text", f"--filename={file}", title="Text")
    case.goal('press ctrl+a; type "new text"; click "OK"')
    case.prints(dialog, "new text")


@app.goal("a text's check box enables its button", "check boxes", "dialogs", quick=True)
def consent(case):
    file = case.write("terms.txt", "the terms")
    dialog = case.start("zenity", "--text-info", "--checkbox=I agree", "--title=Terms", f"--filename={file}",
                        title="Terms")
    case.goal('click "Agree"; check "I agree" is checked; click "OK"')
    case.prints(dialog, "")


@app.goal("a button that is disabled is told as disabled", "check boxes", "dialogs")
def disabled(case):
    file = case.write("terms.txt", "the terms")
    dialog = case.start("zenity", "--text-info", "--checkbox=I agree", "--title=Terms", f"--filename={file}",
                        title="Terms")
    case.goal('check "OK" is disabled; check "I agree" is unchecked; click "I agree"; check "OK" is enabled; '
              'click "OK"')
    case.prints(dialog, "")


@app.goal("a colour's name is typed", "dialogs", "text")
def colour(case):
    dialog = case.start("zenity", "--color-selection", "--title=Colour", "--color=rgb(0,128,0)", title="Colour")
    case.goal('click "Select"')
    case.prints(dialog, "rgb(0,128,0)")


@app.goal("an information is closed with OK", "dialogs")
def info(case):
    dialog = case.start("zenity", "--info", "--title=Info", "--text=Done.", title="Info")
    case.goal('check "Done." is visible; click "OK"')
    case.prints(dialog, "")


@app.goal("a warning and an error are closed by esc and OK", "dialogs", "keyboard only")
def warning(case):
    first = case.start("zenity", "--warning", "--title=Warning", "--text=Careful.", title="Warning")
    case.goal('focus "Warning"; press enter')
    case.prints(first, "")
    second = case.start("zenity", "--error", "--title=Failure", "--text=Broken.", title="Failure")
    case.goal('check "Broken." is visible; click "OK"')
    case.prints(second, "")


@app.goal("the progress is waited for, and its OK clicked", "dialogs")
def progress(case):
    dialog = case.start("sh", "-c", "(sleep 3; echo 100; echo '# all of it') | zenity --progress --title=Progress",
                        title="Progress")
    case.goal('wait for "all of it" 20 seconds; click "OK"')
    case.prints(dialog, "")


@app.looked_at("OK")
def looked_at(case):
    case.start("zenity", "--list", "--title=List", "--height=500", "--column=Name", *rows(1000), title="List")
