"""A window with Tk widgets, which have no accessibility. tk_form.py FILE: each change writes FILE as JSON.

All targets are large enough for text recognition.
"""

import json
import os
import sys
import tkinter
from tkinter import filedialog, messagebox, ttk

FONT = ("DejaVu Sans", 14)


class Form(tkinter.Tk):
    def __init__(self, file):
        super().__init__()
        self.file = file
        self.state_now = {"menu": [], "dragged": "", "answer": "", "file": ""}
        self.title("Tk form")
        self.geometry("1000x640+40+40")
        self.option_add("*Font", FONT)
        ttk.Style().configure(".", font=FONT)
        ttk.Style().configure("Treeview", rowheight=28)
        self.add_menu()
        book = ttk.Notebook(self)
        book.pack(fill="both", expand=True)
        for name, add in (("Fields", self.add_fields), ("Rows", self.add_rows), ("Tree", self.add_tree),
                          ("Canvas", self.add_canvas)):
            page = ttk.Frame(book, padding=20)
            book.add(page, text=name)
            add(page)
        book.bind("<<NotebookTabChanged>>", lambda _: self.note(tab=book.tab(book.select(), "text")))
        self.protocol("WM_DELETE_WINDOW", self.leave)
        self.note()

    def note(self, **changes):
        self.state_now.update(changes)
        with open(self.file + ".new", "w", encoding="utf-8") as out:
            json.dump(self.state_now, out)
        os.rename(self.file + ".new", self.file)

    def add_menu(self):
        bar = tkinter.Menu(self)
        first = tkinter.Menu(bar, tearoff=False)
        first.add_command(label="Greet", command=lambda: self.note(menu=self.state_now["menu"] + ["Greet"]))
        first.add_command(label="Ask something", command=self.ask)
        first.add_command(label="Load a file", command=lambda: self.note(file=filedialog.askopenfilename(parent=self)))
        bar.add_cascade(label="Actions", menu=first)
        self.config(menu=bar)
        self.context = tkinter.Menu(self, tearoff=False)
        for name in ("Paint red", "Paint blue"):
            self.context.add_command(label=name, command=lambda name=name: self.note(menu=[name]))

    def ask(self):
        self.note(answer="yes" if messagebox.askyesno("Question", "Shall it go on?", parent=self) else "no")

    def variable(self, kind, name, value):
        made = kind(self, value=value)
        made.trace_add("write", lambda *_: self.note(**{name: made.get()}))
        self.note(**{name: value})
        return made

    def add_fields(self, page):
        rows = iter(range(20))

        def labelled(text, widget):
            row = next(rows)
            ttk.Label(page, text=text).grid(row=row, column=0, sticky="w", pady=6, padx=8)
            widget.grid(row=row, column=1, sticky="w")
        labelled("Town", ttk.Entry(page, textvariable=self.variable(tkinter.StringVar, "town", ""), font=FONT, width=30))
        labelled("Newsletter", ttk.Checkbutton(page, text="Subscribe me", variable=self.variable(tkinter.BooleanVar, "check", False)))
        size = self.variable(tkinter.StringVar, "size", "small")
        for name in ("small", "medium", "large"):
            labelled("", ttk.Radiobutton(page, text=f"Size {name}", value=name, variable=size))
        labelled("Colour", ttk.Combobox(page, values=["red", "green", "blue"], state="readonly", font=FONT,
                                        textvariable=self.variable(tkinter.StringVar, "colour", "red")))
        labelled("Amount", ttk.Spinbox(page, from_=0, to=99, font=FONT, textvariable=self.variable(tkinter.StringVar, "amount", "5")))
        labelled("Volume", tkinter.Scale(page, from_=0, to=100, orient="horizontal", length=300, takefocus=True,
                                         variable=self.variable(tkinter.IntVar, "volume", 10)))
        labelled("", ttk.Button(page, text="Finish", command=lambda: self.note(finished=True)))

    def add_rows(self, page):
        rows = tkinter.Listbox(page, font=FONT, width=30)
        for number in range(1, 1001):
            rows.insert("end", f"entry {number}")
        rows.pack(fill="both", expand=True)
        rows.bind("<<ListboxSelect>>", lambda _: self.note(row=rows.get(rows.curselection()) if rows.curselection() else ""))

    def add_tree(self, page):
        tree = ttk.Treeview(page, columns=("price",))
        tree.heading("#0", text="Item")
        tree.heading("price", text="Price")
        for name, parts in (("Fruits", ("Apples", "Pears")), ("Vegetables", ("Carrots", "Onions"))):
            top = tree.insert("", "end", text=name)
            for part in parts:
                tree.insert(top, "end", text=part, values=("3 Euro",))
        tree.pack(fill="both", expand=True)
        tree.bind("<<TreeviewSelect>>", lambda _: self.note(item=tree.item(tree.selection()[0], "text")))

    def add_canvas(self, page):
        canvas = tkinter.Canvas(page, background="white")
        canvas.pack(fill="both", expand=True)
        card = canvas.create_text(150, 100, text="Card", font=("DejaVu Sans", 24))
        canvas.create_text(600, 350, text="Target", font=("DejaVu Sans", 24))
        canvas.tag_bind(card, "<B1-Motion>", lambda event: canvas.coords(card, event.x, event.y))
        canvas.tag_bind(card, "<ButtonRelease-1>", lambda event: self.note(
            dragged="Target" if abs(event.x - 600) < 80 and abs(event.y - 350) < 50 else "elsewhere"))
        canvas.bind("<Button-3>", lambda event: self.context.tk_popup(event.x_root, event.y_root))

    def leave(self):
        if messagebox.askyesno("Leave", "Leave without saving?", parent=self):
            self.destroy()


Form(sys.argv[1]).mainloop()
