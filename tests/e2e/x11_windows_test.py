"""Windows are focused, closed and ended by their titles; what is missing or ambiguous is said."""

import json
import os
import subprocess

import x11
from console import DENIED, DONE, FAILED, wait_until

TARGETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gtk_targets.py")


class Windows(x11.DesktopTest):
    def terminal(self, title):
        return self.open("xterm", "-T", title, title=title)

    def test_focus_knows_a_part_of_the_title_in_any_case(self):
        self.terminal("Alpha One")
        self.terminal("Beta Two")
        x11.ask("xdotool", "windowactivate", "--sync", x11.window_of("Beta Two"))
        self.assert_ends(self.goal('focus "alpha"'), DONE)
        self.assertEqual("Alpha One", x11.active_title())

    def test_focus_restores_a_minimised_window(self):
        self.terminal("Alpha One")
        window = x11.window_of("Alpha One")
        x11.ask("xdotool", "windowminimize", "--sync", window)
        self.assert_ends(self.goal('focus "Alpha"'), DONE)
        self.assertEqual("Alpha One", x11.active_title())
        self.assertIn("Normal", x11.ask("xprop", "-id", window, "WM_STATE"))

    def test_two_that_fit_are_both_named_and_none_is_taken(self):
        self.terminal("Alpha One")
        self.terminal("Alpha Two")
        before = x11.active_title()
        run = self.goal('focus "Alpha"')
        self.assert_ends(run, FAILED)
        self.assertIn("Alpha One", run.errors())
        self.assertIn("Alpha Two", run.errors())
        self.assertEqual(before, x11.active_title())

    def test_a_window_that_is_not_there_is_an_error_that_names_it(self):
        run = self.goal('focus "Nowhere"')
        self.assert_ends(run, FAILED)
        self.assertIn("Nowhere", run.errors())

    def test_close_closes_that_window_alone(self):
        self.terminal("Alpha One")
        self.terminal("Beta Two")
        self.assert_ends(self.goal('close "Alpha"'), DONE)
        wait_until(lambda: x11.titles() == ["Beta Two"], x11.titles)

    def test_terminate_asks_and_ends_the_process(self):
        process = self.terminal("Alpha One")
        run = self.goal('terminate "Alpha"')
        approval = run.pending_id()
        self.assertIsNone(process.poll())
        self.sandbox.run("approve", approval)
        self.assert_ends(run, DONE)
        process.wait(5)

    def test_terminate_that_is_denied_leaves_the_process(self):
        process = self.terminal("Alpha One")
        run = self.goal('terminate "Alpha"')
        self.sandbox.run("deny", run.pending_id())
        self.assert_ends(run, DENIED)
        self.assertIsNone(process.poll())

    def test_doctor_misses_a_window_manager(self):
        bare = subprocess.Popen(["Xvfb", "-displayfd", "1", "-nolisten", "tcp"], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(bare.stdout.close)
        self.addCleanup(bare.wait)
        self.addCleanup(bare.terminate)
        checks = {}
        for display in (x11.display(), ":" + bare.stdout.readline().strip()):
            self.sandbox.environment["DISPLAY"] = display
            run = self.sandbox.run("doctor", "--json")
            run.wait()
            checks[display] = {check["name"]: check for check in map(json.loads, run.stdout)}["window manager"]
        managed, unmanaged = checks.values()
        self.assertTrue(managed["ok"], managed)
        self.assertFalse(unmanaged["ok"], unmanaged)
        self.assertIn("openbox", unmanaged["advice"])

    def test_an_unknown_program_is_an_error_that_names_it(self):
        run = self.goal("open no-such-program --flag")
        self.assert_ends(run, FAILED)
        self.assertIn("no-such-program", run.errors())

    def test_a_title_that_steers_terminals_is_shown_escaped(self):
        window = self.terminal("plain")
        x11.ask("xdotool", "set_window", "--name", "evil\x1b[2J\u202etitle", x11.window_of("plain"))
        x11.wait_for_title("evil")
        run = self.sandbox.start("--goal", 'check window "evil" is open')
        self.assert_ends(run, DONE)
        self.assertNotIn("\x1b", run.said())
        self.assertNotIn("\u202e", run.said())
        self.assertIsNone(window.poll())


class Checks(x11.DesktopTest):
    def test_a_text_that_is_not_there_is_named_with_1(self):
        run = self.goal('open mousepad; check "Frobnicate" is visible')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn("Frobnicate", run.errors())

    def test_a_window_that_is_not_open_is_named_with_1(self):
        run = self.goal('check window "Nowhere" is open')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn("Nowhere", run.errors())

    def test_a_target_that_is_not_there_is_named_with_1_and_nothing_is_clicked(self):
        xev = self.xev()
        run = self.goal('click "Frobnicate"')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn("Frobnicate", run.errors())
        self.assertEqual([], xev.buttons())

    def test_a_disabled_button_is_waited_for_and_then_named(self):
        run = self.goal('open mousepad; press ctrl+s; click "Save"')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertRegex(run.errors(), "Save.*(enabled|sensitive|disabled)")

    def test_what_another_window_covers_is_named_with_that_window_and_nothing_is_clicked(self):
        places = self.sandbox.path("targets.json")
        self.open("/usr/bin/python3", TARGETS, str(places), title="Targets")
        xev = self.xev()
        for command in (["windowsize", "--sync"], ["windowmove", "--sync"]):
            there = ["1200", "700"] if command[0] == "windowsize" else ["0", "20"]
            x11.ask("xdotool", *command, x11.window_of("Event Tester"), *there)
        for goal in ('right-click "Apples"', 'click "Pears"', 'check "Plums" is enabled', 'scroll down 2 at "Plums"'):
            run = self.goal(goal)
            self.assert_ends(run, FAILED, seconds=60)
            self.assertRegex(run.errors(), 'covered by the window .*Event Tester')
        self.assertEqual([], xev.buttons())
        x11.ask("xdotool", "windowactivate", "--sync", x11.window_of("Targets"))
        self.assert_ends(self.goal('right-click "Apples"; click "Pears"'), DONE, seconds=60)
        wait_until(lambda: "Pears" in json.loads(places.read_text())["clicked"], "Pears was clicked")

    def test_a_piece_of_a_word_is_no_target(self):
        self.open("/usr/bin/python3", TARGETS, str(self.sandbox.path("targets.json")), title="Targets")
        run = self.goal('click "ears"')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn("nowhere on the screen", run.errors())

    def test_a_dry_run_judges_only_what_shows_and_is_not_denied_for_the_rest(self):
        run = self.goal('open mousepad; type "x"; double-click "Frobnicate"; click "Save"; scroll down 2 at "List"',
                        "--dry-run")
        self.assert_ends(run, DONE, seconds=60)
        self.assertEqual(["launch", "write"], [verdict["tool"] for verdict in run.facts("policy.verdict")])
        self.assertEqual([], run.facts("actuator.outcome"))

    # It was in the file, and so it was said to be visible.
    def test_text_is_visible_only_where_it_is_not_scrolled_out_of_sight(self):
        file = self.sandbox.path("long.txt")
        file.write_text("Quelltext oben\n" + "Zeile\n" * 120 + "Abgesang unten\n")
        for editor, hides, hidden, shows in (("mousepad", "ctrl+Home", "Abgesang", "ctrl+End"),
                                             ("featherpad", "ctrl+End", "Quelltext", "ctrl+Home")):
            with self.subTest(editor=editor):
                self.open(editor, str(file), title="long.txt")
                x11.press(hides)
                run = self.goal(f'check "{hidden}" is visible')
                self.assert_ends(run, FAILED, seconds=60)
                self.assertIn("scrolled out of sight", run.errors())
                x11.press(shows)
                self.assert_ends(self.goal(f'check "{hidden}" is visible; close "long.txt"'), DONE, seconds=60)

    def test_an_element_is_checked_by_its_text(self):
        file = self.sandbox.path("needle.txt")
        run = self.goal(f'open mousepad; press ctrl+s; type "{file}" into "Name"; check "Name" has text "{file}"; '
                        'press esc')
        self.assert_ends(run, DONE, seconds=60)

    def test_waiting_for_a_text_that_comes_later(self):
        self.open("xterm", "-fa", "DejaVu Sans Mono", "-fs", "20", "-T", "later", "-e", "sh", "-c",
                  "sleep 4; echo READY; exec sleep 60", title="later")
        run = self.goal('wait for "READY" 20 seconds')
        self.assert_ends(run, DONE, seconds=60)


if __name__ == "__main__":
    x11.main()
