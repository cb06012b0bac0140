"""gnome-calculator: a GTK 4 calculator. ctrl+c copies its result."""

import x11
from harness import GERMAN, LARGE, SMALL, Application

app = Application("gnome-calculator", "GTK 4", ["gnome-calculator"])


def start(case):
    case.start("gnome-calculator", title="Calculator")


@app.goal("digits and operators are clicked", "open", quick=True, settings=(SMALL, LARGE))
def clicks(case):
    case.goal('open gnome-calculator; click "7"; click "+"; click "8"; click "="; check "15" is visible')
    case.copied("15")


@app.goal("a calculation is typed", "keyboard only")
def typed(case):
    start(case)
    case.goal('type "12*12"; press enter')
    case.copied("144")


@app.goal("a calculation with a decimal comma, in German", "keyboard only", "open", settings=(GERMAN,))
def german(case):
    case.goal('open gnome-calculator; type "1,5*3"; press enter')
    case.copied("4,5")


@app.goal("the mode is changed in a menu of the header bar", "menus", "radio buttons")
def mode(case):
    start(case)
    case.goal('click "Basic"; click "Advanced"; click "cos"; type "0"; press enter')
    case.copied("1")


@app.goal("the mode is changed by a chord", "keyboard only")
def mode_keys(case):
    start(case)
    case.goal('press ctrl+alt+a; type "5"; press shift+1; press enter')
    case.copied("120")


@app.goal("Preferences opens from the main menu", "menus", "dialogs")
def preferences(case):
    start(case)
    case.goal('click 3rd push button in "Calculator"; click "Preferences"; '
              'check window "Preferences" is open; close "Preferences"')
    case.no_window("Preferences")


@app.looked_at("mod")
def looked_at(case):
    start(case)
    x11.press("ctrl+alt+a")
