"""Makes pictures of pieces of interfaces, with the text that they show: pieces.py DIRECTORY [LANGUAGE...]

Draws 200 windows one after the other with GTK 3, Qt 5 and Tk on the display, in light and dark themes, with letters of 9
to 24 pixels and in up to eight languages, and takes a picture of each. DIRECTORY gets NNN.png, NNN.bgra (width, height,
pixels) and pieces.json. The same seed makes the same pieces.
"""

import json
import pathlib
import random
import subprocess
import sys
import time

from PIL import Image, ImageGrab

from words import SENTENCES, WORDS

COUNT = 200
WIDTH, HEIGHT = 620, 340
KINDS = ["buttons", "sidebar", "list", "form", "dialog", "tabs", "table", "terminal", "links", "faint", "coloured", "dense"]
# Half of the pieces are in the first language.
SIZES = [9, 10, 11, 12, 13, 14, 16, 18, 20, 24]
LIGHT = {"page": "#ffffff", "ink": "#1c1c1c", "bar": "#202830", "bar_ink": "#f2f4f6", "faint": "#9a9a9a", "link": "#1a5fb4",
         "accent": "#3584e4", "panel": "#ececec", "edge": "#c8c8c8"}
DARK = {"page": "#242424", "ink": "#eeeeee", "bar": "#161616", "bar_ink": "#d0d0d0", "faint": "#777777", "link": "#78aeed",
        "accent": "#15539e", "panel": "#303030", "edge": "#4a4a4a"}
BUTTON_COLOURS = [("#c01c28", "#ffffff"), ("#26a269", "#ffffff"), ("#3584e4", "#ffffff"), ("#f6d32d", "#3d3846"),
                  ("#613583", "#ffffff"), ("#e66100", "#ffffff")]


