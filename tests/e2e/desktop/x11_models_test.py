"""A model writes a letter in a real editor in eight turns at 1920x1080, with errors and interruptions on the way."""

import re

import x11
from console import DONE, RULES
from models import ModelTest, image_of, say, size_of, step

SCREEN = (1920, 1080)
TEXT = "Dear Zoë,\n\n\tzwölf Boxkämpfer \"jagen\" Viktor; 漢字 & {braces} \\ 100 € 🙂\nYours\n"
ASKS = """
[[rule]]
name = "letters"
verdict = "ask"
reason = "a letter is read before it is written"
match.tool = ["write"]
match.text = '^Dear'
"""
IN_THE_WAY = "in-the-way"


def geometry_of(title):
    """Returns left, top, width and height of a window without its frame."""
    told = x11.ask("xdotool", "getwindowgeometry", "--shell", x11.window_of(title))
    return [int(re.search(rf"^{name}=(-?\d+)$", told, re.MULTILINE)[1]) for name in ("X", "Y", "WIDTH", "HEIGHT")]


def mouse():
    told = x11.ask("xdotool", "getmouselocation")
    return int(re.search(r"x:(\d+)", told)[1]), int(re.search(r"y:(\d+)", told)[1])


class Letter(x11.DesktopTest, ModelTest):
    def test_openai_writes_a_letter_in_eight_turns(self):
        self.write_letter("openai", scaled_to=(1365, 768))

    def test_openai_responses_writes_a_letter_in_eight_turns(self):
        self.write_letter("openai-responses", scaled_to=(1365, 768))

    def test_anthropic_writes_a_letter_in_eight_turns(self):
        self.write_letter("anthropic")

    def test_gemini_writes_a_letter_in_eight_turns(self):
        self.write_letter("gemini", scaled_to=SCREEN)

    def entries(self):
        return [
            say(step("launch", command="mousepad"), step("wait_for", text="Mousepad", secs=20),
                expect=["Turn 1 of 12."]),
            {"text": "The editor is open, so I shall write the letter now."},
            say(step("write", text=TEXT), expect=["Turn 2 of 12.", "Your reply was not accepted"]),
            {"status": 429, "headers": {"Retry-After": "1"}, "error": "Too many requests"},
            say(step("focus_window", title="Mousepad"),
                expect=["Turn 3 of 12.", "not carried out, because the screen had changed under it", IN_THE_WAY]),
            say(step("write", text=TEXT), expect=["Turn 4 of 12."]),
            say(step("hotkey", keys=["ctrl", "s"]), expect=["Turn 5 of 12."]),
            say(step("hotkey", keys=["ctrl", "a"]), step("write", text=str(self.file)),
                expect=["Turn 6 of 12.", "Save"]),
            self.click_save,
            say(done="The letter is saved.", expect=["Turn 8 of 12.", self.file.name]),
        ]

    def click_save(self):
        """Clicks the lower right corner of GTK's dialog, where Save is, in pixels of the image."""
        left, top, width, height = geometry_of("Save As")
        self.button = left + width - 50, top + height - 28
        self.image_size = size_of(image_of(self.model_server.requests()[-1]))
        x, y = (at * length // whole for at, length, whole in zip(self.button, self.image_size, SCREEN))
        return say(step("mouse", x=x, y=y), expect=["Turn 7 of 12."])

    def write_letter(self, planner, scaled_to=None):
        self.file = self.sandbox.path("letter.txt")
        rules = self.sandbox.path("rules.toml")
        rules.write_text(RULES.read_text() + ASKS)
        with self.model(planner, self.entries()) as self.model_server:
            run = self.model_server.goal("write the letter to Zoë", "--unlock-writes", desktop="x11", rules=rules)
            first = run.pending_id()
            self.open("xterm", "-T", IN_THE_WAY, "-e", "sleep", "300", title=IN_THE_WAY)
            x11.wait_until(lambda: x11.active_title() == IN_THE_WAY, "the other window has the focus")
            self.approve(first)
            second = run.wait_for(lambda: [fact["approval_id"] for fact in run.facts("policy.request")][1:],
                                  seconds=60)[0]
            self.approve(second)
            self.assert_ends(run, DONE, seconds=90)
        self.assert_as_scripted(self.model_server)
        self.assertEqual(TEXT.encode(), self.file.read_bytes())
        self.assertIn(f"{self.file} - Mousepad", x11.titles())
        self.check_facts(run)
        self.check_places(scaled_to)

    def approve(self, approval):
        said = self.sandbox.run("approve", approval)
        self.assertEqual(DONE, said.process.returncode, said.said())

    def check_facts(self, run):
        done = [(outcome["tool"], outcome["kind"].removeprefix("KIND_")) for outcome in run.facts("actuator.outcome")]
        self.assertEqual(["launch", "focus_window", "write", "hotkey", "hotkey", "write", "mouse"],
                         [tool for tool, _ in done])
        self.assertEqual(["ANSWER_APPROVED"] * 2, [fact["answer"] for fact in run.facts("policy.approval")])
        self.assertEqual([1, 1, 1, 2, 1, 1, 1, 1, 1], [call["tries"] for call in self.calls(run)])

    def check_places(self, scaled_to):
        """Checks the position of the pointer with the X server."""
        if scaled_to:
            self.assertEqual(scaled_to, self.image_size)
        pixel = SCREEN[0] / self.image_size[0]
        for at, meant in zip(mouse(), self.button):
            self.assertLessEqual(abs(at - meant), pixel + 1)


if __name__ == "__main__":
    x11.main()
