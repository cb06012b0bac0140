"""Windows are focused, closed and terminated by title; missing and ambiguous targets are errors."""

import json
import pathlib
import subprocess

import x11
from console import DENIED, DONE, FAILED, PROGRAMS, wait_until

TARGETS = str(PROGRAMS / "gtk_targets.py")
PYTHON = "/usr/bin/python3"  # Debian's Python, which has the bindings of GTK and Tk.


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

    def check_from_a_terminal(self, title, condition):
        """Returns the exit code of a goal that was entered in a terminal, whose command line shows the goal's words."""
        goal = f"check {condition}"
        ended = self.sandbox.path(f"{title}.ended")
        script = self.sandbox.path(f"{title}.sh")
        command = f"{self.sandbox.programs}/da-console --goal '{goal}'"
        script.write_text(f"cat <<'END'\n$ {command}\nEND\n{command}; echo $? >{ended}; exec sleep 60\n")
        self.open("xterm", "-fa", "DejaVu Sans Mono", "-fs", "14", "-T", title, "-e", "sh", str(script), title=title)
        return wait_until(lambda: ended.exists() and ended.read_text().strip(), "the goal ended", seconds=60)

    def test_the_terminal_of_a_goal_does_not_fulfil_it_with_the_goals_own_words(self):
        self.assertEqual(str(FAILED), self.check_from_a_terminal("alone", '"Saved" is visible'))
        # The control: another terminal fulfils the same goal.
        self.open("xterm", "-fa", "DejaVu Sans Mono", "-fs", "14", "-geometry", "30x5-0-0", "-T", "other", "-e", "sh", "-c",
                  "echo Saved; exec sleep 60", title="other")
        self.assertEqual(str(DONE), self.check_from_a_terminal("beside", '"Saved" is visible'))


class NamedWindows(x11.DesktopTest):
    """A sentence that names a window reaches it behind another one; the programs' own log tells what they got."""

    def setUp(self):
        super().setUp()
        self.rules = self.sandbox.path("rules.toml")
        self.rules.write_text('[[rule]]\nname = "all"\nverdict = "allow"\nreason = "a desktop of its own"\n'
                              'match.tool = ["ui_click", "mouse", "focus_window", "write", "hotkey"]\n')
        self.log = pathlib.Path(self.sandbox.path("log"))
        self.log.touch()

    def show(self, kit, title, *items, x=40):
        window = {"id": title, "kit": kit, "title": title, "x": x, "y": 40, "width": 300, "height": 200, "items": items}
        self.open(PYTHON, str(PROGRAMS / "random_windows.py"), kit, str(self.log), json.dumps([window]), title=title)

    def cover(self):
        self.open("xterm", "-T", "Cover", "-geometry", "150x40+0+0", title="Cover")
        x11.ask("xdotool", "windowactivate", "--sync", x11.window_of("Cover"))

    def got(self):
        return [(event["window"], event["what"], event["text"]) for event in map(json.loads, self.log.read_text().splitlines())]

    def test_a_button_behind_another_window_is_clicked(self):
        for kit in ("gtk3", "tk"):
            with self.subTest(kit):
                self.show(kit, kit, {"kind": "button", "name": "Send"})
                self.cover()
                self.assert_ends(self.goal(f'click "Send" in "{kit}"', rules=self.rules), DONE)
                self.assertIn((kit, "clicked", ""), self.got())
                x11.ask("wmctrl", "-c", "Cover")
                wait_until(lambda: "Cover" not in x11.titles(), x11.titles)

    def test_a_field_of_a_minimised_window_is_typed_into(self):
        self.show("gtk3", "Orders", {"kind": "field", "name": "Name"})
        x11.ask("xdotool", "windowminimize", "--sync", x11.window_of("Orders"))
        self.assert_ends(self.goal('type "Ada" into "Name" in "Orders"', rules=self.rules), DONE)
        self.assertEqual(("Orders", "text", "Ada"), self.got()[-1])

    def test_a_sentence_that_names_no_window_raises_none(self):
        self.show("gtk3", "Orders", {"kind": "button", "name": "Send"})
        self.cover()
        run = self.goal('click "Send"', rules=self.rules)
        self.assert_ends(run, FAILED)
        self.assertIn('covered by the window "Cover"', run.errors())
        self.assertEqual("Cover", x11.active_title())
        self.assertEqual([], self.got())

    def test_what_may_not_be_raised_fails_with_its_own_reason(self):
        self.rules.write_text(self.rules.read_text().replace('"focus_window", ', ""))
        with self.rules.open("a") as rules:
            rules.write('[[rule]]\nname = "no-focus"\nverdict = "deny"\nreason = "windows stay where they are"\n'
                        'match.tool = ["focus_window"]\n')
        self.show("gtk3", "Orders", {"kind": "button", "name": "Send"})
        self.cover()
        run = self.goal('click "Send" in "Orders"', rules=self.rules)
        self.assert_ends(run, DENIED)
        self.assertIn("windows stay where they are", run.errors())
        self.assertEqual([], self.got())


if __name__ == "__main__":
    x11.main()
