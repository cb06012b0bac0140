"""xterm with a shell, vim and whiptail: without accessibility, so names are read from the screen."""

import x11
from harness import LARGE, SMALL, Application

app = Application("xterm with vim", "Xt", ["xterm", "vim", "whiptail"], tree=False)
FONT = ("-fa", "DejaVu Sans Mono", "-fs", "16", "-geometry", "80x24+20+40")


def terminal(case, *command, title="Terminal"):
    return case.start("xterm", "-u8", *FONT, "-T", title, "-e", *command, title=title)


@app.goal("a shell writes what is typed", "open", "text", "keyboard only", quick=True, settings=(SMALL, LARGE))
def shell(case):
    file = case.path("typed.txt")
    text = "Grüße 漢字 €  \\ \"quoted\" $HOME `x` 'y' ~|<>&;\n"
    case.goal(f"open xterm -u8; type {x11.quote(f'cat > {file}')}; press enter; type {x11.quote(text)}; press ctrl+d; "
              'type "exit"; press enter')
    case.file_is(file, text)
    case.no_window(".")


@app.goal("vim: a text is inserted and written", "open", "text", "keyboard only")
def vim(case):
    file = case.path("vim.txt")
    case.goal(f'open xterm -u8 -fa Monospace -fs 16 -e vim -N -u NONE {file}; wait for "New"; '
              'type "iGrüße"; press enter; type "zwei"; press esc; type ":wq"; press enter')
    case.file_is(file, "Grüße\nzwei\n")


@app.goal("vim: every match is replaced", "text", "keyboard only")
def vim_replace(case):
    file = case.write("vim.txt", "one two one\n")
    terminal(case, "vim", "-u", "NONE", file)
    case.goal('focus "Terminal"; type ":%s/one/three/g"; press enter; type ":wq"; press enter')
    case.file_is(file, "three two three\n")


@app.goal("vim: a word is clicked where it is read, and changed", "text")
def vim_click(case):
    file = case.write("vim.txt", "apples and pears\nplums and cherries\n")
    terminal(case, "vim", "-u", "NONE", "-c", "set mouse=a", file)
    case.goal('click "cherries"; type "ciwberries"; press esc; type ":wq"; press enter')
    case.file_is(file, "apples and pears\nplums and berries\n")


@app.goal("vim: of 1,000 lines, one is reached and deleted", "1,000 rows", "keyboard only")
def vim_far(case):
    lines = [f"line {number}\n" for number in range(1, 1001)]
    file = case.write("vim.txt", "".join(lines))
    terminal(case, "vim", "-u", "NONE", file)
    case.goal('focus "Terminal"; type ":500"; press enter; wait for "line 501"; type "dd:wq"; press enter')
    case.file_is(file, "".join(lines[:499] + lines[500:]))


@app.goal("vim: leaving with unsaved changes is refused, then forced", "unsaved changes", "keyboard only")
def vim_unsaved(case):
    file = case.write("vim.txt", "kept\n")
    terminal(case, "vim", "-u", "NONE", file)
    case.goal('focus "Terminal"; type "dd:q"; press enter; wait for "No write since last change"; type ":q!"; '
              'press enter')
    case.no_window("Terminal")
    case.file_is(file, "kept\n")


@app.goal("less: the wheel scrolls to a text", "scrolling")
def less(case):
    file = case.write("long.txt", "".join(f"number {line}\n" for line in range(1, 101)) + "the very end\n")
    terminal(case, "less", "--mouse", file)
    case.goal('scroll down 90 at 400,300; wait for "the very end" 10 seconds; type "q"')
    case.no_window("Terminal")


def dialog(case, *words):
    """Opens whiptail in a terminal. Returns the file with its answer."""
    answer = case.path("answer")
    terminal(case, "sh", "-c", 'out=$1; shift; whiptail "$@" 2>"$out"', "sh", answer, *words)
    return answer


@app.goal("whiptail: a menu's item is chosen by keys", "dialogs", "menus", "keyboard only")
def menu(case):
    answer = dialog(case, "--menu", "Pick one", "15", "50", "5", "one", "first", "two", "second", "three", "third")
    case.goal('focus "Terminal"; wait for "second"; press down; press enter')
    case.file_is(answer, "two")


@app.goal("whiptail: boxes of a check list are ticked by keys", "check boxes", "keyboard only")
def check_list(case):
    answer = dialog(case, "--checklist", "Pick some", "15", "50", "5", "one", "first", "off", "two", "second", "on",
                    "three", "third", "off")
    case.goal('focus "Terminal"; wait for "third"; press space; press tab; press enter')
    case.file_is(answer, '"one" "two"')


@app.goal("whiptail: a radio list's item is chosen by keys", "radio buttons", "keyboard only")
def radio_list(case):
    answer = dialog(case, "--radiolist", "Pick one", "15", "50", "5", "one", "first", "on", "two", "second", "off")
    case.goal('focus "Terminal"; wait for "second"; press down; press space; press tab; press enter')
    case.file_is(answer, "two")


@app.goal("text is selected with a double click and copied", "text")
def select(case):
    terminal(case, "sh", "-c", "echo unmistakable; exec sleep 60")
    case.goal('double-click "unmistakable"')
    case.becomes("unmistakable", lambda: x11.selection("primary"), "the primary selection")


@app.goal("text is selected by dragging", "drag and drop")
def drag(case):
    terminal(case, "sh", "-c", "echo draggedtext; exec sleep 60")
    case.goal('wait for "draggedtext"; drag from 24,74 to 900,74')
    case.becomes(lambda text: text.strip() == "draggedtext", lambda: x11.selection("primary"), "the primary selection")


@app.goal("the window is closed, and its shell ends", "windows")
def close(case):
    process = terminal(case, "sleep", "100", title="Sleeper")
    case.goal('close "Sleeper"')
    case.no_window("Sleeper")
    process.wait(10)


@app.looked_at(window="Terminal")
def looked_at(case):
    terminal(case, "vim", "-u", "NONE", case.write("vim.txt", "one\n"))
