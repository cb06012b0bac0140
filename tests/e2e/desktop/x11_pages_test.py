"""Clicks in a web page whose elements cover each other. The title of the page tells what was clicked."""

import sys
import tempfile

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


if __name__ == "__main__":
    x11.main()
