"""Profiles as Mark-I's editor writes them, on a real desktop. They know only places of the screen, so the panel of
gtk_panel.py is where they expect it. It writes what it received; the profiles' files must stay as they are."""

import json
import shutil
import subprocess

import x11
from console import DONE, PROGRAMS, ROOT, RULES
from x11_analyze_test import PYTHON

FILES = ROOT / "tests/e2e/desktop/mark_i"
PROFILES = ("colours", "templates", "texts", "compound", "gemini", "tasks")


class PanelTest(x11.DesktopTest):
    """Each test has a copy of the profiles."""

    def setUp(self):
        super().setUp()
        self.folder = self.sandbox.path("profiles")
        shutil.copytree(FILES, self.folder)
        self.state_file = self.sandbox.path("panel.json")

    def show_panel(self):
        self.open(PYTHON, str(PROGRAMS / "gtk_panel.py"), str(self.state_file), title="^Panel$")
        x11.wait_until(self.state_file.exists, "the panel is drawn")
        x11.wait_until(lambda: x11.active_title() == "Panel", "the panel has the focus")

    def state(self):
        return json.loads(self.state_file.read_text())

    def run_profile(self, name, *flags):
        """Runs one cycle, and returns the lines that its rules logged."""
        self.show_panel()
        run = self.sandbox.start("run", str(self.folder / f"{name}.json"), "--desktop", "x11", "--rules", str(RULES),
                                 "--unlock-writes", "--once", "--json", *flags)
        self.assert_ends(run, DONE, seconds=60)
        self.assertEqual((FILES / f"{name}.json").read_bytes(), (self.folder / f"{name}.json").read_bytes())
        return [(fact["level"], fact["text"]) for fact in run.facts("planner.rule") if fact["kind"] == "KIND_LOG"]


class MarkI(PanelTest):
    def test_files_are_as_the_editor_writes_them(self):
        for name in PROFILES:
            text = (FILES / f"{name}.json").read_text()
            self.assertEqual(json.dumps(json.loads(text), indent=4), text, name)

    def test_all_load_without_a_warning(self):
        for name in PROFILES:
            with self.subTest(name=name):
                run = self.sandbox.run("profile", "check", "--strict", str(self.folder / f"{name}.json"))
                self.assertEqual(DONE, run.process.returncode, run.said())
                self.assertIn("warnings: 0", run.text())

    def test_run_tells_first_what_the_profile_does(self):
        self.show_panel()
        run = self.sandbox.start("run", str(self.folder / "colours.json"), "--desktop", "x11", "--rules", str(RULES),
                                 "--unlock-writes", "--once")
        self.assert_ends(run, DONE, seconds=60)
        told = [line.split()[0] for line in run.text().splitlines() if line]
        self.assertEqual("colours.json:", told[0])
        self.assertLess(told.index("reads"), told.index("clicks"))
        summary = self.sandbox.run("profile", "summary", str(self.folder / "colours.json")).text()
        self.assertIn(summary.strip(), run.text())

    def test_colours_are_seen_and_answered_with_the_mouse(self):
        self.run_profile("colours")
        self.assertEqual({"clicks": [["light", 1, 30, 30], ["pad", 3, 10, 15], ["pad", 3, 10, 15], ["pad", 2, 20, 80]],
                          "text": "", "sent": [""], "light": "green"}, self.state())

    def test_a_template_is_found_by_its_file_and_by_its_name(self):
        self.run_profile("templates")
        self.assertEqual([["icon", 1, 24, 24]], self.state()["clicks"])
        self.assertEqual("20 20; 48x48", self.state()["text"])

    def test_texts_are_read_and_typed(self):
        self.run_profile("texts")
        self.assertEqual({"clicks": [], "text": "fertig ✓", "sent": ["Order 4711"], "light": "orange"}, self.state())

    def test_conditions_of_several_parts_use_what_was_captured(self):
        logged = self.run_profile("compound")
        self.assertEqual([["icon", 1, 0, 0]], self.state()["clicks"])
        self.assertEqual("one of them", self.state()["text"])
        self.assertEqual([("WARNING", "still here")], logged)

    def test_templates_png_is_the_icon_of_the_panel(self):
        made = self.sandbox.path("icon.png")
        subprocess.run([PYTHON, str(PROGRAMS / "gtk_panel.py"), "--icon", str(made)], check=True, timeout=30)
        self.assertEqual(made.read_bytes(), (FILES / "templates/cross.png").read_bytes())


if __name__ == "__main__":
    x11.main()
