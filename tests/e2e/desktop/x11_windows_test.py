"""Windows are focused, closed and terminated by title; missing and ambiguous targets are errors."""

import json
import subprocess

import x11
from console import DENIED, DONE, FAILED, PROGRAMS, wait_until

TARGETS = str(PROGRAMS / "gtk_targets.py")


class Windows(x11.DesktopTest):
    def terminal(self, title):
        return self.open("xterm", "-T", title, title=title)

    def test_focus_accepts_a_part_of_the_title_in_any_case(self):
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

    def test_an_ambiguous_title_is_refused_with_both_windows(self):
        self.terminal("Alpha One")
        self.terminal("Alpha Two")
        before = x11.active_title()
        run = self.goal('focus "Alpha"')
        self.assert_ends(run, FAILED)
        self.assertIn("Alpha One", run.errors())
        self.assertIn("Alpha Two", run.errors())
        self.assertEqual(before, x11.active_title())

    def test_a_missing_window_is_named_in_the_error(self):
        run = self.goal('focus "Nowhere"')
        self.assert_ends(run, FAILED)
        self.assertIn("Nowhere", run.errors())

    def test_close_closes_only_the_named_window(self):
        self.terminal("Alpha One")
        self.terminal("Beta Two")
        self.assert_ends(self.goal('close "Alpha"'), DONE)
        wait_until(lambda: x11.titles() == ["Beta Two"], x11.titles)

    def test_terminate_needs_an_approval_and_ends_the_process(self):
        process = self.terminal("Alpha One")
        run = self.goal('terminate "Alpha"')
        approval = run.pending_id()
        self.assertIsNone(process.poll())
        self.sandbox.run("approve", approval)
        self.assert_ends(run, DONE)
        process.wait(5)

    def test_a_denied_terminate_does_not_end_the_process(self):
        process = self.terminal("Alpha One")
        run = self.goal('terminate "Alpha"')
        self.sandbox.run("deny", run.pending_id())
        self.assert_ends(run, DENIED)
        self.assertIsNone(process.poll())

    def test_doctor_reports_a_missing_window_manager(self):
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

    def test_an_unknown_program_is_named_in_the_error(self):
        run = self.goal("open no-such-program --flag")
        self.assert_ends(run, FAILED)
        self.assertIn("no-such-program", run.errors())

    def test_control_characters_in_a_window_title_are_escaped(self):
        window = self.terminal("plain")
        x11.ask("xdotool", "set_window", "--name", "evil\x1b[2J\u202etitle", x11.window_of("plain"))
        x11.wait_for_title("evil")
        run = self.sandbox.start("--goal", 'check window "evil" is open')
        self.assert_ends(run, DONE)
        self.assertNotIn("\x1b", run.said())
        self.assertNotIn("\u202e", run.said())
        self.assertIsNone(window.poll())


class Checks(x11.DesktopTest):
    def test_a_missing_text_exits_with_1_and_is_named(self):
        run = self.goal('open mousepad; check "Frobnicate" is visible')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn("Frobnicate", run.errors())

    def test_a_check_of_a_missing_window_exits_with_1_and_names_it(self):
        run = self.goal('check window "Nowhere" is open')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn("Nowhere", run.errors())

    def test_a_missing_target_exits_with_1_and_nothing_is_clicked(self):
        xev = self.xev()
        run = self.goal('click "Frobnicate"')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn("Frobnicate", run.errors())
        self.assertEqual([], xev.buttons())

    def test_a_click_on_a_disabled_button_fails_and_names_it(self):
        run = self.goal('open mousepad; press ctrl+s; click "Save"')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertRegex(run.errors(), "Save.*(enabled|sensitive|disabled)")

    def test_a_covered_element_is_reported_with_the_covering_window_and_not_clicked(self):
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

    def test_a_target_matches_whole_words_only(self):
        self.open("/usr/bin/python3", TARGETS, str(self.sandbox.path("targets.json")), title="Targets")
        run = self.goal('click "ears"')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn("nowhere on the screen", run.errors())

    def test_a_dry_run_judges_only_steps_with_visible_targets(self):
        run = self.goal('open mousepad; type "x"; double-click "Frobnicate"; click "Save"; scroll down 2 at "List"',
                        "--dry-run")
        self.assert_ends(run, DONE, seconds=60)
        self.assertEqual(["launch", "write"], [verdict["tool"] for verdict in run.facts("policy.verdict")])
        self.assertEqual([], run.facts("actuator.outcome"))

    # Regression: text outside the scrolled view counted as visible.
    def test_text_scrolled_out_of_view_is_not_visible(self):
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

    def test_wait_for_finds_a_text_that_appears_later(self):
        self.open("xterm", "-fa", "DejaVu Sans Mono", "-fs", "20", "-T", "later", "-e", "sh", "-c",
                  "sleep 4; echo READY; exec sleep 60", title="later")
        run = self.goal('wait for "READY" 20 seconds')
        self.assert_ends(run, DONE, seconds=60)


if __name__ == "__main__":
    x11.main()
