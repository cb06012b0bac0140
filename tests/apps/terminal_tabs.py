"""xfce4-terminal: a terminal with tabs (VTE, GTK 3). Files that its shells write show what a goal did."""

from harness import DOUBLE, LARGE, SMALL, Application

app = Application("xfce4-terminal", "GTK 3 (VTE)", ["xfce4-terminal"])


def terminal(case):
    case.write("home/.bashrc", "PS1='> '\n")
    case.start("xfce4-terminal", "--disable-server", "--working-directory", case.path(""), title="erminal|app-")


@app.goal("a command is typed and carried out", "keyboard only", settings=(SMALL, LARGE))
def command(case):
    terminal(case)
    case.goal('type "echo Grüße > out.txt"; press enter; wait 1 seconds')
    case.file_is(case.path("out.txt"), "Grüße\n")


@app.goal("each tab gets its own text", "tabs", "menus")
def tabs(case):
    terminal(case)
    case.goal('type "NAME=first"; press enter; press ctrl+shift+t; wait 1 seconds; type "NAME=second"; press enter; '
              'press ctrl+pageup; type "echo $NAME > a.txt"; press enter; press ctrl+pagedown; '
              'type "echo $NAME > b.txt"; press enter; wait 1 seconds')
    case.file_is(case.path("a.txt"), "first\n")
    case.file_is(case.path("b.txt"), "second\n")


@app.goal("several lines are typed as several commands", "keyboard only", "text", settings=(SMALL, DOUBLE))
def lines(case):
    terminal(case)
    case.goal('type "echo one > 1.txt\\necho two > 2.txt\\n"; wait 1 seconds')
    case.file_is(case.path("1.txt"), "one\n")
    case.file_is(case.path("2.txt"), "two\n")


@app.goal("output is waited for, and then answered", "text")
def answer(case):
    terminal(case)
    case.goal('type "read -p \\"Name? \\" N; echo $N > name.txt"; press enter; wait for "Name?"; type "Zoë"; press enter; '
              'wait 1 seconds')
    case.file_is(case.path("name.txt"), "Zoë\n")


@app.goal("a menu's item opens a dialog, which is closed", "menus", "dialogs")
def about(case):
    terminal(case)
    case.goal('click "Help"; click "About"; check window "About" is open; press esc')
    case.no_window("About")


@app.goal("closing with two tabs is cancelled by its question", "unsaved changes", "dialogs")
def close_cancelled(case):
    terminal(case)
    case.goal('press ctrl+shift+t; wait 1 seconds; press alt+f4; click "Cancel"')
    case.window("erminal|app-")


@app.looked_at(window="erminal")
def looked_at(case):
    terminal(case)
