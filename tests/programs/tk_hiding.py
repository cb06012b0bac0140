"""A window of Tk whose button is disabled, and which minimizes itself soon after the pointer has come over the button.

    tk_hiding.py
"""

import tkinter

window = tkinter.Tk()
window.title("Hiding")
window.geometry("400x200+200+200")
button = tkinter.Button(window, text="Prepare", font=("DejaVu Sans", 16), state="disabled", disabledforeground="black")
button.pack(expand=True)
# The click comes some tenths of a second after the pointer, and its effect is awaited for a second.
button.bind("<Enter>", lambda _: window.after(700, window.iconify))
window.mainloop()
