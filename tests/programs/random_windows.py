"""Windows for the test of random desktops: it logs what each window gets, and changes itself when it is told to.

random_windows.py KIT LOG WINDOWS: KIT is gtk3, gtk4, qt5 or tk. WINDOWS is a JSON list of {"id", "title", "x", "y", "width",
"height", "items": [{"kind": "button", "check", "field" or "pad", "name"}]}; a pad takes keys and has no text, and one that is
"deaf" does nothing with them. LOG gets a
JSON object for each event: {"window", "item", "what": "clicked", "checked", "unchecked", "text" or "key", "text"}.

Reads commands from stdin, a JSON object a line: {"do": "modal", "move", "swap", "disable", "rename", "close", "bubble" or
"steal", "window", ...}. A "bubble" is an unmanaged window over a place; "steal" opens a window that takes the focus and logs
its keys as those of the window "thief".

With the KIT "shape", each of WINDOWS is an unmanaged {"shape", "x", "y", "width", "height"}: a "frame" is only a thin border, a
"disc" has no corners, and both let clicks elsewhere through; "glass" shows whole and lets all clicks through. A click on one
is an event of the window "shape".
"""

import json
import sys
import threading

kit, log_path, windows = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
log = open(log_path, "a", encoding="utf-8", buffering=1)


def say(window, item, what, text=""):
    print(json.dumps({"window": window, "item": item, "what": what, "text": text}), file=log)


def read_commands(carry_out):
    for line in sys.stdin:
        carry_out(json.loads(line))


def run_gtk3():
    import gi
    gi.require_version("Gtk", "3.0")
    gi.require_version("Gdk", "3.0")
    from gi.repository import GLib, Gtk
    tops, items = {}, {}

    def add(top, box, item):
        kind, name = item["kind"], item["name"]
        if kind == "button":
            widget = Gtk.Button(label=name)
            widget.connect("clicked", lambda _: say(top, name, "clicked"))
        elif kind == "check":
            widget = Gtk.CheckButton(label=name)
            widget.connect("toggled", lambda w: say(top, name, "checked" if w.get_active() else "unchecked"))
        elif kind == "field":
            widget = Gtk.Entry()
            widget.get_accessible().set_name(name)
            widget.connect("changed", lambda w: say(top, name, "text", w.get_text()))
        else:
            widget = Gtk.DrawingArea(can_focus=True)
            if not item["deaf"]:
                tops[top].connect("key-press-event", lambda _, e: say(top, name, "key", e.string))
        items[top, name] = widget
        box.pack_start(widget, True, True, 0)

    for each in windows:
        top = Gtk.Window(title=each["title"])
        top.set_default_size(each["width"], each["height"])
        top.move(each["x"], each["y"])
        tops[each["id"]] = top
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        top.add(box)
        for item in each["items"]:
            add(each["id"], box, item)
        top.show_all()

    def carry_out(command):
        top = tops.get(command.get("window"))
        what = command["do"]
        if what == "modal":
            dialog = Gtk.Dialog(title=command["title"], transient_for=top, modal=True)
            dialog.add_button("Understood", 1).connect("clicked", lambda _: say("dialog", "Understood", "clicked"))
            dialog.show_all()
        elif what == "move":
            top.move(command["x"], command["y"])
        elif what == "swap":
            first, second = items[command["window"], command["a"]], items[command["window"], command["b"]]
            box = first.get_parent()
            places = [box.get_children().index(first), box.get_children().index(second)]
            box.reorder_child(first, places[1])
            box.reorder_child(second, places[0])
        elif what == "disable":
            items[command["window"], command["item"]].set_sensitive(False)
        elif what == "rename":
            top.set_title(command["title"])
        elif what == "close":
            top.destroy()
        elif what == "bubble":
            bubble = Gtk.Window(type=Gtk.WindowType.POPUP)
            bubble.set_default_size(command["width"], command["height"])
            bubble.move(command["x"], command["y"])
            bubble.connect("button-press-event", lambda *_: say("bubble", "", "clicked"))
            bubble.show_all()
            GLib.timeout_add(command["ms"], lambda: bubble.destroy())
        elif what == "steal":
            thief = Gtk.Window(title="Thief")
            thief.connect("key-press-event", lambda _, e: say("thief", "", "key", e.string))
            thief.move(command["x"], command["y"])
            thief.show_all()
            thief.present()

    def carry_out_once(command):
        carry_out(command)
        return False

    threading.Thread(target=read_commands, args=(lambda c: GLib.idle_add(carry_out_once, c),), daemon=True).start()
    Gtk.main()


