"""`da-console edit`: a profile in the person's editor. The editors are small Python programs."""

import json
import signal
import sys

from console import BAD_USAGE, DONE, FAILED, ConsoleTest, wait_until
from terminal import TerminalTest

GOOD = '{\n  "regions": [],\n  "rules": []\n}\n'
BROKEN = '{\n  "rules": [7]\n}\n'


class Editors:
    """For a test case with a sandbox."""

    def set_editor(self, script, variable="EDITOR", words=""):
        """The editor executes the script with the file's path in `file`. It notes each call."""
        program = self.sandbox.path("my editor.py")
        program.write_text("import pathlib, sys, os\nfile = pathlib.Path(sys.argv[-1])\n"
                           f"with open({str(self.sandbox.path('calls'))!r}, 'a') as calls: print(*sys.argv[1:], file=calls)\n"
                           + script)
        self.sandbox.environment[variable] = f"{sys.executable} '{program}'{words}"

    def calls(self):
        file = self.sandbox.path("calls")
        return file.read_text().splitlines() if file.exists() else []

    def new_profile(self, text=GOOD):
        self.profile = self.sandbox.path("p") / "mail.json"
        self.profile.parent.mkdir()
        self.profile.write_text(text)

    def files(self):
        return sorted(path.name for path in self.profile.parent.iterdir())


class Editing(Editors, ConsoleTest):
    def setUp(self):
        super().setUp()
        self.new_profile()
        self.sandbox.environment.pop("VISUAL", None)

    def edit(self, *arguments, code=DONE):
        run = self.sandbox.run("edit", *(arguments or (str(self.profile),)))
        self.assert_ends(run, code)
        return run

    def test_what_is_valid_is_saved_and_keeps_the_mode(self):
        self.profile.chmod(0o640)
        self.set_editor("file.write_text('{\"rules\": []}')")
        run = self.edit()
        self.assertEqual('{"rules": []}', self.profile.read_text())
        self.assertEqual(0o640, self.profile.stat().st_mode & 0o777)
        self.assertEqual(["mail.json"], self.files())
        self.assertIn(f"da-console run {self.profile} --dry-run", run.text())

    def test_warnings_are_shown_and_saved(self):
        self.set_editor("file.write_text('{\"rules\": [], \"extra\": 1}')")
        run = self.edit()
        self.assertIn(f"{self.profile}:1:15: warning: unknown key", run.errors())
        self.assertIn("extra", self.profile.read_text())

    def test_visual_comes_first_and_its_words_are_arguments(self):
        self.set_editor("file.write_text('{}')", variable="VISUAL", words=" --wait \"two words\"")
        self.sandbox.environment["EDITOR"] = "/nonexistent"
        self.edit()
        (call,) = self.calls()
        self.assertTrue(call.startswith("--wait two words /"), call)

    def test_no_shell_reads_the_editor(self):
        self.sandbox.environment["EDITOR"] = f"true; touch {self.sandbox.path('made')} #"
        run = self.edit(code=FAILED)
        self.assertIn("is not installed", run.errors())
        self.assertFalse(self.sandbox.path("made").exists())

    def test_an_unchanged_file_is_not_written(self):
        self.set_editor("pass")
        before = self.profile.stat()
        run = self.edit()
        self.assertIn("is not changed", run.errors())
        self.assertEqual(before.st_mtime_ns, self.profile.stat().st_mtime_ns)
        self.assertEqual(["mail.json"], self.files())

    def test_without_a_terminal_a_broken_file_stays_beside_the_profile(self):
        self.set_editor(f"file.write_text({BROKEN!r})")
        run = self.edit(code=FAILED)
        self.assertIn(f"{self.profile}:2:13: error:", run.errors())
        self.assertEqual(GOOD, self.profile.read_text())
        (draft,) = [name for name in self.files() if name != "mail.json"]
        self.assertEqual(BROKEN, (self.profile.parent / draft).read_text())
        self.assertIn(draft, run.errors())

    def test_an_editor_that_fails_saves_nothing_and_loses_nothing(self):
        self.set_editor("file.write_text('{}'); sys.exit(3)")
        run = self.edit(code=FAILED)
        self.assertIn("ended with exit code 3", run.errors())
        self.assertEqual(GOOD, self.profile.read_text())
        self.assertEqual(2, len(self.files()))

    def test_a_change_of_another_program_is_not_overwritten(self):
        self.set_editor(f"pathlib.Path({str(self.profile)!r}).write_text('{{ }}'); file.write_text('{{}}')")
        run = self.edit(code=FAILED)
        self.assertIn("another program has changed", run.errors())
        self.assertEqual("{ }", self.profile.read_text())
        self.assertEqual(2, len(self.files()))

    def test_a_file_that_cannot_be_replaced_keeps_the_text(self):
        link = self.profile.parent / "link.json"
        link.symlink_to(self.profile.name)
        self.set_editor("file.write_text('{}')")
        self.edit(str(link))
        self.assertTrue(link.is_symlink())
        self.assertEqual("{}", self.profile.read_text())

    def test_templates_beside_the_profile_are_checked(self):
        self.set_editor("file.write_text('{\"templates\": [{\"name\": \"t\", \"filename\": \"no.png\"}], \"rules\": []}')")
        run = self.edit(code=FAILED)
        self.assertIn("the template's file cannot be used", run.errors())

    def test_a_new_profile_begins_with_the_default_structure(self):
        self.set_editor("assert 'New profile' in file.read_text(); "
                        "file.write_text(file.read_text().replace('New profile', 'Mine'))")
        new = self.profile.parent / "new.json"
        self.edit(str(new))
        self.assertEqual(["profile_description", "settings", "regions", "templates", "rules"],
                         list(json.loads(new.read_text())))

    def test_a_new_profile_that_the_editor_leaves_unchanged_is_not_made(self):
        self.set_editor("pass")
        new = self.profile.parent / "new.json"
        self.assertIn("new.json is not made", self.edit(str(new)).errors())
        self.assertEqual(["mail.json"], self.files())

    def test_without_a_name_a_new_profile_is_made_in_the_configuration(self):
        self.set_editor("file.write_text(file.read_text() + ' ')")
        for name in ("profile.json", "profile-2.json"):
            run = self.edit_nothing()
            self.assertIn(name, run.text())
            self.assertTrue((self.sandbox.home / "config/desktopassist/profiles" / name).exists())

    def edit_nothing(self):
        run = self.sandbox.run("edit")
        self.assert_ends(run, DONE)
        return run

    def test_a_name_that_is_no_profile_and_no_step_is_bad_usage(self):
        self.set_editor("pass")
        run = self.edit("approval-7", code=BAD_USAGE)
        self.assertIn("--args", run.errors())
        self.assertEqual([], self.calls())

    def test_a_stopped_console_ends_the_editor_and_keeps_the_text(self):
        self.set_editor("file.write_text('{}'); import time; time.sleep(60)")
        run = self.sandbox.start("edit", str(self.profile))
        run.wait_for(lambda: self.calls())
        wait_until(lambda: any((self.profile.parent / name).read_text() == "{}" for name in self.files()),
                   "the editor has written")
        run.process.send_signal(signal.SIGTERM)
        run.wait()
        self.assertEqual(GOOD, self.profile.read_text())
        self.assertEqual(2, len(self.files()))


