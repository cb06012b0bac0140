"""Clicks in a web page whose elements cover each other. The title of the page tells what was clicked."""

import http.server
import sys
import tempfile
import threading

import x11
from console import DONE, FAILED, ROOT, RULES

sys.path.insert(0, str(ROOT / "tests/apps"))
from chromium import FLAGS  # noqa: E402

TELL = """<!DOCTYPE html><title>Page</title><script>
clicked = []
addEventListener("click", e => { clicked.push(e.target.textContent.trim()); document.title = "Page: " + clicked.join() },
                 true)
function many(count) {
  for (let i = 0; i < count; i++) document.write("<p><button style='width:300px'>Button " + i + "</button>")
}
</script>"""
HEADER = "<div style='position:sticky;top:0;height:60px;background:#ccc'><a href='#out'>Log out</a></div>"
BANNER = "<div style='position:fixed;bottom:0;left:0;right:0;height:150px;background:#fdd'>Cookies</div>"
LOADING = """<div id=cover style="display:none;position:fixed;inset:0;background:#0008">Loading</div>
<p><button onclick="cover.style.display='block'; setTimeout(() => cover.style.display = 'none', 3000)">Load</button>
<p><button>Fetch</button>"""
LIST_OVER_FIELD = """<div id=country role=combobox aria-label=Country aria-expanded=false tabindex=0
onclick="list.style.display = 'block'" style="border:1px solid;width:200px">Pick</div>
<ul id=list role=listbox style="display:none;position:absolute;background:#fff;margin:0"
onclick="country.textContent = event.target.textContent.trim(); this.remove()">
<li role=option>France<li role=option>Germany<li role=option>Greece</ul>
<p><label>City <input style="width:400px"></label>"""
TRANSPARENT = """<div style="position:relative;width:300px;height:60px"><button style="position:absolute">Under</button>
<div style="position:absolute;inset:0"></div></div>"""
TABLE = """<table border=1><script>
for (let i = 1; i < 40; i++) document.write("<tr><td>Customer " + i + "<td><button>Edit</button>")
</script></table>"""


class Pages(x11.DesktopTest):
    def show(self, *parts):
        page = self.sandbox.path("page.html")
        page.write_text(TELL + "".join(parts))
        profile = tempfile.mkdtemp(dir=self.sandbox.root)
        self.open("chromium", *FLAGS, f"--user-data-dir={profile}", f"--app={page.as_uri()}", title="^Page")

    def clicked(self):
        return x11.active_title().removeprefix("Page").removeprefix(": ").split(",")

    def carry_out(self, goal, exit_code=DONE):
        run = self.goal(goal, rules=RULES)
        self.assert_ends(run, exit_code, seconds=60)
        return run

    def test_what_a_header_or_a_banner_covers_is_scrolled_clear(self):
        self.show(HEADER, BANNER, "<script>many(80)</script>")
        numbers = (60, 10, 5, 40)
        for number in numbers:
            self.carry_out(f'click button "Button {number}"')
        self.assertEqual([f"Button {number}" for number in numbers], self.clicked())

    def test_a_cover_that_goes_away_is_waited_for(self):
        self.show(LOADING)
        self.carry_out('click "Load"; click "Fetch"')
        self.assertEqual(["Load", "Fetch"], self.clicked())

    def test_a_cover_that_stays_is_told(self):
        self.show(TRANSPARENT)
        run = self.carry_out('click "Under"', FAILED)
        self.assertIn("covers it", run.errors())
        self.assertEqual([""], self.clicked())

    def test_an_item_of_a_list_over_a_field_is_chosen(self):
        self.show(LIST_OVER_FIELD)
        self.carry_out('select "Germany" in "Country"')
        self.assertEqual(["Pick", "Germany"], self.clicked())

    def test_a_row_that_is_scrolled_out_is_found_by_its_text(self):
        self.show(TABLE)
        self.carry_out('click "Edit" in row "Customer 33"')
        self.assertEqual(["Edit"], self.clicked())


