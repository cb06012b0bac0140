"""A window with wxWidgets controls. wx_form.py FILE: each change writes FILE as JSON."""

import json
import os
import sys

import wx


class Form(wx.Frame):
    def __init__(self, file):
        super().__init__(None, title="wx form", size=(700, 560))
        self.file, self.state = file, {"menu": [], "answer": ""}
        bar, menu = wx.MenuBar(), wx.Menu()
        for name, action in (("Greet", lambda _: self.note(menu=self.state["menu"] + ["Greet"])),
                             ("Ask something", self.ask)):
            self.Bind(wx.EVT_MENU, action, menu.Append(wx.ID_ANY, name))
        bold = menu.AppendCheckItem(wx.ID_ANY, "Bold")
        self.Bind(wx.EVT_MENU, lambda _: self.note(bold=bold.IsChecked()), bold)
        bar.Append(menu, "Actions")
        self.SetMenuBar(bar)
        book = wx.Notebook(self)
        for name, page in (("Fields", self.fields), ("Rows", self.rows)):
            book.AddPage(page(book), name)
        self.Bind(wx.EVT_CLOSE, self.leave)
        self.note()

    def note(self, **changes):
        self.state.update(changes)
        with open(self.file + ".new", "w", encoding="utf-8") as out:
            json.dump(self.state, out)
        os.rename(self.file + ".new", self.file)

    def ask(self, _):
        answer = wx.MessageBox("Shall it go on?", "Question", wx.YES_NO, self)
        self.note(answer="yes" if answer == wx.YES else "no")

    def leave(self, event):
        if wx.MessageBox("Leave without saving?", "Leave", wx.YES_NO, self) == wx.YES:
            event.Skip()

    def fields(self, book):
        page = wx.Panel(book)
        grid = wx.FlexGridSizer(2, 8, 8)
        grid.AddGrowableCol(1)

        def labelled(text, control, event, **value):
            grid.Add(wx.StaticText(page, label=text))
            grid.Add(control, 0, wx.EXPAND)
            name, get = next(iter(value.items()))
            control.Bind(event, lambda _: self.note(**{name: get()}))
        town = wx.TextCtrl(page)
        labelled("Town", town, wx.EVT_TEXT, town=town.GetValue)
        secret = wx.TextCtrl(page, style=wx.TE_PASSWORD)
        labelled("Secret", secret, wx.EVT_TEXT, secret=secret.GetValue)
        news = wx.CheckBox(page, label="Subscribe me")
        labelled("Newsletter", news, wx.EVT_CHECKBOX, check=news.GetValue)
        size = wx.RadioBox(page, choices=["Small", "Large"])
        labelled("Size", size, wx.EVT_RADIOBOX, size=size.GetStringSelection)
        colour = wx.Choice(page, choices=["red", "green", "blue"])
        colour.SetSelection(0)
        labelled("Colour", colour, wx.EVT_CHOICE, colour=colour.GetStringSelection)
        amount = wx.SpinCtrl(page, initial=5)
        labelled("Amount", amount, wx.EVT_SPINCTRL, amount=amount.GetValue)
        volume = wx.Slider(page, value=10)
        labelled("Volume", volume, wx.EVT_SLIDER, volume=volume.GetValue)
        finish = wx.Button(page, label="Finish")
        labelled("", finish, wx.EVT_BUTTON, finished=lambda: True)
        page.SetSizer(grid)
        return page

    def rows(self, book):
        rows = wx.ListBox(book, choices=[f"entry {number}" for number in range(1, 301)])
        rows.Bind(wx.EVT_LISTBOX, lambda _: self.note(row=rows.GetStringSelection()))
        rows.Bind(wx.EVT_LISTBOX_DCLICK, lambda _: self.note(activated=rows.GetStringSelection()))
        rows.Bind(wx.EVT_CONTEXT_MENU, self.popup)
        return rows

    def popup(self, _):
        menu = wx.Menu()
        for name in ("Paint red", "Paint blue"):
            self.Bind(wx.EVT_MENU, lambda _, name=name: self.note(menu=[name]), menu.Append(wx.ID_ANY, name))
        self.PopupMenu(menu)


application = wx.App()
Form(sys.argv[1]).Show()
application.MainLoop()
