"""galculator: a small GTK 3 calculator. ctrl+c copies its result."""

import x11
from harness import LARGE, SMALL, Application

app = Application("galculator", "GTK 3", ["galculator"])


def start(case):
    case.start("galculator", title="galculator")


@app.goal("digits and operators are clicked", "open", quick=True, settings=(SMALL, LARGE))
def clicks(case):
    case.goal('open galculator; click "7"; click "*"; click "6"; click "="')
    case.copied("42")


@app.goal("a calculation is typed", "keyboard only")
def typed(case):
    start(case)
    case.goal('type "12*34"; press enter')
    case.copied("408")


@app.goal("a digit is typed twice in a row", "keyboard only", quick=True)
def typed_twice(case):
    start(case)
    case.goal('type "99"')
    case.copied("99")


@app.goal("twenty clicks in a row are all counted", "open")
def many(case):
    start(case)
    case.goal("; ".join(f'click "{digit}"' for digit in "1234567890"), seconds=90)
    case.copied("1234567890")


@app.goal("Edit, Copy copies the display", "menus")
def copy(case):
    start(case)
    case.goal('type "98"; click "Edit"; click "Copy Display Value"')
    case.becomes("98", lambda: x11.selection("clipboard"), "the clipboard")


@app.goal("a radio item of a submenu changes the base", "menus", "radio buttons", quick=True)
def base(case):
    start(case)
    case.goal('click "View"; click "Scientific Mode"; type "240"; click "Calculator"; click "Number bases"; '
              'click "Hexadecimal"')
    case.copied("F0")


@app.goal("the scientific mode has a key for the square root", "menus")
def scientific(case):
    start(case)
    case.goal('click "View"; click "Scientific Mode"; type "81"; click "sqrt"; press enter')
    case.copied("9")


@app.goal("Preferences opens and closes", "dialogs")
def preferences(case):
    start(case)
    case.goal('click "Edit"; click "Preferences..."; check window "Preferences" is open; click "Close"')
    case.no_window("Preferences")


@app.goal("About opens and closes", "dialogs", "menus")
def about(case):
    start(case)
    case.goal('click "Help"; click "About"; check window "About" is open; close "About"')
    case.no_window("About")


@app.looked_at("Edit")
def looked_at(case):
    start(case)
