"""The overlay for the person at the desktop: what a person sees, which no image of ours has."""

import json
import os
import subprocess

import x11
from console import DENIED, DONE, wait_until

PYTHON = "/usr/bin/python3"  # Debian's Python, which has PIL.
BANNER = (0x1F, 0x24, 0x30)
OUTLINE = (0xFF, 0x5A, 0x00)
WORDS = (0xFF, 0xC0, 0x40)


def colours_of(source):
    """Returns how many pixels have each colour of the overlay: of a file, or of the screen without one."""
    count = """
import json, sys
from PIL import Image, ImageGrab
picture = Image.open(sys.argv[1]) if len(sys.argv) > 1 else ImageGrab.grab(xdisplay='')
colours = {tuple(colour): number for number, colour in picture.convert('RGB').getcolors(1 << 24)}
print(json.dumps([colours.get(colour, 0) for colour in %r]))
""" % ([BANNER, OUTLINE, WORDS],)
    command = [PYTHON, "-c", count] + ([str(source)] if source else [])
    return json.loads(subprocess.run(command, capture_output=True, check=True, timeout=20).stdout)


def seen():
    return colours_of(None)


class Banner(x11.DesktopTest):
    def asking(self, *flags):
        """A run whose click waits for an approval."""
        self.open("mousepad", title="Mousepad")
        run = self.sandbox.start("--json", *flags, "--goal", 'click "File"')
        return run, run.pending_id()

    def say(self, *command):
        run = self.sandbox.run(*command)
        self.assertEqual(DONE, run.wait(), run.said())
        return run.text()

    def images(self):
        return sorted(self.sandbox.state.rglob("*.png"))

    def test_a_person_sees_the_words_of_a_question_and_no_image_of_ours_has_them(self):
        run, approval = self.asking()
        wait_until(lambda: seen()[2] > 50, lambda: f"the words show: {seen()}")
        banner, outline, _ = seen()
        self.assertGreater(banner, 5_000)
        self.assertGreater(outline, 100)
        if "DA_E2E_PICTURES" in os.environ:
            grab = "import sys; from PIL import ImageGrab as g; g.grab(xdisplay='').save(sys.argv[1])"
            subprocess.run([PYTHON, "-c", grab, os.environ["DA_E2E_PICTURES"] + "/question.png"], check=True)
        self.say("deny", approval)
        self.assert_ends(run, DENIED)
        self.assert_becomes([0, 0, 0], seen)
        self.assertTrue(self.images())
        for image in self.images():
            self.assertEqual([0, 0, 0], colours_of(image), image)

    def test_a_question_that_ends_takes_its_words_with_it(self):
        run, approval = self.asking()
        wait_until(lambda: seen()[2] > 50, lambda: f"the words show: {seen()}")
        self.say("approve", approval)
        wait_until(lambda: run.facts("actuator.outcome") or run.process.poll() is not None, "the step was carried out")
        wait_until(lambda: seen()[2] == 0, lambda: f"the words are gone: {seen()}")
        run.wait(60)
        self.assert_becomes([0, 0, 0], seen)


if __name__ == "__main__":
    x11.main()
