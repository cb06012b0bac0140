"""{{secret:name}} in a real application: only the application gets the value. Also tests masks."""

import json
import os
import struct
import zlib

import x11
from console import DONE, FAILED, PROGRAMS, RULES, SERVICE_LOST, processes_with, wait_until

PYTHON = "/usr/bin/python3"  # Debian's Python, which has the GTK bindings.
FORM = str(PROGRAMS / "gtk_form.py")
PASSWORD, TOKEN = "hunter2-hünter2", "tok-123456789"
SECRETS = f"""
[[secret]]
name = "mail"
value = "{PASSWORD}"
[[secret]]
name = "token"
value = "{TOKEN}"
executables = "{os.path.basename(os.path.realpath(PYTHON))}"
elements = '^Token$'
"""
ALLOW = """
[[rule]]
name = "test"
verdict = "allow"
reason = "a test"
match.tool = ["write", "paste", "press", "hotkey", "ui_click", "launch", "sleep", "wait_for",
              "check_element_property"]
"""
ASK_ABOUT_SHOW = """
[[rule]]
name = "show"
verdict = "ask"
reason = "a test"
match.element = '^Show$'
"""


class Image:
    """A PNG in the format of the observer: 8 bit RGB, no filter."""

    def __init__(self, png):
        self.width, self.height = struct.unpack(">II", png[16:24])
        data, at = b"", 8
        while at < len(png):
            size, kind = struct.unpack(">I4s", png[at:at + 8])
            if kind == b"IDAT":
                data += png[at + 8:at + 8 + size]
            at += size + 12
        rows, stride = zlib.decompress(data), 1 + 3 * self.width
        self.rows = [rows[y * stride + 1:(y + 1) * stride] for y in range(self.height)]

    def share(self, place, wanted):
        """Returns the share of the pixels in `place` for which `wanted` is true."""
        x, y, width, height = place
        pixels = [self.rows[row][3 * column:3 * column + 3] for row in range(y, y + height)
                  for column in range(x, x + width)]
        return sum(wanted(*pixel) for pixel in pixels) / len(pixels)


def is_black(red, green, blue):
    return max(red, green, blue) == 0


def is_field(red, green, blue):
    """Returns whether the pixel is magenta, possibly under a grid line."""
    return red > 150 and blue > 150 and green < 100


class FormTest(x11.DesktopTest):
    def setUp(self):
        super().setUp()
        self.state = self.sandbox.path("form.json")
        self.open(PYTHON, FORM, str(self.state), title="Test form")
        wait_until(self.state.exists, "the form has written its state")
        self.secrets = self.private("secrets.toml", SECRETS)
        self.rules = self.private("rules.toml", ALLOW + ASK_ABOUT_SHOW)

    def private(self, name, text):
        file = self.sandbox.path(name)
        file.write_text(text)
        file.chmod(0o600)
        return file

    def form(self):
        return json.loads(self.state.read_text())

    def with_secrets(self, goal, *flags):
        return self.goal(goal, "--secrets", str(self.secrets), "--log-level", "trace", *flags, rules=self.rules)

    def files_with(self, value):
        own = {self.state, self.secrets}
        return [str(file) for file in self.sandbox.root.rglob("*")
                if file.is_file() and file not in own and value.encode() in file.read_bytes()]

    def screenshot(self):
        newest = max((self.sandbox.state / "desktopassist/screenshots").iterdir(), key=lambda file: file.stat().st_mtime)
        return Image(newest.read_bytes())

    def assert_not_told(self, run, *values):
        for value in values:
            self.assertNotIn(value, run.text())
            self.assertNotIn(value, run.errors())
            self.assertEqual([], self.files_with(value))