# Each page has a button of another meaning where the page before had "Next". `NAME` is the page's own.
SITE = """<!DOCTYPE html><title>Site NAME</title><h1>Page NAME</h1><script>
function tell(what) { fetch("/clicked", {method: "POST", body: what}) }
</script>"""
FIRST = SITE.replace("NAME", "first") + """
<p><button onclick="tell('first next'); setTimeout(() => location.href = '/second', 200)">Next</button>
<p><button onclick="tell('first help')">Help</button>"""
SECOND = SITE.replace("NAME", "second") + """
<p><button onclick="tell('second remove account')">Remove account</button>
<p><button onclick="tell('second next')">Next</button>"""
# One document whose content is exchanged, as applications in a page do.
ROUTES = SITE.replace("NAME", "routes") + """<main></main><script>
const VIEWS = {"/routes": ["Next", "Help"], "/routes/2": ["Remove account", "Next"]};
function show() {
  document.querySelector("main").innerHTML = VIEWS[location.pathname].map(name => `<p><button>${name}</button>`).join("");
  document.title = "Site " + location.pathname;
}
addEventListener("click", event => {
  tell(location.pathname + " " + event.target.textContent);
  if (event.target.textContent == "Next" && location.pathname == "/routes") {
    setTimeout(() => { history.pushState({}, "", "/routes/2"); show(); }, 200);
  }
});
addEventListener("popstate", show);
show();
</script>"""


class Site(http.server.ThreadingHTTPServer):
    """Serves the pages, and keeps what their buttons tell."""

    PAGES = {"/first": FIRST, "/second": SECOND, "/routes": ROUTES}

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.clicked = []


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, code, text):
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_POST(self):
        self.server.clicked.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.answer(200, "")

    def do_GET(self):
        page = Site.PAGES.get(self.path)
        self.answer(404 if page is None else 200, page or "")


class Navigation(x11.DesktopTest):
    """Pages of one site in the same tab. A browser keeps the page before, and its tree, for its "back" button."""

    def setUp(self):
        super().setUp()
        self.site = Site()
        threading.Thread(target=self.site.serve_forever, daemon=True).start()
        self.addCleanup(self.site.server_close)
        self.addCleanup(self.site.shutdown)

    def show(self, path):
        profile = tempfile.mkdtemp(dir=self.sandbox.root)
        address = f"http://127.0.0.1:{self.site.server_port}{path}"
        self.open("chromium", *FLAGS, f"--user-data-dir={profile}", f"--app={address}", title="^Site ")

    def assert_clicks(self, goal, *expected):
        self.assert_ends(self.goal(goal, rules=RULES), DONE, seconds=60)
        self.assertEqual(list(expected), self.site.clicked)

    def test_a_click_reaches_the_page_that_shows(self):
        self.show("/first")
        self.assert_clicks('click button "Next"; wait until window "Site second" is open; click button "Next"',
                           "first next", "second next")

    def test_after_going_back_the_first_page_is_clicked_again(self):
        self.show("/first")
        self.assert_clicks('click button "Next"; wait until window "Site second" is open; press alt+left; '
                           'wait until window "Site first" is open; click button "Help"; press alt+right; '
                           'wait until window "Site second" is open; click button "Next"',
                           "first next", "first help", "second next")

    def test_after_a_reload_the_new_document_is_clicked(self):
        self.show("/second")
        self.assert_clicks('click button "Next"; press f5; wait 1 second; click button "Next"',
                           "second next", "second next")

    def test_a_route_inside_of_one_document_is_a_page_of_its_own(self):
        self.show("/routes")
        self.assert_clicks('click button "Next"; wait until window "/routes/2" is open; click button "Next"; press alt+left; '
                           'wait until button "Help" is visible; click button "Help"',
                           "/routes Next", "/routes/2 Next", "/routes Help")


if __name__ == "__main__":
    x11.main()
