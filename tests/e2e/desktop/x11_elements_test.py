"""`da-console elements` on a GTK window, and the error for a target that is not found."""

import json

import x11
from console import DONE, FAILED, PROGRAMS
from x11_overlay_test import PYTHON, TargetsTest

# A table on the page of a notebook that was never shown. argv[1]: where the program logs its warnings.
HIDDEN_TABLE = """
import os, sys
os.dup2(os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT), 2)
import gi
gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
rows = Gtk.ListStore(str)
for number in range(50): rows.append([f"row {number}"])
table = Gtk.TreeView(model=rows)
table.append_column(Gtk.TreeViewColumn("Rows", Gtk.CellRendererText(), text=0))
pages = Gtk.Notebook()
pages.append_page(Gtk.Button(label="First"), Gtk.Label(label="One"))
pages.append_page(table, Gtk.Label(label="Two"))
window = Gtk.Window(title="Pages")
window.add(pages)
window.show_all()
Gtk.main()
"""


class Elements(TargetsTest):
    def middle(self, name):
        x, y, width, height = self.state()["place"][name]
        return x + width // 2, y + height // 2

    def test_elements_starts_services_for_the_listing_and_ends_them(self):
        run = self.sandbox.run("elements")
        self.assert_ends(run, DONE)
        self.assertIn('window "Targets"', run.text())
        x, y = self.middle("Pears")
        self.assertIn(f'push button "Pears" at {x},{y} ', run.text())
        self.sandbox.check_nothing_left()

    def test_a_table_that_was_never_shown_logs_no_warnings_when_it_is_read(self):
        log = self.sandbox.path("warnings")
        self.open(PYTHON, "-c", HIDDEN_TABLE, str(log), title="^Pages$")
        run = self.sandbox.run("elements", "Pages")
        self.assert_ends(run, DONE)
        self.assertIn('push button "First"', run.text())
        # From the second sentence on, the elements are known from before.
        self.assert_ends(self.goal('focus "Pages"; click "One"; click "First"; click "First"; click "One"'), DONE)
        self.assertNotIn("CRITICAL", log.read_text())

    def test_elements_json_has_one_object_per_element(self):
        run = self.sandbox.run("elements", "TARGET", "--json")
        self.assert_ends(run, DONE)
        found = {element["name"]: element for element in map(json.loads, run.stdout)}
        self.assertLessEqual({"Apples", "Pears", "Plums"}, set(found))
        self.assertEqual("push button", found["Plums"]["role"])
        self.assertEqual("Targets", found["Plums"]["window"])
        self.assertIn("enabled", found["Plums"]["states"])
        bounds = found["Plums"]["bounds"]
        self.assertEqual(self.state()["place"]["Plums"], [bounds[side] for side in ("x", "y", "width", "height")])

    def test_fields_of_a_window_without_elements_are_listed_and_their_targets_work(self):
        log = self.sandbox.path("fields.log")
        self.open(PYTHON, str(PROGRAMS / "tk_form.py"), str(log), title="^Transfer$")
        x11.ask("xdotool", "search", "--name", "^Transfer$", "windowmove", "--sync", "760", "540")
        # Bug: "1st field" was the second one while "Targets" covered the first.
        self.assert_ends(self.goal('focus "Targets"'), DONE)
        self.assertNotIn("1st field in", self.sandbox.run("elements", "Transfer").text())
        self.assert_ends(self.goal('focus "Transfer"'), DONE)
        run = self.sandbox.run("elements", "Transfer", "--json")
        self.assert_ends(run, DONE)
        self.assert_ends(self.goal('focus "Targets"'), DONE)
        targets = [element["target"] for element in map(json.loads, run.stdout) if element["role"] == "entry"]
        self.assertEqual(2, len(targets), run.text())
        rules = self.sandbox.path("rules.toml")
        rules.write_text('[[rule]]\nname = "all"\nverdict = "allow"\nreason = "a desktop of its own"\n'
                         'match.tool = ["mouse", "write", "focus_window"]\n')
        for target, text in zip(targets, ("Ada", "Bob")):
            self.assert_ends(self.goal(f'type "{text}" into {target}', rules=rules), DONE)
        self.assert_becomes(["Sender Ada", "Receiver Bob"],
                            lambda: [line for line in log.read_text().splitlines() if line.endswith(("Ada", "Bob"))])

    def test_pick_names_the_element_under_the_pointer(self):
        x, y = self.middle("Apples")
        x11.ask("xdotool", "mousemove", str(x), str(y))
        run = self.sandbox.run("elements", "--pick")
        self.assert_ends(run, DONE)
        self.assertTrue(run.text().startswith(f'"Apples"  push button "Apples" at {x},{y} '), run.text())
        x11.ask("xdotool", "mousemove", "1279", "799")
        self.assert_ends(self.sandbox.run("elements", "--pick"), FAILED)

    def test_an_unknown_window_title_is_reported_with_the_open_windows(self):
        run = self.sandbox.run("elements", "Nobody")
        self.assert_ends(run, FAILED)
        self.assertIn('open: "Targets"', "\n".join(run.stderr))

    def test_elements_works_during_a_run(self):
        run = self.sandbox.start("--json", "--goal", "wait 30 seconds")
        run.wait_for(lambda: run.facts("observer.observation"))
        seen = self.sandbox.run("elements")
        self.assertEqual(DONE, seen.process.returncode, seen.said())
        self.assertIn('"Plums"', seen.text())

    def test_a_target_that_is_not_found_is_reported_with_the_nearest_name(self):
        x, y = self.middle("Pears")
        run = self.goal('click "Paers"')
        self.assert_ends(run, FAILED)
        self.assertIn(f'nearest: "Pears" (push button at {x},{y})', run.errors())


if __name__ == "__main__":
    x11.main()