class Secrets(FormTest):
    def test_a_password_reaches_only_the_form(self):
        run = self.with_secrets('type "{{secret:mail}}" into "Password"; press enter; click "Show"')
        approval = run.pending_id()  # Now the run waits, and its run directory exists.
        self.assert_becomes(PASSWORD, lambda: self.form()["text"]["Password"])
        pending = self.sandbox.run("pending", "--json").text()
        self.assertIn("Show", pending)
        for value in (PASSWORD, "hunter2"):
            self.assertNotIn(value, pending)
            self.assertEqual([], self.files_with(value))
        self.assertIn("{{secret:mail}}", run.text())
        self.sandbox.run("approve", approval)
        self.assert_ends(run, DONE, seconds=60)
        self.assert_not_told(run, PASSWORD, "hunter2")
        self.assert_becomes(1, lambda: self.form()["entered"])
        # The password is now visible on the real screen.
        self.assertGreater(self.screenshot().share(self.form()["place"]["Password"], is_black), 0.9)
        self.assertGreater(self.screenshot().share(self.form()["place"]["Comment"], is_field), 0.9)

    def test_a_field_filled_with_a_secret_is_masked_afterwards(self):
        self.assert_ends(self.with_secrets('wait 0 seconds'), DONE)
        self.assertGreater(self.screenshot().share(self.form()["place"]["Token"], is_field), 0.9)
        run = self.with_secrets('type "{{secret:token}}" into "Token"; type "seen" into "Comment"; '
                                'check "Comment" has text "seen"; check "Token" has text ""')
        self.assert_ends(run, DONE, seconds=60)
        self.assert_becomes({"Password": "", "Token": TOKEN, "Comment": "seen"}, lambda: self.form()["text"])
        self.assert_not_told(run, TOKEN)
        image = self.screenshot()
        self.assertGreater(image.share(self.form()["place"]["Token"], is_black), 0.9)
        self.assertGreater(image.share(self.form()["place"]["Comment"], is_field), 0.7)

    def test_a_run_cannot_read_back_a_field_that_it_filled_with_a_secret(self):
        read_back = f'wait for "{TOKEN.split("-")[0]}" 1 seconds'
        run = self.with_secrets('type "{{secret:token}}" into "Token"; ' + read_back)
        self.assertEqual(FAILED, run.wait(60), run.said())
        # The application may still be busy with the last keys.
        wait_until(lambda: self.form()["text"]["Token"] == TOKEN, lambda: f"token typed: {self.form()['text']}", 20)
        # A new actuator does not mask the field and finds the text, so the search above would have found it too.
        self.assert_ends(self.with_secrets(read_back), DONE, seconds=60)

    def test_the_shipped_rules_ask_about_a_secret_by_its_name(self):
        self.rules = RULES
        run = self.with_secrets('type "{{secret:mail}}" into "Password"')
        approval = run.pending_id()
        question = self.sandbox.run("pending").text()
        self.assertIn("{{secret:mail}}", question)
        self.assertIn("password-fields", question)
        self.assertEqual("", self.form()["text"]["Password"])
        # The content of the field is replaced: it is selected first, which is a step of its own.
        self.sandbox.run("approve", approval)
        wait_until(lambda: len(run.facts("policy.request")) == 2, "the text is asked about")
        self.sandbox.run("approve", run.pending_id())
        self.assert_ends(run, DONE, seconds=60)
        self.assert_becomes(PASSWORD, lambda: self.form()["text"]["Password"])
        self.assert_not_told(run, PASSWORD)

    def test_a_secret_for_another_field_is_refused_without_an_approval(self):
        for goal in ('type "{{secret:mail}}" into "Comment"', 'type "{{secret:token}}" into "Comment"',
                     'type "{{secret:token}}" into "Password"', 'type "{{secret:other}}" into "Password"',
                     'type "{{ secret:mail }}" into "Password"', 'type "x" into "Password"; paste "{{secret:mail}}"',
                     'open mousepad --{{secret:mail}}'):
            run = self.with_secrets(goal)
            self.assertNotEqual(DONE, run.wait(60), run.said())
            self.assertIn("secret", run.errors())
            self.assertEqual([], run.facts("policy.request"))
            self.assert_not_told(run, PASSWORD, TOKEN)
        self.assert_becomes({"Password": "x", "Token": "", "Comment": ""}, lambda: self.form()["text"])

    def test_a_secret_is_not_typed_into_an_editor(self):
        run = self.with_secrets('open mousepad; type "{{secret:mail}}"')
        self.assertNotEqual(DONE, run.wait(60))
        self.assertIn("only into password fields", run.errors())
        self.assert_not_told(run, PASSWORD)

    def test_selecting_a_field_with_a_secret_is_refused(self):
        run = self.with_secrets('type "{{secret:token}}" into "Token"; press ctrl+a')
        self.assertNotEqual(DONE, run.wait(60))
        self.assertIn("could copy a secret", run.errors())

    def test_a_secret_variable_is_only_in_the_environment_of_the_console(self):
        self.sandbox.environment["DA_SECRET_MAIL"] = PASSWORD
        self.secrets = self.private("secrets.toml", '[[secret]]\nname = "mail"\nenv = "DA_SECRET_MAIL"\n')
        run = self.with_secrets('type "{{secret:mail}}" into "Password"; click "Show"')
        approval = run.pending_id()
        self.assert_becomes(PASSWORD, lambda: self.form()["text"]["Password"])
        self.assertEqual([run.process.pid], list(processes_with(PASSWORD)))
        self.sandbox.run("approve", approval)
        self.assert_ends(run, DONE, seconds=60)

    def test_status_counts_secrets_and_masks(self):
        run = self.with_secrets('click "Show"', "--masks", str(self.private("masks.toml", "[[mask]]\npasswords = true\n")))
        approval = run.pending_id()
        status = self.sandbox.run("status").text()
        self.assertRegex(status, r"secrets\W+2")
        self.assertRegex(status, r"masks\W+1")
        self.sandbox.run("approve", approval)
        self.assert_ends(run, DONE, seconds=60)

    def test_an_invalid_or_readable_secrets_file_is_refused_without_its_values(self):
        self.secrets.chmod(0o644)
        run = self.with_secrets("wait 0 seconds")
        self.assertEqual(SERVICE_LOST, run.wait(60), run.said())
        self.assertIn("chmod 600", run.errors())
        self.secrets = self.private("secrets.toml", SECRETS + f'value = "{PASSWORD}')
        run = self.with_secrets("wait 0 seconds")
        self.assertEqual(SERVICE_LOST, run.wait(60), run.said())
        self.assertIn("not valid TOML", run.errors())
        self.assert_not_told(run, PASSWORD, TOKEN)


