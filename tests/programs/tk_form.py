"""Two text fields of a program without accessibility, each with a word beside it.

tk_form.py FILE: appends the name and the text of a field to FILE after each change.
Needs Debian's Python (tkinter).
"""

import sys
import tkinter

LOG = open(sys.argv[1], "a", encoding="utf-8", buffering=1)
root = tkinter.Tk()
root.title("Transfer")
root.geometry("500x220+100+100")
for row, name in enumerate(("Sender", "Receiver")):
    tkinter.Label(root, text=name, font=("DejaVu Sans", 11)).place(x=20, y=20 + 60 * row)
    text = tkinter.StringVar()
    tkinter.Entry(root, textvariable=text).place(x=160, y=20 + 60 * row, width=200)
    tkinter.Button(root, text="Browse").place(x=380, y=16 + 60 * row)
    text.trace_add("write", lambda *_, name=name, text=text: print(name, text.get(), file=LOG))
root.mainloop()
