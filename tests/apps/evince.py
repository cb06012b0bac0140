"""evince: a document viewer (GTK 3). Its files, the clipboard and colours on the screen show what a goal did."""

import x11
from harness import DOUBLE, LARGE, SMALL, Application
from programs.pages import COLOURS, write_pdf

app = Application("evince", "GTK 3", ["evince"])


def view(case, pages=30):
    file = write_pdf(case.path("book.pdf"), pages)
    case.start("evince", file, title="book.pdf")
    return file


def shows_page(case, number, height=0.5):
    """Waits until the window shows the page, by the page's colour in the middle, at this part of the height."""
    from PIL import ImageGrab
    colours = [tuple(round(255 * part) for part in colour) for colour in COLOURS]

    def middle():
        left, top, width, tall = case.inside("book.pdf")
        picture = ImageGrab.grab(xdisplay=x11.display()).convert("RGB")
        pixels = [picture.getpixel((left + width // 2, top + round(tall * height) + step)) for step in range(0, 200, 7)]
        return next((pixel for pixel in pixels if pixel in colours), None)
    wanted = colours[(number - 1) % 3]
    case.becomes(wanted, middle, f"the colour of page {number}")


@app.goal("a document is opened", "open", settings=(SMALL, LARGE))
def open_document(case):
    file = write_pdf(case.path("book.pdf"), 3)
    case.goal(f'open evince {file}; check window "book.pdf" is open; check "Chapter 1" is visible')
    shows_page(case, 1)


@app.goal("a page's number is typed", "text")
def page(case):
    view(case)
    case.goal('press ctrl+l; type "20"; press enter; check "Chapter 20" is visible')
    shows_page(case, 20)


@app.goal("the keys go to the last page", "keyboard only")
def last_page(case):
    view(case, 6)
    case.goal('press ctrl+end; wait for "Chapter 6"')
    shows_page(case, 6)


@app.goal("the wheel scrolls to the last page", "scrolling")
def scroll(case):
    view(case, 3)
    case.goal('scroll down 100 at 500,400; wait for "Chapter 3"')
    shows_page(case, 3)


@app.goal("Save As in the menu writes a copy", "menus", "file chooser (save)", "dialogs", settings=(SMALL, DOUBLE))
def save_as(case):
    file, copy = view(case), case.path("copy.pdf")
    case.goal(f'press f10; click "Save As…"; type "{copy}" into "Name"; click "Save"')
    case.becomes(file.read_bytes(), copy.read_bytes, "the copy")


@app.goal("all text is selected by keys and copied", "keyboard only", "text")
def copy_text(case):
    view(case, 2)
    case.goal("press ctrl+a; press ctrl+c")
    case.becomes(["Chapter", "1", "Chapter", "2"],
                 lambda: x11.selection("clipboard").replace("Chapter", " Chapter ").split(), "the clipboard")


@app.goal("another document is opened by its path", "file chooser (open)")
def open_other(case):
    view(case)
    other = write_pdf(case.path("other.pdf"), 2)
    case.goal(f'press ctrl+o; wait for "Cancel"; type "{other}"; press enter; check window "other.pdf" is open')
    case.window("other.pdf")


@app.goal("a text is searched for and found", "text")
def search(case):
    view(case)
    case.goal('press ctrl+f; type "Chapter 25"; wait for "Chapter 25" 15 seconds')
    shows_page(case, 25, height=0.75)  # evince scrolls a match to the lower end of the window.


@app.goal("a page's small picture in the side pane is clicked", "trees")
def thumbnails(case):
    view(case, 12)
    case.goal('press f9; click "Chapter 3"; wait 1 seconds')
    shows_page(case, 3)


@app.goal("full screen, and back by esc", "windows", "keyboard only")
def full_screen(case):
    view(case)
    state = lambda: "FULLSCREEN" in x11.ask("xprop", "-id", x11.window_of("book.pdf"), "_NET_WM_STATE")
    case.goal("press f11")
    case.becomes(True, state, "full screen")
    case.goal("press esc")
    case.becomes(False, state, "full screen")


@app.looked_at("Find")
def looked_at(case):
    view(case, 300)
