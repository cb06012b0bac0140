"""Clicks on rows of real lists by name, also on rows that must be scrolled into view."""

import pathlib
import subprocess

import x11
from console import DONE, PROGRAMS, RULES

ROWS = str(PROGRAMS / "gtk_rows.py")
LONG = str(PROGRAMS / "long_lists.py")


class Lists(x11.DesktopTest):
    def files(self):
        """Makes forty files, of which about thirty are visible in a file chooser."""
        directory = pathlib.Path(self.sandbox.path("files"))
        directory.mkdir()
        for number in range(1, 41):
            (directory / f"file{number}.txt").write_text(str(number))
        return directory

    def zenity(self, *flags, title):
        process = subprocess.Popen(["zenity", *flags], env=self.sandbox.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        x11.wait_for_title(title)
        return process

    def chosen(self, process):
        return process.communicate(timeout=10)[0].strip()

    # Regression: "activate" of a cell acted on the previously selected row, so another file was chosen.
    def test_a_click_chooses_the_named_file(self):
        directory = self.files()
        for name in ("file12.txt", "file30.txt", "file1.txt"):
            with self.subTest(name):
                process = self.zenity("--file-selection", "--title=Choose", f"--filename={directory}/", title="Choose")
                self.assert_ends(self.goal(f'click "{name}"; click "OK"'), DONE, seconds=60)
                self.assertEqual(f"{directory}/{name}", self.chosen(process))

    def test_a_click_chooses_the_named_row(self):
        process = self.zenity("--list", "--title=Choose", "--column", "Word", "one", "two", "three", title="Choose")
        run = self.goal('click "three"')
        self.assert_ends(run, DONE, seconds=60)
        self.assertEqual(["KIND_CONFIRMED"], [fact["kind"] for fact in run.facts("actuator.outcome")])
        self.assertIsNone(process.poll())
        self.assert_ends(self.goal('click "OK"'), DONE, seconds=60)
        self.assertEqual("three", self.chosen(process))

    def test_a_double_click_opens_the_named_file(self):
        directory = self.files()
        process = self.zenity("--file-selection", "--title=Choose", f"--filename={directory}/", title="Choose")
        self.assert_ends(self.goal('double-click "file7.txt"'), DONE, seconds=60)
        self.assertEqual(f"{directory}/file7.txt", self.chosen(process))

    # Regression: Qt creates new row objects for each observation, which counted as "still moving" forever.
    def test_a_file_is_opened_by_its_row_in_a_qt_dialog(self):
        directory = self.files()
        (directory / "file12.txt").write_text("this one")
        file = directory / "file3.txt"
        self.open("featherpad", file, title="file3.txt")
        run = self.goal('press ctrl+o; click "file12.txt"; click "Open"; check window "file12.txt" is open')
        self.assert_ends(run, DONE, seconds=60)

    def test_a_row_below_the_fold_is_scrolled_to(self):
        note = self.sandbox.path("selected")
        self.open("/usr/bin/python3", ROWS, note, "900", title="Rows")
        for row in ("row 700", "row 3", "row 899"):
            with self.subTest(row):
                self.assert_ends(self.goal(f'click "{row}"'), DONE, seconds=60)
                self.assertEqual(row, note.read_text())

    # Regression: every row was read, and each row read became an object in the application.
    def test_observing_a_very_long_list_does_not_increase_its_memory(self):
        note = self.sandbox.path("selected")
        process = self.open("/usr/bin/python3", ROWS, note, "200000", title="Rows")
        self.assert_ends(self.goal('check window "Rows" is open'), DONE, seconds=60)
        before = resident_kib(process.pid)
        self.assert_ends(self.goal("; ".join(['check "row 3" is visible'] * 10)), DONE, seconds=120)
        self.assertLess(resident_kib(process.pid) - before, 20 * 1024)
        self.assert_ends(self.goal('click "row 3"'), DONE, seconds=60)
        self.assertEqual("row 3", note.read_text())


def resident_kib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


class LongLists(x11.DesktopTest):
    def start(self, kind):
        self.log = self.sandbox.path("lists.log")
        self.log.touch()
        self.open("/usr/bin/python3", LONG, kind, str(self.log), title="^Lists$")

    def chooses(self, goal, *lines):
        before = len(self.log.read_text(encoding="utf-8").splitlines())
        self.assert_ends(self.goal(goal, rules=RULES), DONE, seconds=60)
        self.assertEqual(list(lines), self.log.read_text(encoding="utf-8").splitlines()[before:])

    def test_a_menu_that_is_longer_than_the_screen_is_scrolled(self):
        self.start("gtk")
        for number in (45, 2, 59, 24):
            self.chooses(f'select "Option {number}" in "Option"', f"option Option {number}")

    def test_a_list_that_takes_text_is_opened_by_keys(self):
        for kind in ("gtk", "qt"):
            self.start(kind)
            self.chooses('select "Blue" in "Colour"', "colour Blue")
            self.chooses('select "Blue" in "Colour"')
            self.chooses('select "Green" in "Colour"', "colour Green")
            self.assert_ends(self.goal('close "Lists"', rules=RULES), DONE, seconds=60)

    def test_cells_of_a_qt_table_are_scrolled_into_view(self):
        self.start("qt")
        self.chooses('click "Cell 40.1"', "table Cell 40.1")
        self.chooses('click table cell right of "Cell 55.0"', "table Cell 55.1")
        self.chooses('click "Cell 0.0"', "table Cell 0.0")

    # Qt does not tell of widgets in cells.
    def test_a_text_that_is_no_element_is_found_in_the_row_of_an_element(self):
        self.start("qt")
        self.chooses('click "Edit" in row "Cell 4.0"', "edit 4")
        self.chooses('click "Edit" right of "Cell 2.1"', "edit 2")


if __name__ == "__main__":
    x11.main()