def run_gtk4():
    import gi
    gi.require_version("Gtk", "4.0")
    gi.require_version("Gdk", "4.0")
    from gi.repository import Gdk, GLib, Gtk
    tops, items = {}, {}

    def text_of(key):
        character = Gdk.keyval_to_unicode(key)
        return chr(character) if character else ""  # A key for capitals is an event of its own.

    def log_keys(top, window, name):
        keys = Gtk.EventControllerKey()
        keys.connect("key-pressed", lambda _, value, *rest: say(window, name, "key", text_of(value)))
        top.add_controller(keys)

    def add(top, box, item):
        kind, name = item["kind"], item["name"]
        if kind == "button":
            widget = Gtk.Button(label=name)
            widget.connect("clicked", lambda _: say(top, name, "clicked"))
        elif kind == "check":
            widget = Gtk.CheckButton(label=name)
            widget.connect("toggled", lambda w: say(top, name, "checked" if w.get_active() else "unchecked"))
        elif kind == "field":
            widget = Gtk.Entry()
            widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
            widget.connect("changed", lambda w: say(top, name, "text", w.get_text()))
        else:
            widget = Gtk.DrawingArea(focusable=True)
            if not item["deaf"]:
                log_keys(tops[top], top, name)
        widget.set_vexpand(True)
        items[top, name] = widget
        box.append(widget)

    def open_window(each):
        top = Gtk.Window(title=each["title"], default_width=each["width"], default_height=each["height"])
        tops[each["id"]] = top
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        top.set_child(box)
        for item in each["items"]:
            add(each["id"], box, item)
        top.present()

    def carry_out(command):
        top = tops.get(command.get("window"))
        what = command["do"]
        if what == "modal":
            button = Gtk.Button(label="Understood")
            button.connect("clicked", lambda _: say("dialog", "Understood", "clicked"))
            Gtk.Window(title=command["title"], transient_for=top, modal=True, child=button).present()
        elif what == "swap":
            first, second = items[command["window"], command["a"]], items[command["window"], command["b"]]
            box = first.get_parent()
            before_first, before_second = first.get_prev_sibling(), second.get_prev_sibling()
            if before_second is first:
                box.reorder_child_after(first, second)
            elif before_first is second:
                box.reorder_child_after(second, first)
            else:
                box.reorder_child_after(second, before_first)
                box.reorder_child_after(first, before_second)
        elif what == "disable":
            items[command["window"], command["item"]].set_sensitive(False)
        elif what == "rename":
            top.set_title(command["title"])
        elif what == "close":
            top.destroy()
        elif what == "steal":
            thief = Gtk.Window(title="Thief")
            log_keys(thief, "thief", "")
            thief.present()

    def carry_out_once(command):
        carry_out(command)
        return False

    Gtk.init()
    for each in windows:
        open_window(each)
    threading.Thread(target=read_commands, args=(lambda c: GLib.idle_add(carry_out_once, c),), daemon=True).start()
    GLib.MainLoop().run()


