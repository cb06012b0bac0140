"""Windows of Qt in which a click may have no effect. effects.py KIND LOG: writes what it got as lines of LOG.

dead     four buttons that do nothing, beside one that counts
moving   the same, and a clock that runs every tenth of a second
slow     a check box "Agree" whose program is busy for two seconds after each click
rows     a list whose first row moves down with each release of the button
names    a list that tells clicks from double clicks
lists    two lists that take no drops
number   a field "Number" that takes digits only
menus    a menu "File" with a submenu "Export"
kinds    a field "Name", and buttons "Start" and "End"
"""

import sys
import time

from PyQt5.QtCore import QEvent, QObject, QTimer
from PyQt5.QtGui import QIntValidator
from PyQt5.QtWidgets import (QApplication, QCheckBox, QFormLayout, QHBoxLayout, QLabel, QLineEdit, QListWidget,
                             QMainWindow, QPushButton, QVBoxLayout, QWidget)

kind, log = sys.argv[1:]


def say(*words):
    with open(log, "a", encoding="utf-8") as out:
        print(*words, file=out)


def dead():
    content = QVBoxLayout()
    for name in ("Alpha", "Beta", "Gamma", "Delta"):
        button = QPushButton(name)
        button.clicked.connect(lambda _, name=name: say(name))
        content.addWidget(button)
    counted = QLabel("0")
    count = QPushButton("Count")
    count.clicked.connect(lambda: counted.setText(str(int(counted.text()) + 1)))
    content.addWidget(count)
    content.addWidget(counted)
    return content


def moving():
    content = dead()
    clock = QLabel("0.0")
    content.addWidget(clock)
    timer = QTimer(window)
    timer.timeout.connect(lambda: clock.setText(f"{float(clock.text()) + 0.1:.1f}"))
    timer.start(100)
    return content


def slow():
    content = QVBoxLayout()
    box = QCheckBox("Agree")
    box.toggled.connect(lambda checked: (time.sleep(2), say("agree", checked)))
    content.addWidget(box)
    return content


class Rotation(QObject):
    def __init__(self, rows):
        super().__init__(rows)
        self.rows = rows

    def eventFilter(self, _, event):
        if event.type() == QEvent.MouseButtonRelease:
            QTimer.singleShot(0, lambda: self.rows.insertItem(5, self.rows.takeItem(0)))
        return False


def rows():
    content = QVBoxLayout()
    names = QListWidget()
    names.addItems(["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"])
    names.itemClicked.connect(lambda item: say("clicked", item.text()))
    names.itemDoubleClicked.connect(lambda item: say("double", item.text()))
    names.viewport().installEventFilter(Rotation(names))
    content.addWidget(names)
    return content


def names():
    content = QVBoxLayout()
    names = QListWidget()
    names.addItems(["Ann", "Bob", "Cid"])
    names.itemClicked.connect(lambda item: say("clicked", item.text()))
    names.itemDoubleClicked.connect(lambda item: say("double", item.text()))
    content.addWidget(names)
    return content


def lists():
    content = QHBoxLayout()
    for items in (["Apple", "Pear", "Plum"], ["Carrot"]):
        names = QListWidget()
        names.addItems(items)
        content.addWidget(names)
    return content


def number():
    content = QFormLayout()
    field = QLineEdit()
    field.setValidator(QIntValidator(0, 999))
    field.textChanged.connect(lambda text: say("number", text))
    content.addRow("Number", field)
    return content


def menus():
    menu = window.menuBar().addMenu("File")
    export = menu.addMenu("Export")
    export.addAction("Picture", lambda: say("picture"))
    export.aboutToShow.connect(lambda: say("export shown"))
    menu.addAction("Leave", lambda: say("leave"))
    return QVBoxLayout()


def kinds():
    content = QFormLayout()
    field = QLineEdit()
    field.textChanged.connect(lambda text: say("name", text))
    content.addRow("Name", field)
    for name in ("Start", "End"):
        button = QPushButton(name)
        button.clicked.connect(lambda _, name=name: say(name))
        content.addRow(button)
    return content


application = QApplication([])
window = QMainWindow()
window.setWindowTitle("Effects")
centre = QWidget()
centre.setLayout({"dead": dead, "moving": moving, "rows": rows, "names": names, "lists": lists, "number": number, "menus": menus,
                  "kinds": kinds, "slow": slow}[kind]())
window.setCentralWidget(centre)
window.setGeometry(200, 200, 420, 320)
window.show()
application.exec()
