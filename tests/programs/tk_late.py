"""A window of Tk, whose elements no interface tells, with a button "Count" whose effect shows a quarter of a second later.

    tk_late.py normal|disabled

A disabled button does not react to a click, but the window changes as if the button had worked. On the screen this looks
like a window that changes by itself at this moment.
"""

import sys
import tkinter

window = tkinter.Tk()
window.title("Late")
window.geometry("400x200+200+200")
count = tkinter.Label(window, text="0", font=("DejaVu Sans", 30))
count.pack()
button = tkinter.Button(window, text="Count", font=("DejaVu Sans", 16), state=sys.argv[1], disabledforeground="black")
button.pack(expand=True)
button.bind("<ButtonRelease-1>", lambda _: window.after(250, lambda: count.config(text="88")))
window.mainloop()
