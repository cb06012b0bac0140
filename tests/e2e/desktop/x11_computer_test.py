"""The letter of x11_models_test.py, written with the providers' computer tools: clicks, keys and text."""

import x11
from computer_words import Anthropic, Gemini, OpenAi, entry_of
from console import DONE, RULES
from models import ModelTest, image_of, size_of
from x11_models_test import ASKS, IN_THE_WAY, SCREEN, TEXT, geometry_of, mouse

MALFORMED = "Nothing of your last reply was carried out: "


class Letter(x11.DesktopTest, ModelTest):
    """The places to click come from the window manager."""

    def test_openai_writes_a_letter_in_eight_turns(self):
        self.write_letter(OpenAi(SCREEN), scaled_to=(1365, 768))

    def test_anthropic_writes_a_letter_in_eight_turns(self):
        self.write_letter(Anthropic(desktop=SCREEN))

    def test_gemini_writes_a_letter_in_eight_turns(self):
        self.write_letter(Gemini(SCREEN), scaled_to=SCREEN)

    def click_at(self, find_place, **entry):
        """Returns an entry that clicks a place in the coordinates of the image of its request."""
        def click():
            self.image_size = size_of(image_of(self.server.requests()[-1]))
            self.words.sees(self.image_size)
            self.clicked = find_place()
            return entry_of(self.words.click(self.clicked), **entry)
        return click

    @staticmethod
    def once(title, entry):
        """Returns an entry that waits for the focus: a late focus change would make the approved step stale."""
        def answer():
            x11.wait_until(lambda: title in x11.active_title(), f"{title} has the focus")
            return entry
        return answer

    @staticmethod
    def page():
        left, top, width, height = geometry_of("Mousepad")
        return left + width // 2, top + height // 2

    @staticmethod
    def save_button():
        """Returns the place of Save, which is in the lower right corner of GTK's dialog."""
        left, top, width, height = geometry_of("Save As")
        return left + width - 50, top + height - 28

    def entries(self):
        words = self.words
        return [
            self.click_at(self.page, thinking="There is the page.", text="I click the page.",
                          expect=["Turn 1 of 12.", "Mousepad"]),
            entry_of(words.unknown(), thinking="Now the text.", expect=["Turn 2 of 12."]),
            self.once("Mousepad", entry_of(words.type(TEXT), thinking="In another way.",
                                           expect=["Turn 2 of 12.", MALFORMED])),
            {"status": 429, "headers": {"Retry-After": "1"}, "error": "Too many requests"},
            self.click_at(self.page, expect=["Turn 3 of 12.", "because the screen had changed under it", IN_THE_WAY]),
            self.once("Mousepad", entry_of(words.type(TEXT), expect=["Turn 4 of 12."])),
            entry_of(words.chord("ctrl", "s"), expect=["Turn 5 of 12."]),
            self.once("Save As", entry_of(*words.in_one_call(words.chord("ctrl", "a"), words.type(str(self.file))),
                                          expect=["Turn 6 of 12.", "Save As"])),
            self.click_at(self.save_button, thinking="It is named.", expect=["Turn 7 of 12."]),
            {"text": "The letter is saved.", "expect": ["Turn 8 of 12.", self.file.name]},
        ]

    def write_letter(self, words, scaled_to=None):
        self.words, self.file = words, self.sandbox.path("letter.txt")
        rules = self.sandbox.path("rules.toml")
        rules.write_text(RULES.read_text() + ASKS.replace('["write"]', '["write", "keyboard_type"]'))
        self.open("mousepad", title="Mousepad")
        with self.model(words.planner, self.entries()) as self.server:
            run = self.server.goal("write the letter to Zoë", "--unlock-writes", desktop="x11", rules=rules)
            first = run.pending_id()
            # In the lower right corner, where it covers nothing.
            self.open("xterm", "-geometry", "30x4-0-0", "-T", IN_THE_WAY, "-e", "sleep", "300", title=IN_THE_WAY)
            x11.wait_until(lambda: x11.active_title() == IN_THE_WAY, "the other window has the focus")
            self.approve(first)
            second = run.wait_for(lambda: run.facts("policy.request")[1:], seconds=60)[0]["approval_id"]
            self.approve(second)
            self.assert_ends(run, DONE, seconds=90)
        self.assert_as_scripted(self.server)
        self.assertEqual(TEXT.encode(), self.file.read_bytes())
        self.assertIn(f"{self.file} - Mousepad", x11.titles())
        types = "keyboard_type" if isinstance(words, Gemini) else "write"
        self.assertEqual(["mouse", "mouse", types, "hotkey", "hotkey", types, "mouse"],
                         [outcome["tool"] for outcome in run.facts("actuator.outcome")])
        self.assertEqual([1, 1, 1, 2, 1, 1, 1, 1, 1], [call["tries"] for call in self.calls(run)])
        self.check_place(scaled_to)

    def approve(self, approval):
        said = self.sandbox.run("approve", approval)
        self.assertEqual(DONE, said.process.returncode, said.said())

    def check_place(self, scaled_to):
        """Checks the position of the pointer with the X server."""
        if scaled_to:
            self.assertEqual(scaled_to, self.image_size)
        pixel = SCREEN[0] / self.image_size[0]
        for at, meant in zip(mouse(), self.clicked):
            self.assertLessEqual(abs(at - meant), pixel + 1)


if __name__ == "__main__":
    x11.main()