def run_shape():
    import cairo
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk

    def area(shape, width, height):
        whole = cairo.Region(cairo.RectangleInt(0, 0, width, height))
        if shape == "frame":
            whole.subtract(cairo.RectangleInt(6, 6, width - 12, height - 12))
        elif shape == "disc":
            for y in range(height):
                inside = 1 - (2 * (y + 0.5) / height - 1) ** 2
                half = int(width / 2 * inside ** 0.5)
                whole.subtract(cairo.RectangleInt(0, y, width // 2 - half, 1))
                whole.subtract(cairo.RectangleInt(width // 2 + half, y, width, 1))
        return whole

    for each in windows:
        top = Gtk.Window(type=Gtk.WindowType.POPUP)
        top.set_default_size(each["width"], each["height"])
        top.move(each["x"], each["y"])
        top.connect("button-press-event", lambda *_: say("shape", "", "clicked"))
        top.realize()
        if each["shape"] == "glass":
            top.get_window().input_shape_combine_region(cairo.Region(), 0, 0)
        else:
            top.get_window().shape_combine_region(area(each["shape"], each["width"], each["height"]), 0, 0)
        top.show_all()
    Gtk.main()


def run_qt5():
    from PyQt5.QtCore import QObject, Qt, QTimer, pyqtSignal
    from PyQt5.QtWidgets import (QApplication, QCheckBox, QDialog, QLineEdit, QPushButton, QVBoxLayout, QWidget)
    application = QApplication([])
    application.setQuitOnLastWindowClosed(False)
    tops, items, kept = {}, {}, []

    class Pad(QWidget):
        def __init__(self, top, name, deaf=False):
            super().__init__()
            self.place, self.deaf = (top, name), deaf

        def keyPressEvent(self, event):
            if not self.deaf:
                say(*self.place, "key", event.text())

    class Bubble(QWidget):
        def mousePressEvent(self, _):
            say("bubble", "", "clicked")

    def add(top, rows, item):
        kind, name = item["kind"], item["name"]
        if kind == "button":
            widget = QPushButton(name)
            widget.clicked.connect(lambda _: say(top, name, "clicked"))
        elif kind == "check":
            widget = QCheckBox(name)
            widget.toggled.connect(lambda on: say(top, name, "checked" if on else "unchecked"))
        elif kind == "field":
            widget = QLineEdit()
            widget.setAccessibleName(name)
            widget.textChanged.connect(lambda text: say(top, name, "text", text))
        else:
            widget = Pad(top, name, item["deaf"])
            widget.setFocusPolicy(Qt.NoFocus if item["deaf"] else Qt.ClickFocus)
        items[top, name] = widget
        rows.addWidget(widget)

    for each in windows:
        top = QWidget()
        top.setWindowTitle(each["title"])
        rows = QVBoxLayout(top)
        for item in each["items"]:
            add(each["id"], rows, item)
        top.resize(each["width"], each["height"])
        top.move(each["x"], each["y"])
        top.show()
        for item in each["items"]:
            if item["kind"] == "pad" and not item["deaf"]:
                items[each["id"], item["name"]].setFocus()
        tops[each["id"]] = top

    def carry_out(command):
        top = tops.get(command.get("window"))
        what = command["do"]
        if what == "modal":
            dialog = QDialog(top)
            dialog.setWindowTitle(command["title"])
            button = QPushButton("Understood", dialog)
            button.clicked.connect(lambda _: say("dialog", "Understood", "clicked"))
            dialog.setModal(True)
            dialog.show()
            kept.append(dialog)
        elif what == "move":
            top.move(command["x"], command["y"])
        elif what == "swap":
            rows = top.layout()
            first, second = sorted(rows.indexOf(items[command["window"], command[key]]) for key in "ab")
            later, earlier = rows.takeAt(second).widget(), rows.takeAt(first).widget()
            rows.insertWidget(first, later)
            rows.insertWidget(second, earlier)
        elif what == "disable":
            items[command["window"], command["item"]].setEnabled(False)
        elif what == "rename":
            top.setWindowTitle(command["title"])
        elif what == "close":
            top.close()
        elif what == "bubble":
            bubble = Bubble(None)
            bubble.setWindowFlags(bubble.windowFlags() | Qt.X11BypassWindowManagerHint | Qt.FramelessWindowHint)
            bubble.setGeometry(command["x"], command["y"], command["width"], command["height"])
            bubble.show()
            kept.append(bubble)
            QTimer.singleShot(command["ms"], bubble.close)
        elif what == "steal":
            thief = Pad("thief", "")
            thief.setWindowTitle("Thief")
            thief.setFocusPolicy(Qt.ClickFocus)
            thief.move(command["x"], command["y"])
            thief.resize(200, 100)
            thief.show()
            thief.activateWindow()
            kept.append(thief)

    class Commands(QObject):
        came = pyqtSignal(object)

    commands = Commands()
    commands.came.connect(carry_out)
    threading.Thread(target=read_commands, args=(commands.came.emit,), daemon=True).start()
    application.exec_()


def run_tk():
    import queue
    import tkinter
    root = tkinter.Tk()
    root.withdraw()
    tops, items, came = {}, {}, queue.Queue()

    def add(top, item):
        kind, name, place = item["kind"], item["name"], {"expand": True, "fill": "both"}
        if kind == "button":
            widget = tkinter.Button(tops[top], text=name, command=lambda: say(top, name, "clicked"))
        elif kind == "check":
            on = tkinter.BooleanVar(root, False)
            widget = tkinter.Checkbutton(tops[top], text=name, variable=on,
                                         command=lambda: say(top, name, "checked" if on.get() else "unchecked"))
        elif kind == "field":
            label = tkinter.Label(tops[top], text=name)
            label.pack()
            text = tkinter.StringVar(root)
            text.trace_add("write", lambda *_: say(top, name, "text", text.get()))
            widget = tkinter.Entry(tops[top], textvariable=text)
            widget.text, widget.label = text, label
        else:
            widget = tkinter.Frame(tops[top], width=200, height=100)
            if not item["deaf"]:
                tops[top].bind("<Key>", lambda event: say(top, name, "key", event.char))
        items[top, name] = widget
        widget.pack(**place)

    for each in windows:
        top = tkinter.Toplevel(root)
        top.title(each["title"])
        top.geometry(f"{each['width']}x{each['height']}+{each['x']}+{each['y']}")
        tops[each["id"]] = top
        for item in each["items"]:
            add(each["id"], item)

    def carry_out(command):
        top = tops.get(command.get("window"))
        what = command["do"]
        if what == "move":
            top.geometry(f"+{command['x']}+{command['y']}")
        elif what == "swap":
            first, second = items[command["window"], command["a"]], items[command["window"], command["b"]]
            order = [w for w in top.pack_slaves() if w in items.values()]
            at = {first: order.index(first), second: order.index(second)}
            order[at[first]], order[at[second]] = second, first
            for widget in order:
                # A field's name is what stands above it.
                if hasattr(widget, "label"):
                    widget.label.pack_forget()
                    widget.label.pack()
                widget.pack_forget()
                widget.pack(expand=True, fill="both")
        elif what == "disable":
            items[command["window"], command["item"]].configure(state="disabled")
        elif what == "rename":
            top.title(command["title"])
        elif what == "close":
            top.destroy()
        elif what == "bubble":
            bubble = tkinter.Toplevel(root)
            bubble.overrideredirect(True)
            bubble.geometry(f"{command['width']}x{command['height']}+{command['x']}+{command['y']}")
            bubble.bind("<Button>", lambda _: say("bubble", "", "clicked"))
            root.after(command["ms"], bubble.destroy)
        elif what == "steal":
            thief = tkinter.Toplevel(root)
            thief.title("Thief")
            thief.geometry(f"200x100+{command['x']}+{command['y']}")
            thief.bind("<Key>", lambda event: say("thief", "", "key", event.char))
            thief.focus_force()

    def take_commands():
        while not came.empty():
            carry_out(came.get())
        root.after(5, take_commands)

    threading.Thread(target=read_commands, args=(came.put,), daemon=True).start()
    take_commands()
    root.mainloop()


{"gtk3": run_gtk3, "gtk4": run_gtk4, "qt5": run_qt5, "tk": run_tk, "shape": run_shape}[kit]()
