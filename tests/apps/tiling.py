"""Goals under a tiling window manager (i3). i3-msg and the files on disk show what they did."""

import json
import subprocess

import x11
from console import wait_until
from harness import DOUBLE, LARGE, SMALL, Application

app = Application("i3", "tiling window manager", ["i3", "mousepad", "featherpad", "zenity"])

CONFIG = "font pango:DejaVu Sans 10\nworkspace_layout {layout}\nfocus_follows_mouse no\n"


def manager(case, layout="default"):
    """Replaces the window manager with i3 until the goal ends."""
    config = case.write("i3.conf", CONFIG.format(layout=layout))
    case.started.append(subprocess.Popen(["i3", "--replace", "-c", str(config)], env=case.sandbox.environment,
                                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
    wait_until(lambda: "i3" in x11.ask("wmctrl", "-m"), "i3 manages the display")


def i3(*words):
    return x11.ask("i3-msg", *words)


def windows(node=None):
    """Returns name -> container of each window that i3 manages."""
    node = node or json.loads(i3("-t", "get_tree"))
    found = {node["name"]: node} if node.get("window") else {}
    for child in node["nodes"] + node["floating_nodes"]:
        found.update(windows(child))
    return found


def focused():
    return [name for name, node in windows().items() if node["focused"]]


@app.goal("an editor that fills the screen is saved under a name", "open", "file chooser (save)", "windows",
          settings=(SMALL, LARGE, DOUBLE))
def save(case):
    manager(case)
    file = case.path("tiled.txt")
    case.goal(f'open mousepad; type "tiled"; press ctrl+s; type "{file}" into "Name"; press enter; '
              'check window "tiled.txt" is open')
    case.file_is(file, "tiled")


@app.goal("of two tiles, each is focused and edited", "windows")
def two(case):
    manager(case)
    first, second = case.write("first.txt", "1\n"), case.write("second.txt", "2\n")
    case.start("mousepad", first, title="first.txt")
    case.start("featherpad", second, title="second.txt")
    case.goal('focus "first.txt"; type "X"; press ctrl+s; focus "second.txt"; type "Y"; press ctrl+s')
    case.file_is(first, "X1\n")
    case.file_is(second, "Y2\n")
    case.becomes(lambda names: len(names) == 1 and "second.txt" in names[0], focused, "the focus")


@app.goal("a window on another workspace is focused", "windows")
def workspace(case):
    manager(case)
    form = case.start("zenity", "--entry", "--title=Away", "--text=Name", title="Away")
    i3("workspace", "2")
    case.start("mousepad", title="Untitled")
    case.goal('focus "Away"; type "found"; click "OK"')
    case.prints(form, "found")


@app.goal("a window behind a tabbed one is focused and used", "windows", "tabs")
def tabbed(case):
    manager(case, "tabbed")
    first, second = case.write("first.txt", "1\n"), case.write("second.txt", "2\n")
    case.start("mousepad", first, title="first.txt")
    case.start("featherpad", second, title="second.txt")
    case.goal('focus "first.txt"; type "X"; click "File"; click "Save"')
    case.file_is(first, "X1\n")


@app.goal("a dialog that floats is answered", "dialogs", "windows")
def floating(case):
    manager(case)
    case.start("mousepad", title="Untitled")
    question = case.start("zenity", "--question", "--title=Ask", "--text=Go on?", title="Ask")
    case.goal('click "Yes"')
    case.prints(question, "")


@app.goal("a window is closed", "windows", "unsaved changes")
def close(case):
    manager(case)
    case.start("mousepad", case.write("a.txt", "x\n"), title="a.txt")
    case.goal('type "Y"; close "a.txt"; click "Don\'t Save"')
    case.becomes({}, windows, "i3's windows")
