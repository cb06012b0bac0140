"""The goals of every browser, on the small pages of tests/apps/pages. The server's log shows what a goal did."""

from .catalogue import DOUBLE, LARGE, SMALL
from .pages import Pages


class Browser:
    """A browser: `command(case)` without the page's address, the suffix of its titles, the names of the buttons that
    stay on and leave a page with unsaved text, and the sentence that confirms its file chooser."""

    def __init__(self, command, suffix, stay, leave, attach, environment=None):
        self.command, self.suffix, self.environment = command, suffix, environment or {}
        self.stay, self.leave, self.attach = stay, leave, attach

    def show(self, case, page, title):
        """Opens the page without da-console. Returns the server."""
        pages = Pages()
        case.closing.append(pages.close)
        case.start(*self.command(case), pages.url(page), title=title, seconds=60, **self.environment)
        return pages


def add_goals(app, browser):
    def goal(name, *features, page, title, settings=(SMALL,)):
        def register(body):
            @app.goal(name, *features, settings=settings)
            def run(case):
                pages = browser.show(case, page, title)
                body(case, lambda what, value: case.becomes(value, lambda: pages.last(what), what))
            return run
        return register

    form = {"page": "form.html", "title": "Order form"}
    add_form_goals(goal, form)
    add_page_goals(goal, browser)


def add_form_goals(goal, form):
    @goal("a form's field is filled by its label", "text", settings=(SMALL, LARGE), **form)
    def field(case, reports):
        case.goal('type "Zoë Müller" into "Full name"')
        reports("name", "Zoë Müller")

    @goal("a form is filled and sent", "text", "check boxes", "radio buttons", settings=(SMALL, DOUBLE), **form)
    def send(case, reports):
        case.goal('type "Ada" into "Full name"; click "Newsletter please"; click "By courier"; click "Place it"')
        reports("news", True)
        reports("sent", {"name": "Ada", "way": "courier", "country": "Austria"})

    @goal("a password is typed into its field", "text", **form)
    def password(case, reports):
        case.goal('type "s3cret" into "Password"')
        reports("password", "s3cret")

    @goal("a drop-down is opened and an item clicked", "drop-downs", **form)
    def drop_down(case, reports):
        case.goal('click "Country"; click "Norway"')
        reports("country", "Norway")

    @goal("a drop-down is changed by keys", "drop-downs", "keyboard only", **form)
    def drop_down_keys(case, reports):
        case.goal('type "Ada" into "Full name"; press tab; press tab; press tab; press tab; type "Ger"')
        reports("country", "Germany")

    @goal("a drop-down is set by one sentence (select)", "drop-downs", **form)
    def select(case, reports):
        case.goal('select "Germany" in "Country"')
        reports("country", "Germany")

    @goal("a spin button's number is typed", "spin buttons", **form)
    def number(case, reports):
        case.goal('click "Amount"; press ctrl+a; type "42"')
        reports("amount", "42")

    @goal("a slider is moved by keys", "sliders", "keyboard only", **form)
    def slider(case, reports):
        case.goal('click "Amount"; press tab; press end')
        reports("volume", "100")

    @goal("a text of two lines is typed into a text area", "text", **form)
    def area(case, reports):
        case.goal('type "eins\\nzwei" into "Remarks"')
        reports("remarks", "eins\nzwei")


def add_page_goals(goal, browser):
    @goal("a card is dragged and dropped between two points (HTML5)", "drag and drop", page="drag.html", title="Board")
    def drag_points(case, reports):
        x, y = case.page_corner("Board")
        case.goal(f'check "Card one" is visible; drag from {x + 90},{y + 40} to {x + 520},{y + 180}')
        reports("dropped", "Card one")

    @goal("a card is dragged onto a column by names (HTML5)", "drag and drop", page="drag.html", title="Board")
    def drag_names(case, reports):
        case.goal('drag "Card two" to "Done"')
        reports("dropped", "Card two")

    @goal("an endless list is scrolled, and a late row opened", "scrolling", "1,000 rows", page="list.html",
          title="Endless list")
    def endless(case, reports):
        case.goal('scroll down 30 at "Open message 5"; click "Open message 70"', seconds=90)
        reports("opened", "message 70")

    @goal("a button below the fold is scrolled to and clicked", "scrolling", page="list.html", title="Endless list")
    def below(case, reports):
        case.goal('click "Open message 39"', seconds=90)
        reports("opened", "message 39")

    @goal("a button and a field in a frame are used", "text", page="frame.html", title="Outer page", settings=(SMALL, DOUBLE))
    def frame(case, reports):
        case.goal('click "Inner button"; type "inside" into "Inner field"')
        reports("button", "Inner button")
        reports("inner", "inside")

    @goal("a cell of a table of 1,000 rows is clicked", "1,000 rows", "table cells", page="table.html", title="Table",
          settings=(SMALL, DOUBLE))
    def cell(case, reports):
        case.goal('click "town 7"', seconds=90)
        reports("cell", "town 7")

    @goal("a cell far below the fold of 1,000 rows is clicked", "1,000 rows", "table cells", "scrolling",
          page="table.html", title="Table")
    def far_cell(case, reports):
        case.goal('click "town 640"', seconds=90)
        reports("cell", "town 640")

    widgets = {"page": "widgets.html", "title": "Widgets"}

    @goal("a page's tab is clicked, and a button behind it", "tabs", **widgets)
    def tab(case, reports):
        case.goal('click "Second tab"; click "Only here"')
        reports("button", "Only here")

    @goal("a page's tree is opened, and its leaf clicked", "trees", **widgets)
    def tree(case, reports):
        case.goal('click "Branch"; click "Leaf"')
        reports("leaf", "Leaf")

    @goal("an item that its page never selects is clicked", "trees", **widgets)
    def unselected_item(case, reports):
        case.goal('click "Branch"; click tree item "Leaf"')
        reports("leaf", "Leaf")

    @goal("a page's context menu is used", "context menu", "menus", **widgets)
    def context(case, reports):
        case.goal('right-click "Right-click area"; click "Archive"')
        reports("menu", "Archive")

    @goal("a browser's question is answered with OK", "dialogs", **widgets)
    def confirm(case, reports):
        case.goal('click "Ask me"; click "OK"')
        reports("confirmed", True)

    @goal("a page's own dialog is closed", "dialogs", **widgets)
    def dialog(case, reports):
        case.goal('click "Open dialog"; click "Close it"')
        reports("button", "Close it")

    @goal("a hidden part is unfolded", "trees", **widgets)
    def details(case, reports):
        case.goal('click "More details"; check "the hidden part" is visible')
        reports("details", True)

    @goal("a file is attached by its path", "file chooser (open)", **widgets)
    def attach(case, reports):
        file = case.write("attached.txt", "x")
        case.goal(f'click "Attachment"; wait for "Cancel"; press ctrl+l; type "{file}"; {browser.attach}')
        reports("attached", "attached.txt")

    @goal("leaving a page with unsaved text: not left, then left", "unsaved changes", "dialogs", page="unsaved.html",
          title="Editor page")
    def unsaved(case, reports):
        case.goal(f'type "draft" into "Text"; press ctrl+w; click "{browser.stay}"; '
                  'check window "Editor page" is open')
        reports("text", "draft")
        case.goal(f'press ctrl+w; click "{browser.leave}"')
        case.no_window("Editor page")
