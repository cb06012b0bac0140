"""chromium on small pages. The log of the pages' server shows what a goal did."""

from harness import Application
from harness.pages import Pages
from harness.web_goals import Browser, add_goals

# chromium has no sandbox for root, and creates the accessibility tree of a page only on request.
FLAGS = ("--no-sandbox", "--force-renderer-accessibility", "--no-first-run", "--no-default-browser-check",
         "--disable-gpu",
         "--password-store=basic", "--test-type", "--disable-search-engine-choice-screen")

NOTCH = 120  # Pixels that chromium scrolls per wheel notch.


def command(case):
    return ["chromium", *FLAGS, f"--user-data-dir={case.path('profile')}"]


app = Application("chromium", "Chromium", ["chromium"], heavy=True)
BROWSER = Browser(command, " - Chromium", "Cancel", "Leave", 'click "Open" in "Open File"')
add_goals(app, BROWSER)


@app.goal("a page is opened by a goal", "open")
def open_page(case):
    pages = Pages()
    case.closing.append(pages.close)
    case.goal(f'open "{" ".join(command(case))} {pages.url("form.html")}"; check "Full name" is visible', seconds=90)
    case.window("Order form - Chromium")


@app.goal("an address is typed into the location bar", "keyboard only", "text")
def address(case):
    pages = BROWSER.show(case, "form.html", "Order form")
    case.goal(f'press ctrl+l; type "{pages.url("table.html")}"; press enter; check window "Table" is open')
    case.window("Table - Chromium")


@app.goal("a tab of the browser is opened, and the first one clicked", "tabs")
def tabs(case):
    pages = BROWSER.show(case, "form.html", "Order form")
    case.goal(f'press ctrl+t; check window "New Tab" is open; '
              f'type "{pages.url("table.html")}" into "Address and search bar"; press enter; check window "Table" is open; '
              'click "Order form"; check window "Order form" is open')
    case.window("Order form - Chromium")


@app.goal("the wheel scrolls as far as it is turned, and what is scrolled away is not visible", "scrolling")
def wheel(case):
    pages = BROWSER.show(case, "long.html", "Long page")
    case.goal('scroll down 8 at "Paragraph 5"; check "Paragraph 3" is not visible; scroll up 5 at "Paragraph 40"')
    case.becomes(3 * NOTCH, lambda: pages.last("scrolled"), "the page's place")


@app.goal("the browser's menu opens its downloads", "menus")
def menu(case):
    BROWSER.show(case, "form.html", "Order form")
    case.goal('press alt+f; click "Downloads"; check window "Download history" is open')
    case.window("Download history - Chromium")


@app.goal("a page is saved under a name", "file chooser (save)")
def save(case):
    BROWSER.show(case, "table.html", "Table")
    file = case.path("saved.html")
    case.goal(f'press ctrl+s; check window "Save File" is open; press ctrl+a; type "{file}"; '
              'click "Save" in "Save File"', seconds=90)
    case.becomes(lambda text: "person" in text, file.read_text, "the saved page")


@app.looked_at("person 3")
def looked_at(case):
    BROWSER.show(case, "table.html", "Table")
