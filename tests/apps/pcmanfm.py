"""pcmanfm: a file manager (GTK 2, no accessibility). The folders on disk and the window titles show what a goal did."""

from harness import DOUBLE, LARGE, SMALL, Application

app = Application("pcmanfm", "GTK 2", ["pcmanfm"], tree=False)


def browse(case, count=5):
    folder = case.files(count)
    case.start("pcmanfm", folder, title="files")
    return folder


def names(folder):
    return lambda: sorted(file.name for file in folder.iterdir())


@app.goal("a folder is entered by a double click", "open", settings=(SMALL, LARGE))
def enter(case):
    folder = browse(case)
    case.write("files/inner/note.txt", "")
    case.goal('press f5; wait for "inner"; double-click "inner"; check window "inner" is open')
    case.window("^inner")
    assert folder.is_dir()


@app.goal("a folder is made in a dialog", "dialogs", "keyboard only")
def make_folder(case):
    folder = browse(case)
    case.goal('press ctrl+shift+n; wait for "Cancel"; type "made"; press enter')
    case.becomes(True, lambda: (folder / "made").is_dir(), "the new folder")


@app.goal("a file is renamed in its context menu", "context menu", "dialogs", settings=(SMALL, DOUBLE))
def rename(case):
    folder = browse(case)
    case.goal('right-click "file2.txt"; click "Rename..."; wait for "Cancel"; press ctrl+a; type "renamed.txt"; '
              'press enter')
    case.becomes(["file1.txt", "file3.txt", "file4.txt", "file5.txt", "renamed.txt"], names(folder), "the folder")


@app.goal("a file is copied and pasted by chords", "keyboard only")
def copy(case):
    folder = browse(case)
    target = case.path("files/target")
    target.mkdir()
    case.goal('press f5; click "file3.txt"; press ctrl+c; double-click "target"; check window "target" is open; '
              'press ctrl+v')
    case.becomes(["file3.txt"], names(target), "the target folder")
    assert (folder / "file3.txt").exists()


@app.goal("Edit, Select All, and then deleted after a question", "menus", "dialogs")
def delete_all(case):
    folder = browse(case)
    case.goal('click "Edit"; click "Select All"; press shift+delete; wait for "Yes"; click "Yes"')
    case.becomes([], names(folder), "the folder")


@app.goal("a file is dragged into a folder", "drag and drop")
def drag(case):
    folder = case.files(3)
    (folder / "target").mkdir()
    case.start("pcmanfm", folder, title="files")
    case.goal('drag "file2.txt" to "target"')
    case.becomes(["file2.txt"], names(folder / "target"), "the target folder")


@app.goal("a path is typed into the location bar", "text", "keyboard only")
def location(case):
    folder = browse(case)
    case.write("elsewhere/a.txt", "")
    case.goal(f'press ctrl+l; type "{folder.parent}/elsewhere"; press enter; check window "elsewhere" is open')
    case.window("elsewhere")


@app.goal("a second tab is opened and closed", "tabs")
def tabs(case):
    browse(case)
    case.write("elsewhere/a.txt", "")
    case.goal(f'press ctrl+t; press ctrl+l; type "{case.path("elsewhere")}"; press enter; '
              'check window "elsewhere" is open; press ctrl+w; check window "files" is open')
    case.window("^files")


@app.goal("a file among 1,000 is selected by typing its name, and renamed", "1,000 rows", "keyboard only")
def thousand(case):
    folder = browse(case, 1000)
    case.goal('wait for "file1.txt"; press esc; type "file777"; press esc; press f2; wait for "Cancel"; press ctrl+a; '
              'type "renamed.txt"; press enter', seconds=90)
    case.becomes(True, lambda: (folder / "renamed.txt").exists() and not (folder / "file777.txt").exists(), "the name")


@app.goal("the wheel scrolls, and a file is clicked and renamed", "scrolling")
def scroll(case):
    folder = browse(case, 300)
    case.goal('scroll down 90 at 500,300; wait for "file277.txt"; click "file277.txt"; press f2; wait for "Cancel"; '
              'press ctrl+a; type "renamed.txt"; press enter', seconds=90)
    case.becomes(True, lambda: (folder / "renamed.txt").exists() and not (folder / "file277.txt").exists(), "the name")


@app.goal("View as a list: a row is double-clicked", "table cells", "menus")
def list_view(case):
    folder = browse(case)
    (folder / "inner").mkdir()
    case.goal('press ctrl+2; wait for "inner"; double-click "inner"; check window "inner" is open')
    case.window("^inner")


@app.looked_at(window="files")
def looked_at(case):
    browse(case, 300)
