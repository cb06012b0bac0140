"""Lists that are longer than their window, and drop-down lists that one can type into. long_lists.py gtk|qt LOG: writes
what was chosen as lines of LOG. Needs Debian's Python (GTK and Qt bindings).
"""

import sys

kind, log = sys.argv[1:]


def say(*words):
    with open(log, "a", encoding="utf-8") as out:
        print(*words, file=out)


def gtk():
    import gi
    gi.require_version("Gdk", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk
    grid = Gtk.Grid(column_spacing=8, row_spacing=4)
    long = Gtk.ComboBoxText()
    for number in range(60):
        long.append_text(f"Option {number}")
    long.connect("changed", lambda box: say("option", box.get_active_text()))
    colour = Gtk.ComboBoxText.new_with_entry()
    for name in ("Red", "Green", "Blue"):
        colour.append_text(name)
    colour.connect("changed", lambda box: say("colour", box.get_active_text()))
    for row, (name, box, named) in enumerate((("_Option", long, long), ("_Colour", colour, colour.get_child()))):
        label = Gtk.Label(label=name, use_underline=True)
        label.set_mnemonic_widget(named)
        grid.attach(label, 0, row, 1, 1)
        grid.attach(box, 1, row, 1, 1)
    window = Gtk.Window(title="Lists")
    window.add(grid)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    Gtk.main()


def qt():
    from PyQt5.QtWidgets import (QApplication, QComboBox, QFormLayout, QPushButton, QTableWidget, QTableWidgetItem,
                                 QWidget)
    application = QApplication([])
    window = QWidget()
    window.setWindowTitle("Lists")
    form = QFormLayout(window)
    colour = QComboBox()
    colour.setEditable(True)
    colour.addItems(["Red", "Green", "Blue"])
    colour.currentTextChanged.connect(lambda text: say("colour", text))
    form.addRow("Colour", colour)
    table = QTableWidget(60, 3)
    for row in range(60):
        for column in range(2):
            table.setItem(row, column, QTableWidgetItem(f"Cell {row}.{column}"))
        edit = QPushButton("Edit")
        edit.clicked.connect(lambda _, row=row: say("edit", row))
        table.setCellWidget(row, 2, edit)
    table.setSelectionMode(QTableWidget.SingleSelection)
    table.itemSelectionChanged.connect(lambda: [say("table", item.text()) for item in table.selectedItems()])
    form.addRow(table)
    window.setGeometry(50, 80, 500, 400)
    window.show()
    application.exec_()


{"gtk": gtk, "qt": qt}[kind]()