class EditingAtATerminal(Editors, TerminalTest):
    def setUp(self):
        super().setUp()
        self.new_profile()
        self.sandbox.environment.pop("VISUAL", None)
        # The first call breaks the file, the second one mends it.
        self.set_editor(f"file.write_text('{{}}' if 'rules' in file.read_text() and '7' in file.read_text() else {BROKEN!r})")

    def edit(self, *answers):
        terminal = self.start("edit", str(self.profile))
        for times, answer in enumerate(answers, 1):
            terminal.wait_for("[e]dit again", times)
            terminal.type(answer)
        return terminal

    def test_a_broken_file_is_edited_again(self):
        self.assert_terminal_ends(self.edit("\n"), DONE)
        self.assertEqual("{}", self.profile.read_text())
        self.assertEqual(2, len(self.calls()))

    def test_a_broken_file_is_saved_only_when_asked(self):
        self.assert_terminal_ends(self.edit("perhaps\n", "s\n"), DONE)
        self.assertEqual(BROKEN, self.profile.read_text())

    def test_a_broken_file_is_discarded(self):
        self.assert_terminal_ends(self.edit("d\n"), FAILED)
        self.assertEqual(GOOD, self.profile.read_text())
        self.assertEqual(["mail.json"], self.files())

    def test_the_editor_can_read_from_the_terminal(self):
        self.set_editor("print('what to write?', flush=True); file.write_text(sys.stdin.readline())")
        terminal = self.start("edit", str(self.profile))
        terminal.wait_for("what to write?")
        terminal.type('{"rules": []}\n')
        self.assert_terminal_ends(terminal, DONE)
        self.assertEqual('{"rules": []}\n', self.profile.read_text())

    def test_ctrl_c_at_the_question_keeps_the_text(self):
        self.assert_terminal_ends(self.edit("\x03"), FAILED)
        self.assertEqual(GOOD, self.profile.read_text())
        self.assertEqual(2, len(self.files()))


if __name__ == "__main__":
    import unittest
    unittest.main()
