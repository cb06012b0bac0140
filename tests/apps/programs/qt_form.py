"""A window with Qt widgets. qt_form.py FILE: each change writes FILE as JSON."""

import json
import os
import sys

from PyQt5 import QtCore, QtGui, QtWidgets


class Form(QtWidgets.QMainWindow):
    def __init__(self, file):
        super().__init__()
        self.file, self.state = file, {"menu": [], "answer": ""}
        self.setWindowTitle("Qt form")
        self.resize(700, 500)
        menu = self.menuBar().addMenu("Actions")
        for name in ("Greet", "Leave"):
            menu.addAction(name, lambda name=name: self.note(menu=self.state["menu"] + [name]))
        menu.addAction("Ask something", self.ask)
        more = menu.addMenu("More")
        self.bold = more.addAction("Bold", lambda: self.note(bold=self.bold.isChecked()))
        self.bold.setCheckable(True)
        bar = self.addToolBar("Tools")
        bar.addAction("Stamp", lambda: self.note(stamp=self.state.get("stamp", 0) + 1))
        tabs = QtWidgets.QTabWidget()
        for name, page in (("Fields", self.fields()), ("Lists", self.lists()), ("Tree", self.tree()),
                           ("Table", self.table())):
            tabs.addTab(page, name)
        self.setCentralWidget(tabs)
        self.note()

    def note(self, **changes):
        self.state.update(changes)
        with open(self.file + ".new", "w", encoding="utf-8") as out:
            json.dump(self.state, out)
        os.rename(self.file + ".new", self.file)

    def ask(self):
        box = QtWidgets.QMessageBox.question(self, "Question", "Shall it go on?")
        self.note(answer="yes" if box == QtWidgets.QMessageBox.Yes else "no")

    def fields(self):
        page = QtWidgets.QWidget()
        form = QtWidgets.QFormLayout(page)
        town, secret, notes = QtWidgets.QLineEdit("Bonn"), QtWidgets.QLineEdit(), QtWidgets.QPlainTextEdit()
        secret.setEchoMode(QtWidgets.QLineEdit.Password)
        town.textChanged.connect(lambda text: self.note(town=text))
        secret.textChanged.connect(lambda text: self.note(secret=text))
        notes.textChanged.connect(lambda: self.note(notes=notes.toPlainText()))
        news = QtWidgets.QCheckBox("Subscribe me")
        news.toggled.connect(lambda on: self.note(check=on))
        form.addRow("Town", town)
        form.addRow("Secret", secret)
        form.addRow("", news)
        sizes = QtWidgets.QHBoxLayout()
        for name in ("Small", "Large"):
            button = QtWidgets.QRadioButton(name)
            button.toggled.connect(lambda on, name=name: on and self.note(size=name))
            sizes.addWidget(button)
        form.addRow("Size", sizes)
        colour = QtWidgets.QComboBox()
        colour.addItems(["red", "green", "blue"])
        colour.currentTextChanged.connect(lambda text: self.note(colour=text))
        form.addRow("Colour", colour)
        amount = QtWidgets.QSpinBox()
        amount.valueChanged.connect(lambda value: self.note(amount=value))
        form.addRow("Amount", amount)
        volume = QtWidgets.QSlider(QtCore.Qt.Horizontal)
        volume.valueChanged.connect(lambda value: self.note(volume=value))
        form.addRow("Volume", volume)
        day = QtWidgets.QDateEdit(QtCore.QDate(2020, 5, 10))
        day.setDisplayFormat("yyyy-MM-dd")
        day.dateChanged.connect(lambda date: self.note(day=date.toString("yyyy-MM-dd")))
        form.addRow("Day", day)
        form.addRow("Notes", notes)
        return page

    def lists(self):
        page = QtWidgets.QWidget()
        box = QtWidgets.QHBoxLayout(page)
        rows = QtWidgets.QListWidget()
        rows.addItems([f"entry {number}" for number in range(1, 1001)])
        rows.setContextMenuPolicy(QtCore.Qt.CustomContextMenu)
        menu = QtWidgets.QMenu(rows)
        menu.addAction("Stamp", lambda: self.note(marked=rows.currentItem().text()))
        rows.customContextMenuRequested.connect(lambda at: menu.popup(rows.mapToGlobal(at)))
        rows.currentTextChanged.connect(lambda text: self.note(row=text))
        rows.itemActivated.connect(lambda item: self.note(activated=item.text()))
        several = QtWidgets.QListWidget()
        several.setSelectionMode(QtWidgets.QAbstractItemView.ExtendedSelection)
        several.addItems(["apples", "pears", "plums"])
        several.itemSelectionChanged.connect(
            lambda: self.note(fruits=sorted(item.text() for item in several.selectedItems())))
        box.addWidget(rows)
        box.addWidget(several)
        return page

    def tree(self):
        tree = QtWidgets.QTreeWidget()
        tree.setHeaderLabels(["Item", "Price"])
        for name, parts in (("Fruits", ("Cherries", "Melons")), ("Vegetables", ("Carrots", "Onions"))):
            top = QtWidgets.QTreeWidgetItem(tree, [name])
            for part in parts:
                QtWidgets.QTreeWidgetItem(top, [part, "3 Euro"])
        tree.currentItemChanged.connect(lambda item, _: self.note(item=item.text(0)))
        tree.itemExpanded.connect(lambda item: self.note(expanded=item.text(0)))
        return tree

    def table(self):
        table = QtWidgets.QTableWidget(30, 3)
        table.setHorizontalHeaderLabels(["Name", "Town", "Paid"])
        for row in range(30):
            for column, text in enumerate((f"person {row}", f"town {row}", "")):
                table.setItem(row, column, QtWidgets.QTableWidgetItem(text))
            table.item(row, 2).setCheckState(QtCore.Qt.Unchecked)
        table.itemChanged.connect(lambda item: self.note(
            cell=[item.row(), item.column(), item.text(), item.checkState() == QtCore.Qt.Checked]))
        return table


application = QtWidgets.QApplication(sys.argv)
words = QtCore.QTranslator()
if words.load(QtCore.QLocale(), "qtbase", "_", QtCore.QLibraryInfo.location(QtCore.QLibraryInfo.TranslationsPath)):
    application.installTranslator(words)
application.setFont(QtGui.QFont("DejaVu Sans", 10))
form = Form(sys.argv[1])
form.show()
sys.exit(application.exec_())
