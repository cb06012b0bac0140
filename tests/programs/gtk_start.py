"""An application with an unusual start, for tests.

gtk_start.py splash SECONDS: shows a splash screen for SECONDS, then its window "Started".
gtk_start.py fail: prints two lines and exits with 3, before any window.
gtk_start.py answer FILE: the first process shows the window "Page 0". A later process writes to FILE, which makes the
first one show the next page, and exits. Needs Debian's Python (GTK bindings).
"""

import os
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402


def window(title):
    shown = Gtk.Window(title=title)
    shown.set_default_size(300, 200)
    entry = Gtk.Entry()
    entry.get_accessible().set_name("Note")
    shown.add(entry)
    shown.connect("destroy", Gtk.main_quit)
    shown.show_all()
    return shown


def start_slowly(seconds):
    splash = Gtk.Window(title="Starting")
    splash.set_type_hint(Gdk.WindowTypeHint.SPLASHSCREEN)
    splash.set_default_size(300, 120)
    bar = Gtk.ProgressBar()
    splash.add(bar)
    splash.show_all()
    GLib.timeout_add(200, lambda: bar.pulse() or True)

    def started():
        splash.destroy()
        window("Started")
    GLib.timeout_add(int(seconds * 1000), started)


def answer(file):
    if os.path.exists(file):
        with open(file, "a", encoding="utf-8") as pages:
            pages.write("x")
        sys.exit(0)
    with open(file, "w", encoding="utf-8"):
        shown = window("Page 0")
    GLib.timeout_add(100, lambda: shown.set_title(f"Page {os.path.getsize(file)}") or True)


if sys.argv[1] == "fail":
    print("reading the settings")
    print("cannot open the settings: they are broken", file=sys.stderr)
    sys.exit(3)
if sys.argv[1] == "splash":
    start_slowly(float(sys.argv[2]))
else:
    answer(sys.argv[2])
Gtk.main()
