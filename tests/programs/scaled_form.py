"""A window of a scaled toolkit for tests: the buttons "Alpha", "Beta" and "Gamma", and the text field "Token".

scaled_form.py KIT FILE [X,Y...]: KIT is gtk3, gtk4 or qt5, scaled by the environment (GDK_SCALE, QT_SCALE_FACTOR). One
window is opened at each place (in the toolkit's pixels; default 30,40; GTK4 cannot choose its place), all with the title
"Scaled". FILE is JSON with the names of the clicked buttons in order ("clicked", with the number of the window; with
"right" where the right button clicked), and, from the first change on, the text of the first field and its place in
pixels of the screen ("text", "place"; not of GTK4).
"""

import json
import os
import sys

NAMES = ("Alpha", "Beta", "Gamma")
kit, file, *places = sys.argv[1:]
corners = [tuple(int(number) for number in place.split(",")) for place in places or ["30,40"]]
state = {"clicked": [], "text": "", "place": None}


def write():
    with open(file + ".new", "w", encoding="utf-8") as out:
        json.dump(state, out)
    os.replace(file + ".new", file)


def note(name, window):
    state["clicked"].append(f"{name} {window}")
    write()


def changed(text, scale, left, top, width, height):
    state["text"] = text
    state["place"] = [round(scale * number) for number in (left, top, width, height)]
    write()


def run_gtk3():
    import gi
    gi.require_version("Gtk", "3.0")
    gi.require_version("Gdk", "3.0")
    from gi.repository import Gtk
    for window, corner in enumerate(corners, 1):
        top = Gtk.Window(title="Scaled")
        top.set_default_size(300, 200)
        top.move(*corner)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        top.add(box)
        for name in NAMES:
            button = Gtk.Button(label=name)
            button.connect("clicked", lambda _, name=name, window=window: note(name, window))
            box.pack_start(button, True, True, 0)
        field = Gtk.Entry()
        field.get_accessible().set_name("Token")
        box.pack_start(field, False, False, 0)

        def on_change(field, top=top):
            _, left, up = top.get_window().get_origin()
            x, y = field.translate_coordinates(top, 0, 0)
            size = field.get_allocation()
            changed(field.get_text(), top.get_scale_factor(), left + x, up + y, size.width, size.height)
        field.connect("changed", on_change)
        top.connect("destroy", Gtk.main_quit)
        top.show_all()
    write()
    Gtk.main()


def run_qt5():
    from PyQt5.QtCore import QPoint
    from PyQt5.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget
    application = QApplication([])
    windows = []
    for window, corner in enumerate(corners, 1):
        top = QWidget()
        top.setWindowTitle("Scaled")
        rows = QVBoxLayout(top)
        for name in NAMES:
            button = QPushButton(name)
            button.clicked.connect(lambda _, name=name, window=window: note(name, window))
            rows.addWidget(button)
        field = QLineEdit()
        field.setAccessibleName("Token")

        def on_change(text, field=field):
            corner = field.mapToGlobal(QPoint(0, 0))
            changed(text, field.devicePixelRatioF(), corner.x(), corner.y(), field.width(), field.height())
        field.textChanged.connect(on_change)
        rows.addWidget(field)
        top.resize(300, 200)
        top.move(*corner)
        top.show()
        windows.append(top)
    write()
    application.exec_()


def run_gtk4():
    import gi
    gi.require_version("Gtk", "4.0")
    gi.require_version("Gdk", "4.0")
    from gi.repository import GLib, Gtk
    for window, _ in enumerate(corners, 1):
        top = Gtk.Window(title="Scaled")
        top.set_default_size(300, 200)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        top.set_child(box)
        for name in NAMES:
            button = Gtk.Button(label=f"{name} {window}" if len(corners) > 1 else name, vexpand=True)
            button.connect("clicked", lambda _, name=name, window=window: note(name, window))
            right = Gtk.GestureClick(button=3)
            right.connect("pressed", lambda *_, name=name, window=window: note(f"right {name}", window))
            button.add_controller(right)
            box.append(button)
        top.present()
    write()
    GLib.MainLoop().run()


{"gtk3": run_gtk3, "gtk4": run_gtk4, "qt5": run_qt5}[kit]()