def plan(languages):
    """What each piece shows: labels with their place, colours and size, on coloured boxes."""
    chance = random.Random(39)
    pieces = []
    for number in range(COUNT):
        language = languages[0] if chance.random() < 0.5 else chance.choice(languages)
        kind = KINDS[number % len(KINDS)]
        theme = LIGHT if chance.random() < 0.55 else DARK
        size = SIZES[(number // len(KINDS)) % len(SIZES)]
        pieces.append({"number": number, "toolkit": chance.choice(["gtk", "qt", "tk"]), "kind": kind,
                       "theme": "light" if theme is LIGHT else "dark", "size": size, "language": language,
                       **content(chance, kind, theme, size, language)})
    return pieces


def content(chance, kind, theme, size, language):
    words = chance.sample(WORDS[language], 14)
    line = int(size * 2.1)
    boxes, labels = [(0, 0, WIDTH, HEIGHT, theme["page"])], []

    def put(x, y, text, ink=theme["ink"], back=theme["page"], mono=False):
        # Text that does not fit would be cut.
        if y + size * 1.6 < HEIGHT and x + len(text) * size * 0.62 < WIDTH:
            labels.append({"x": x, "y": y, "text": text, "ink": ink, "back": back, "mono": mono})

    rows = range(min(10, (HEIGHT - 30) // line))
    if kind in ("buttons", "coloured"):
        for i in rows:
            back, ink = chance.choice(BUTTON_COLOURS) if kind == "coloured" else (theme["panel"], theme["ink"])
            x, y = 20 + 300 * (i % 2), 15 + int(line * 1.3) * (i // 2)
            boxes.append((x, y, 270, int(line * 1.1), back))
            put(x + 16, y + int(line * 0.2), words[i], ink, back)
    elif kind == "sidebar":
        boxes.append((0, 0, 200, HEIGHT, theme["bar"]))
        for i in rows:
            put(14, 15 + line * i, words[i][:24 if size < 12 else 14].strip(), theme["bar_ink"], theme["bar"])
            put(220, 15 + line * i, words[(i + 5) % 14])
    elif kind == "list":
        chosen = chance.choice(list(rows)[:5])
        for i in rows:
            back = theme["accent"] if i == chosen else theme["page"]
            if i == chosen:
                boxes.append((0, 12 + line * i, WIDTH, line, back))
            put(20, 14 + line * i, words[i], "#ffffff" if i == chosen else theme["ink"], back)
    elif kind == "form":
        for i in rows:
            y = 12 + int(line * 1.2) * i
            put(14, y + 3, words[i])
            boxes += [(300, y, 280, line, theme["edge"]), (301, y + 1, 278, line - 2, theme["page"])]
            put(308, y + 3, words[(i + 6) % 14])
    elif kind == "dialog":
        boxes.append((0, HEIGHT - 60, WIDTH, 60, theme["panel"]))
        for i, text in enumerate(SENTENCES[language]):
            put(20, 20 + line * i, text[:int(WIDTH * 1.5 / size)].rsplit(" ", 1)[0] if len(text) > WIDTH * 1.5 / size else text)
        for i in range(2):
            put(40 + 300 * i, HEIGHT - 48, words[i], theme["ink"], theme["panel"])
    elif kind == "tabs":
        for i in range(3):
            back = theme["page"] if i == 1 else theme["panel"]
            boxes += [(6 + 205 * i, 6, 200, line + 8, theme["edge"]), (7 + 205 * i, 7, 198, line + 8, back)]
            put(16 + 205 * i, 10, words[i][:int(280 / size)].strip(), theme["ink"] if i == 1 else theme["faint"], back)
        for i in rows:
            put(20, line + 30 + line * i, words[3 + i])
    elif kind == "table":
        for i in rows:
            boxes.append((0, 10 + line * (i + 1), WIDTH, 1, theme["edge"]))
            for column in range(2):
                put(10 + 310 * column, 14 + line * i, words[(i + 7 * column) % 14])
        boxes += [(300, 10, 1, HEIGHT - 20, theme["edge"])]
    elif kind == "terminal":
        boxes.append((0, 0, WIDTH, HEIGHT, "#0c0c0c"))
        for i in rows:
            put(6, 6 + line * i, words[i], chance.choice(["#16c60c", "#cccccc", "#f9f1a5", "#61d6d6"]), "#0c0c0c", True)
    elif kind == "links":
        for i in rows:
            put(20, 14 + line * i, words[i], theme["link"])
    elif kind == "faint":
        for i in rows:
            put(20, 14 + line * i, words[i], theme["faint"])
            put(320, 14 + line * i, words[(i + 6) % 14], theme["ink"])
    else:
        close = int(size * 1.55)
        for i in range((HEIGHT - 20) // close):
            text = SENTENCES[language][i % len(SENTENCES[language])]
            room = int(WIDTH * 1.5 / size)
            put(8, 6 + close * i, text if len(text) <= room else text[:room].rsplit(" ", 1)[0])
    return {"boxes": boxes, "labels": labels}


# One program for each toolkit draws the pieces of a file: it prints the number of each when it shows, and goes on at a
# line on stdin.
GTK = '''
import gi, json, sys
gi.require_version("Gdk", "3.0"); gi.require_version("Gtk", "3.0"); gi.require_version("PangoCairo", "1.0")
from gi.repository import Gdk, GLib, Gtk
window = Gtk.Window(type=Gtk.WindowType.POPUP); window.move(0, 0); window.set_default_size(W, H)
fixed = Gtk.Fixed(); window.add(fixed); css = Gtk.CssProvider()
Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), css, Gtk.STYLE_PROVIDER_PRIORITY_USER)
window.show_all()
for piece in json.load(open(sys.argv[1])):
    for child in fixed.get_children(): fixed.remove(child)
    rules = []
    def place(widget, name, x, y, w=-1, h=-1):
        widget.set_name(name); widget.set_size_request(w, h); fixed.put(widget, x, y)
    for i, (x, y, w, h, back) in enumerate(piece["boxes"]):
        rules.append("#b%d { background: %s; }" % (i, back)); place(Gtk.EventBox(), "b%d" % i, x, y, w, h)
    for i, one in enumerate(piece["labels"]):
        rules.append("#l%d { color: %s; font-family: %s; font-size: %dpx; }" % (
            i, one["ink"], "DejaVu Sans Mono" if one["mono"] else "DejaVu Sans", piece["size"]))
        place(Gtk.Label(label=one["text"]), "l%d" % i, one["x"], one["y"])
    css.load_from_data("\\n".join(rules).encode()); window.show_all(); window.resize(W, H)
    GLib.timeout_add(250, Gtk.main_quit); Gtk.main()
    print(piece["number"], flush=True); sys.stdin.readline()
'''
QT = '''
import json, sys
from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtGui import QFont
from PyQt5.QtWidgets import QApplication, QFrame, QLabel, QWidget
app = QApplication(sys.argv[:1])
for piece in json.load(open(sys.argv[1])):
    window = QWidget(None, Qt.X11BypassWindowManagerHint | Qt.FramelessWindowHint); window.setGeometry(0, 0, W, H)
    for x, y, w, h, back in piece["boxes"]:
        box = QFrame(window); box.setGeometry(x, y, w, h); box.setStyleSheet("background: %s" % back)
    for one in piece["labels"]:
        font = QFont("DejaVu Sans Mono" if one["mono"] else "DejaVu Sans"); font.setPixelSize(piece["size"])
        label = QLabel(one["text"], window); label.setFont(font); label.setTextFormat(Qt.PlainText)
        label.setStyleSheet("color: %s; background: transparent" % one["ink"]); label.move(one["x"], one["y"])
    window.show(); QTimer.singleShot(250, app.quit); app.exec_()
    print(piece["number"], flush=True); sys.stdin.readline(); window.close()
'''
TK = '''
import json, sys, tkinter
root = tkinter.Tk(); root.overrideredirect(True); root.geometry("%dx%d+0+0" % (W, H))
for piece in json.load(open(sys.argv[1])):
    for child in root.winfo_children(): child.destroy()
    for x, y, w, h, back in piece["boxes"]:
        tkinter.Frame(root, bg=back).place(x=x, y=y, width=w, height=h)
    for one in piece["labels"]:
        tkinter.Label(root, text=one["text"], fg=one["ink"], bg=one["back"], bd=0, padx=0, pady=0, font=(
            "DejaVu Sans Mono" if one["mono"] else "DejaVu Sans", -piece["size"])).place(x=one["x"], y=one["y"])
    root.update(); root.after(250, root.quit); root.mainloop()
    print(piece["number"], flush=True); sys.stdin.readline()
'''


def draw(directory, toolkit, source, pieces):
    mine = [piece for piece in pieces if piece["toolkit"] == toolkit]
    file = directory / f"{toolkit}.json"
    file.write_text(json.dumps(mine))
    program = f"W, H = {WIDTH}, {HEIGHT}\n" + source
    with subprocess.Popen(["/usr/bin/python3", "-c", program, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as child:
        for piece in mine:
            if child.stdout.readline().strip() != str(piece["number"]):
                raise RuntimeError(f"the {toolkit} program ended early")
            picture = ImageGrab.grab(bbox=(0, 0, WIDTH, HEIGHT)).convert("RGBA")
            name = f"{piece['number']:03}"
            picture.convert("RGB").save(directory / f"{name}.png")
            red, green, blue, alpha = picture.split()
            raw = Image.merge("RGBA", (blue, green, red, alpha)).tobytes()
            (directory / f"{name}.bgra").write_bytes(f"{WIDTH} {HEIGHT}\n".encode() + raw)
            child.stdin.write("\n")
            child.stdin.flush()
    file.unlink()


def main():
    directory = pathlib.Path(sys.argv[1])
    languages = sys.argv[2:] or list(WORDS)
    directory.mkdir(parents=True, exist_ok=True)
    pieces = plan(languages)
    began = time.monotonic()
    for toolkit, source in (("gtk", GTK), ("qt", QT), ("tk", TK)):
        draw(directory, toolkit, source, pieces)
    listed = [{key: piece[key] for key in ("number", "toolkit", "kind", "theme", "size", "language")}
              | {"texts": [label["text"] for label in piece["labels"]]} for piece in pieces]
    (directory / "pieces.json").write_text(json.dumps(listed, ensure_ascii=False, indent=1))
    print(f"{len(pieces)} pieces in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
