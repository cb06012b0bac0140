"""A window with Qt Quick controls. qml_form.py FILE: each change writes FILE as JSON."""

import json
import os
import sys

from PyQt5 import QtCore, QtGui, QtQml

QML = b"""
import QtQuick 2.15
import QtQuick.Controls 2.15
import QtQuick.Layouts 1.15

ApplicationWindow {
  visible: true; width: 700; height: 560; title: "QML form"
  menuBar: MenuBar {
    Menu { title: "Actions"
      Action { text: "Greet"; onTriggered: answers.note("menu", "Greet") }
      Action { text: "Leave"; onTriggered: answers.note("menu", "Leave") }
    }
  }
  TabBar { id: bar; width: parent.width
    TabButton { text: "Fields" }
    TabButton { text: "Rows" }
  }
  StackLayout { anchors.top: bar.bottom; anchors.bottom: parent.bottom; width: parent.width; currentIndex: bar.currentIndex
    GridLayout { columns: 2
      Label { text: "Town" }
      TextField { Accessible.name: "Town"; Layout.fillWidth: true; onTextEdited: answers.note("town", text) }
      Label { text: "Secret" }
      TextField { Accessible.name: "Secret"; echoMode: TextInput.Password; onTextEdited: answers.note("secret", text) }
      Label { text: "News" }
      CheckBox { text: "Subscribe me"; onToggled: answers.note("check", checked) }
      Label { text: "Size" }
      RowLayout {
        RadioButton { text: "Small"; onToggled: if (checked) answers.note("size", text) }
        RadioButton { text: "Large"; onToggled: if (checked) answers.note("size", text) }
      }
      Label { text: "Dark" }
      Switch { text: "Dark mode"; onToggled: answers.note("dark", checked) }
      Label { text: "Colour" }
      ComboBox { Accessible.name: "Colour"; model: ["red", "green", "blue"]; onActivated: answers.note("colour", currentText) }
      Label { text: "Volume" }
      Slider { Accessible.name: "Volume"; from: 0; to: 100; stepSize: 1; onMoved: answers.note("volume", value) }
      Button { text: "Finish"; onClicked: ask.open() }
    }
    ListView { model: 200; clip: true
      delegate: ItemDelegate { width: 300; text: "entry " + (index + 1); onClicked: answers.note("row", text) }
    }
  }
  Dialog { id: ask; title: "Question"; modal: true; standardButtons: Dialog.Yes | Dialog.No; anchors.centerIn: parent
    Label { text: "Shall it go on?" }
    onAccepted: answers.note("answer", "yes")
    onRejected: answers.note("answer", "no")
  }
}
"""


class State(QtCore.QObject):
    def __init__(self, file):
        super().__init__()
        self.file, self.values = file, {}
        self.write()

    def write(self):
        with open(self.file + ".new", "w", encoding="utf-8") as out:
            json.dump(self.values, out)
        os.rename(self.file + ".new", self.file)

    @QtCore.pyqtSlot(str, QtCore.QVariant)
    def note(self, name, value):
        self.values[name] = value
        self.write()


application = QtGui.QGuiApplication(sys.argv)
state = State(sys.argv[1])
engine = QtQml.QQmlApplicationEngine()
engine.rootContext().setContextProperty("answers", state)
engine.loadData(QML)
sys.exit(application.exec_() if engine.rootObjects() else 1)
