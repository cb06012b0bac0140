"""GIMP: a GTK 2 program without accessibility; names are read from the screen. The written images show what a goal did."""

from PIL import Image

from harness import DOUBLE, SMALL, Application

app = Application("GIMP", "GTK 2", ["gimp"], tree=False, heavy=True)
LEFT, RIGHT = (255, 0, 0), (0, 0, 255)  # The colours of the picture's halves.


def open_picture(case):
    """Opens a picture whose left half is red and whose right half is blue. Returns its file."""
    file = case.path("halves.png")
    picture = Image.new("RGB", (300, 200), LEFT)
    picture.paste(RIGHT, (150, 0, 300, 200))
    picture.save(file)
    case.start("gimp", "--no-splash", file, title="halves", seconds=90)
    return file


def pixel(file, at):
    return Image.open(file).convert("RGB").getpixel(at)


@app.goal("the picture's colours are inverted, and the file overwritten", "menus")
def invert(case):
    file = open_picture(case)
    case.goal('click "Colors"; click "Invert"; click "File"; click "Overwrite halves.png"; wait 2 seconds')
    case.becomes((0, 255, 255), lambda: pixel(file, (20, 20)), "the left half's colour")


@app.goal("an item of a submenu flips the picture", "menus", settings=(SMALL, DOUBLE))
def flip(case):
    file = open_picture(case)
    case.goal('click "Image"; click "Transform"; click "Flip Horizontally"; click "File"; click "Overwrite halves.png"; '
              'wait 2 seconds')
    case.becomes(RIGHT, lambda: pixel(file, (20, 20)), "the left half's colour")


@app.goal("a copy is exported under a typed path", "file chooser (save)", "keyboard only")
def export(case):
    open_picture(case)
    copy = case.path("copy.png")
    case.goal(f'press ctrl+shift+e; wait for "Export Image"; press ctrl+a; type "{copy}"; press enter; '
              'wait for "Export Image as PNG"; press enter; wait 2 seconds')
    case.becomes(LEFT, lambda: pixel(copy, (20, 20)), "the copy's left half")


@app.goal("Scale Image opens and is cancelled", "dialogs", "menus", settings=(SMALL, DOUBLE))
def scale(case):
    file = open_picture(case)
    case.goal('click "Image"; click "Scale Image..."; check window "Scale Image" is open; click "Cancel"')
    case.no_window("Scale Image")
    assert Image.open(file).size == (300, 200)


@app.goal("closing with unsaved changes: they are dropped", "unsaved changes", "dialogs")
def unsaved_drop(case):
    file = open_picture(case)
    case.goal('click "Colors"; click "Invert"; press ctrl+w; click "Discard Changes"')
    case.no_window("halves")
    assert pixel(file, (20, 20)) == LEFT


@app.goal("closing with unsaved changes: cancelled, nothing is lost", "unsaved changes", "dialogs")
def unsaved_cancel(case):
    open_picture(case)
    case.goal('click "Colors"; click "Invert"; press ctrl+w; wait for "Discard Changes"; click "Cancel"')
    case.window("halves")


@app.looked_at(window="halves")
def looked_at(case):
    open_picture(case)
