"""Goals on applications of several toolkits, checked by the windows and files of the applications."""

import x11
from console import DENIED, DONE, RULES


class Toolkits(x11.DesktopTest):
    def test_qt_editor_saves_under_a_name(self):
        file = self.sandbox.path("qt.txt")
        run = self.goal(f'open featherpad; type "Zeile 1: Grüße\\n漢字 €"; press ctrl+s; type "{file}" into "File name"; '
                        f'click "Save"; check window "{file.name}" is open')
        self.assert_ends(run, DONE, seconds=90)
        self.assertEqual("Zeile 1: Grüße\n漢字 €\n", file.read_text())  # featherpad adds the last newline.

    def test_gtk4_calculator_adds(self):
        run = self.goal('open gnome-calculator; click "7"; click "+"; click "8"; click "="; check "15" is visible')
        self.assert_ends(run, DONE, seconds=90)
        x11.wait_for_title("Calculator")
        self.assertEqual("15", x11.copied())

    def test_gtk4_calculator_takes_keys(self):
        run = self.goal('open gnome-calculator; type "12*12"; press enter; check "144" is visible')
        self.assert_ends(run, DONE, seconds=90)
        self.assertEqual("144", x11.copied())

    def test_paste_reaches_the_editor(self):
        text = "eingefügt: 漢字 🙂\nzweite Zeile"
        run = self.goal(f"open mousepad; paste {x11.quote(text)}")
        self.assert_ends(run, DONE, seconds=90)
        x11.press("ctrl+a")
        self.assertEqual(text, x11.copied())


class Terminals(x11.DesktopTest):
    """A terminal can run any command, so the shipped rules ask even while the write lock is open."""

    def trusting_rules(self):
        rules = self.sandbox.path("rules.toml")
        rules.write_text('[[rule]]\nname = "test"\nverdict = "allow"\nreason = "a test"\n'
                         'match.tool = ["launch", "write", "press", "hotkey", "close_window"]\n')
        return rules

    def test_text_arrives_in_a_terminal_exactly(self):
        file = self.sandbox.path("typed.txt")
        text = "Grüße 漢字 €\n  \\ \"quoted\" $HOME `x` 'y' ~|<>&;\n"
        run = self.goal(f"open xterm -u8; type {x11.quote(f'cat > {file}')}; press enter; type {x11.quote(text)}; "
                        'press ctrl+d; type "exit"; press enter', rules=self.trusting_rules())
        self.assert_ends(run, DONE, seconds=90)
        self.assert_becomes(text, file.read_text)

    def test_typing_that_closes_its_own_window_is_a_success(self):
        for ending in ('type "exit\\n"', 'type "exit"; press enter'):
            with self.subTest(ending):
                run = self.goal(f"open xterm; {ending}", rules=self.trusting_rules())
                self.assert_ends(run, DONE, seconds=60)
                x11.wait_until(lambda: not x11.titles(), lambda: f"the window closed: {x11.titles()}")

    def test_opening_a_terminal_needs_an_approval(self):
        run = self.goal("open xterm", "--approval-expiry", "1s")
        self.assert_ends(run, DENIED)
        self.assertIn("start-shells-and-interpreters", run.said())
        self.assertEqual([], x11.titles())

    def test_typing_into_a_terminal_needs_an_approval(self):
        file = self.sandbox.path("never.txt")
        self.open("xterm", "-T", "harmless", title="harmless")
        run = self.goal(f'focus "harmless"; type "touch {file}\\n"', "--approval-expiry", "1s")
        self.assert_ends(run, DENIED)
        self.assertIn("terminals", run.said())
        self.assertFalse(file.exists())

    def test_opening_a_terminal_can_be_approved(self):
        run = self.goal("open xterm -T asked-for")
        approved = self.sandbox.run("approve", run.pending_id())
        self.assertEqual(DONE, approved.wait(), approved.said())
        self.assert_ends(run, DONE, seconds=60)
        x11.wait_for_title("asked-for")


    def test_a_click_needs_a_new_approval_after_the_terminal_printed(self):
        file = self.sandbox.path("lines.txt")
        file.write_text("".join(f"line {number}\n" for number in range(12)))
        self.open("xterm", "-T", "printing", "-geometry", "80x24+60+60", "-e", "tail", "-n", "20", "-f", file,
                  title="printing")
        run = self.goal("click at 80,240")
        approval = run.pending_id()
        for text in ("quite another line, and a longer one\n" * 3 + "\x1b]2;printed\x07", "\x1b]2;printing\x07"):
            with file.open("a") as lines:
                lines.write(text)
            x11.wait_for_title(text[text.index(";") + 1:-1])
        self.sandbox.run("approve", approval)
        run.wait_for(lambda: len(run.facts("policy.request")) > 1)
        self.assertIn("around the target", run.said())
        self.sandbox.run("approve", run.pending_id())
        self.assert_ends(run, DONE)


class Files(x11.DesktopTest):
    def test_a_file_is_deleted_after_an_approval(self):
        file = self.sandbox.path("old.txt")
        file.write_text("old")
        run = self.goal(f'delete file "{file}"')
        approval = run.pending_id()
        self.assertIn(str(file), self.sandbox.run("pending").text())
        self.assertTrue(file.exists())
        self.sandbox.run("approve", approval)
        self.assert_ends(run, DONE)
        self.assertFalse(file.exists())

    def test_a_link_changed_during_the_approval_is_not_followed(self):
        first, second, link = (self.sandbox.path(name) for name in ("first", "second", "link"))
        for file in (first, second):
            file.mkdir()
            (file / "a.txt").write_text("keep")
        link.symlink_to(first)
        run = self.goal(f'delete file "{link}/a.txt"')
        approval = run.pending_id()
        link.unlink()
        link.symlink_to(second)
        self.sandbox.run("approve", approval)
        run.wait_for(lambda: len(run.facts("policy.request")) > 1 or run.facts("planner.end"))
        self.assertTrue((second / "a.txt").exists())

    def test_system_files_are_never_deleted(self):
        run = self.goal('delete file "/etc/hostname"')
        self.assert_ends(run, DENIED)
        self.assertIn("system-files", run.said())
        self.assertTrue(RULES.exists())


if __name__ == "__main__":
    x11.main()
