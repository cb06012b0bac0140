"""`open APP`: how it recognizes the new window, how long it waits, and its errors."""

import time

import x11
from console import DONE, FAILED, PROGRAMS

START = f"/usr/bin/python3 {PROGRAMS}/gtk_start.py"


class Opening(x11.DesktopTest):
    def rules(self):
        """Writes permissive rules, because the shipped rules ask about interpreters."""
        rules = self.sandbox.path("rules.toml")
        rules.write_text('[[rule]]\nname = "test"\nverdict = "allow"\nreason = "a test"\n'
                         'match.tool = ["launch", "write", "check_element_property"]\n')
        return rules

    def opened(self, goal):
        return self.goal(goal, rules=self.rules())

    @staticmethod
    def summary(run):
        return run.facts("planner.end")[0]["result"]["summary"]

    def test_open_waits_until_the_splash_screen_is_gone(self):
        run = self.opened(f'open {START} splash 4; type "here"; check "Note" has text "here"')
        self.assert_ends(run, DONE, seconds=60)
        self.assertEqual("Started", x11.active_title())

    def test_an_application_with_only_a_splash_screen_is_reported(self):
        run = self.opened(f"open {START} splash 600 within 4 seconds")
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn('only its splash screen "Starting" opened within 4 s', self.summary(run))

    def test_an_application_that_exits_is_reported_with_its_status_and_last_line(self):
        started = time.monotonic()
        run = self.opened(f"open {START} fail")
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn('it ended with exit status 3; the last line that it printed: '
                      '"cannot open the settings: they are broken"', self.summary(run))
        self.assertLess(time.monotonic() - started, 15)

    def test_open_accepts_a_change_in_an_existing_window(self):
        pages = self.sandbox.path("pages")
        run = self.opened(f'open {START} answer {pages}; open {START} answer {pages}; type "x"')
        self.assert_ends(run, DONE, seconds=60)
        self.assertEqual("Page 1", x11.active_title())

    def test_an_unknown_program_is_reported_with_the_nearest_name_before_any_approval(self):
        run = self.sandbox.start("--json", "--goal", "open mousepda")
        self.assert_ends(run, FAILED, seconds=30)
        self.assertIn('no program in PATH and no desktop entry has this name (did you mean "mousepad"',
                      self.summary(run).lower().replace("path", "PATH"))
        self.assertEqual([], run.facts("policy.request"))

    def test_a_desktop_entry_whose_program_is_missing_is_told_as_such(self):
        entry = self.sandbox.home / "data/applications/mines.desktop"
        entry.parent.mkdir(parents=True)
        entry.write_text("[Desktop Entry]\nType=Application\nName=Mines\nExec=gnome-mines-of-nobody %U\n")
        run = self.sandbox.start("--json", "--goal", "open Mines")
        self.assert_ends(run, FAILED, seconds=30)
        self.assertIn('its desktop entry starts "gnome-mines-of-nobody", which is no program in PATH', self.summary(run))


if __name__ == "__main__":
    x11.main()
