"""The window of gtk_many.py in Qt: qt_many.py wide|deep COUNT. Needs Debian's Python (PyQt5)."""

import sys

from PyQt5 import QtCore, QtWidgets

DEPTH = 40  # As in gtk_many.py.
HEIGHT = 34  # Of each critical element, without gaps, so that a test knows where they are.

shape, count = sys.argv[1], int(sys.argv[2])
application = QtWidgets.QApplication(sys.argv[:1])
window = QtWidgets.QWidget()
window.setWindowTitle("Many elements")
window.resize(500, 400)
column = QtWidgets.QVBoxLayout(window)
column.setContentsMargins(0, 0, 0, 0)
column.setSpacing(0)
delete = QtWidgets.QPushButton("Delete everything")
password = QtWidgets.QLineEdit()
password.setEchoMode(QtWidgets.QLineEdit.Password)
pay = QtWidgets.QPushButton("Pay now")
scrolled = QtWidgets.QScrollArea()
scrolled.setFocusPolicy(QtCore.Qt.NoFocus)
inside = QtWidgets.QWidget()
place = QtWidgets.QVBoxLayout(inside)
for number in range(count):
    if shape == "deep" and number % (count // DEPTH) == 0:
        deeper = QtWidgets.QWidget()
        place.addWidget(deeper)
        place = QtWidgets.QVBoxLayout(deeper)
    place.addWidget(QtWidgets.QLabel(f"Line {number}"))
scrolled.setWidget(inside)
column.addWidget(scrolled)
for widget in (delete, password, pay):
    widget.setFixedHeight(HEIGHT)
    column.addWidget(widget)
window.show()
delete.setFocus()
sys.exit(application.exec_())
