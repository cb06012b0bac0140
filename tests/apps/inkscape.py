"""Inkscape: a large GTK 3 program with a canvas. The SVG file on disk shows what a goal did."""

import xml.etree.ElementTree

from harness import DOUBLE, GERMAN, SMALL, Application

SVG = "{http://www.w3.org/2000/svg}"
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">
<rect id="box" x="50" y="50" width="100" height="80" fill="#00ff00"/></svg>
"""
app = Application("Inkscape", "GTK 3 (gtkmm)", ["inkscape"], heavy=True)


def draw(case):
    """Opens a drawing with one box, without the welcome window. Returns its file."""
    case.write("home/config/inkscape/preferences.xml", '<inkscape version="1"><group id="options">'
               '<group id="boot" enabled="0"/></group></inkscape>')
    file = case.write("drawing.svg", DRAWING)
    case.start("inkscape", file, title="drawing.svg")
    return file


def shapes(file, kind="rect"):
    return list(xml.etree.ElementTree.parse(file).iter(SVG + kind))


@app.goal("a copy of the selected box is saved", "menus", settings=(SMALL, DOUBLE))
def duplicate(case):
    file = draw(case)
    case.goal('press ctrl+a; click "Edit"; click "Duplicate"; press ctrl+s')
    case.becomes(2, lambda: len(shapes(file)), "boxes in the file")


@app.goal("a button of the tool bar deletes by cutting", "keyboard only")
def cut(case):
    file = draw(case)
    case.goal('press ctrl+a; click push button "Cut"; press ctrl+s')
    case.becomes(0, lambda: len(shapes(file)), "boxes in the file")


@app.goal("a selected box gets a width by its spin button", "spin buttons")
def width(case):
    file = draw(case)
    case.goal('press ctrl+a; type "200" into "W"; press enter; press ctrl+s')
    case.becomes(lambda value: abs(value - 200) < 1, lambda: float(shapes(file)[0].get("width")), "a width of 200")


@app.goal("a circle is drawn by dragging", "drag and drop", settings=(SMALL, DOUBLE))
def circle(case):
    file = draw(case)
    x, y, width, height = case.inside("drawing.svg")
    middle = x + width // 2, y + height // 2
    case.goal(f'press e; drag from {middle[0]},{middle[1]} to {middle[0] + 80},{middle[1] + 80}; press ctrl+s')
    case.becomes(1, lambda: len(shapes(file, "ellipse") + shapes(file, "circle")), "circles in the file")


@app.goal("a copy is saved under a typed name", "file chooser (save)", "menus")
def save_copy(case):
    draw(case)
    copy = case.path("copy.svg")
    case.goal(f'click "File"; click "Save As..."; type "{copy}" into "Name"; press enter; '
              'check window "copy.svg" is open', seconds=60)
    case.becomes(1, lambda: len(shapes(copy)), "boxes in the copy")


@app.goal("closing with unsaved changes: they are dropped", "unsaved changes", "dialogs")
def unsaved_drop(case):
    file = draw(case)
    case.goal('press ctrl+a; press delete; close "drawing.svg"; click "Close without saving"')
    case.no_window("drawing")
    case.becomes(1, lambda: len(shapes(file)), "boxes in the file")


@app.goal("closing with unsaved changes: cancelled, then saved", "unsaved changes", "dialogs")
def unsaved_cancel(case):
    file = draw(case)
    case.goal('press ctrl+a; press delete; close "drawing.svg"; click "Cancel"; press ctrl+s')
    case.becomes(0, lambda: len(shapes(file)), "boxes in the file")


@app.goal("a radio item of a submenu shows outlines", "menus", "radio buttons")
def outline(case):
    draw(case)
    case.goal('click "View"; click "Display Mode"; click "Outline"; click "View"; click "Display Mode"; '
              'check "Outline" is checked')


@app.goal("a copy of the selected box is saved, in German", "menus", settings=(GERMAN,))
def german(case):
    file = draw(case)
    case.goal('press ctrl+a; click "Bearbeiten"; click "Duplizieren"; press ctrl+s')
    case.becomes(2, lambda: len(shapes(file)), "boxes in the file")


@app.looked_at("File")
def looked_at(case):
    draw(case)