class Masks(FormTest):
    def masked(self, masks, goal="wait 0 seconds"):
        run = self.with_secrets(goal, "--masks", str(self.private("masks.toml", masks)))
        run.wait(60)
        return run, self.screenshot()

    def test_each_kind_of_mask_is_black_in_the_image(self):
        place = self.form()["place"]
        x, y, width, height = place["Comment"]
        for masks, name in ((f"[[mask]]\nrect = [{x}, {y}, {width}, {height}]", "Comment"),
                            ("[[mask]]\npasswords = true", "Password"),
                            ("[[mask]]\nprocess = '^python'\nelement = '^token$'\nrole = 'text'", "Token")):
            run, image = self.masked(masks)
            self.assertEqual(DONE, run.process.returncode, run.said())
            for field in place:
                share = image.share(place[field], is_black)
                self.assertTrue(share > 0.9 if field == name else share < 0.1, f"{masks}: {field} is {share} black")

    def test_a_masked_element_is_not_found_by_its_name(self):
        run, _ = self.masked("[[mask]]\nelement = 'comment'", 'click "Comment"')
        self.assertEqual(FAILED, run.process.returncode, run.said())

    def test_a_masked_window_is_black_and_its_fields_are_not_found(self):
        run, image = self.masked("[[mask]]\nwindow = '^test form$'", 'click "Comment"')
        self.assertEqual(FAILED, run.process.returncode, run.said())
        for place in self.form()["place"].values():
            self.assertGreater(image.share(place, is_black), 0.9)


if __name__ == "__main__":
    x11.main()
