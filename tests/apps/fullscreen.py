"""Full-screen windows with dialogs and menus over them. xprop and the files on disk show what a goal did."""

import x11
from harness import LARGE, SMALL, Application

app = Application("full-screen windows", "GTK 3, Qt 5, Xt", ["mousepad", "featherpad", "xterm", "zenity"])


def is_full(title):
    return lambda: "FULLSCREEN" in x11.ask("xprop", "-id", x11.window_of(title), "_NET_WM_STATE")


def full(case, *command, title):
    process = case.start(*command, title=title)
    x11.ask("wmctrl", "-r", title, "-b", "add,fullscreen")
    case.becomes(True, is_full(title), "full screen")
    return process


@app.goal("an editor is saved under a name by its file chooser", "file chooser (save)", "windows",
          settings=(SMALL, LARGE))
def editor(case):
    full(case, "mousepad", title="Untitled")
    file = case.path("full.txt")
    case.goal(f'type "full"; press ctrl+s; type "{file}" into "Name"; click "Save"; check window "full.txt" is open')
    case.file_is(file, "full")


@app.goal("a Qt editor's menu is used", "menus", "windows")
def qt_menu(case):
    file = case.write("a.txt", "x\n")
    full(case, "featherpad", file, title="a.txt")
    case.goal('type "Y"; click "File"; click "Save"')
    case.file_is(file, "Yx\n")


@app.goal("a dialog over a full-screen window is answered", "dialogs", "windows", quick=True)
def dialog(case):
    full(case, "xterm", "-T", "Wall", title="Wall")
    question = case.start("zenity", "--question", "--title=Ask", "--text=Go on?", title="Ask")
    case.goal('focus "Ask"; click "Yes"')
    case.prints(question, "")


@app.goal("a window behind a full-screen window is focused and used", "windows")
def behind(case):
    form = case.start("zenity", "--entry", "--title=Behind", "--text=Name", title="Behind")
    full(case, "xterm", "-T", "Wall", title="Wall")
    case.goal('focus "Behind"; type "seen"; click "OK"')
    case.prints(form, "seen")


@app.goal("full screen is left by F11", "keyboard only", "windows")
def leave(case):
    case.start("mousepad", title="Untitled")
    case.goal("press f11")
    case.becomes(True, is_full("Untitled"), "full screen")
    case.goal("press f11")
    case.becomes(False, is_full("Untitled"), "full screen")
