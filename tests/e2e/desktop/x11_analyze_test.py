"""`da-console analyze` on a GTK window and on a screenshot of it, checked against PIL's own screenshot."""

import json
import os
import subprocess

import x11
from console import BAD_USAGE, DONE, FAILED
from x11_overlay_test import TargetsTest

PYTHON = "/usr/bin/python3"  # Debian's Python, which has PIL.
GRAB = """
import sys
from PIL import ImageGrab
ImageGrab.grab(xdisplay='').convert('RGB').save(sys.argv[1])
"""
# Prints the colour of a pixel, the mean colour of a box, and saves the box.
MEASURE = """
import json, sys
from PIL import Image, ImageStat
picture = Image.open(sys.argv[1])
x, y, width, height = map(int, sys.argv[2].split(','))
box = picture.crop((x, y, x + width, y + height))
box.save(sys.argv[3])
print(json.dumps({'pixel': box.getpixel((2, 3)), 'mean': ImageStat.Stat(box).mean}))
"""


class Analyze(TargetsTest):
    def setUp(self):
        super().setUp()
        x11.ask("xdotool", "mousemove", "1279", "799")  # Nothing is highlighted under the pointer.
        self.place = self.state()["place"]["Pears"]
        self.region = ",".join(map(str, self.place))
        self.button = str(self.sandbox.path("button.png"))
        self.screenshot = str(self.sandbox.path("screen.png"))
        self.python(GRAB, self.screenshot)
        self.measured = json.loads(self.python(MEASURE, self.screenshot, self.region, self.button))

    def python(self, script, *arguments):
        return subprocess.run([PYTHON, "-c", script, *arguments], check=True, capture_output=True, text=True).stdout

    def analyze(self, *flags):
        run = self.sandbox.run("analyze", "--json", *flags)
        self.assert_ends(run, DONE)
        (region,) = json.loads(run.stdout[0])["regions"]
        return region

    def channels(self, colour):
        return tuple(colour.get(name, 0) for name in ("red", "green", "blue"))

    def test_colours_are_those_of_a_screenshot(self):
        region = self.analyze("--region", self.region, "--pixel", "2,3", "--average", "--dominant", "2")
        self.assertEqual(tuple(self.measured["pixel"]), self.channels(region["pixels"][0]["colour"]))
        for ours, theirs in zip(self.channels(region["average_colour"]), self.measured["mean"]):
            self.assertAlmostEqual(ours, theirs, delta=0.51)
        shares = [colour["percent"] for colour in region["dominant_colours"]]
        self.assertEqual(sorted(shares, reverse=True), shares)
        self.assertAlmostEqual(100, sum(shares), places=3)
        self.sandbox.check_nothing_left()

    def test_template_is_found_where_it_was_cut_out(self):
        run = self.sandbox.run("analyze", "--template", self.button)
        self.assert_ends(run, DONE)
        x, y, width, height = self.place
        self.assertIn(f"  {x},{y} ({width}x{height})  confidence 1.0000, exact", run.text())

    def test_text_of_a_region_is_read(self):
        region = self.analyze("--region", self.region, "--ocr")
        self.assertIn("Pears", region["ocr"]["text"])
        self.assertGreater(region["ocr"]["average_confidence_percent"], 50)

    def test_region_of_a_window_is_relative_to_it(self):
        region = self.analyze("--window", "targets", "--template", self.button)
        self.assertEqual("Targets", region["window_title"])
        found = region["templates"][0]["matches"][0]["area"]
        self.assertEqual(self.place[:2], [region["area"].get(side, 0) + found.get(side, 0) for side in ("x", "y")])

    def test_picture_file_gives_the_answers_of_the_desktop(self):
        flags = ("--region", self.region, "--pixel", "2,3", "--average", "--dominant", "3", "--ocr", "--template",
                 self.button)
        desktop = self.analyze(*flags)
        picture = self.analyze("--image", self.screenshot, *flags)
        self.assertEqual(desktop, picture)

    def test_what_cannot_be_analysed_is_an_error(self):
        broken = self.sandbox.path("broken.png")
        broken.write_bytes(b"\x89PNG\r\n\x1a\n" + os.urandom(100))
        for code, flags in ((BAD_USAGE, ()), (BAD_USAGE, ("--region", "1,2,3", "--average")),
                            (BAD_USAGE, ("--pixel", "here")), (BAD_USAGE, ("--average", "--dominant", "99")),
                            (FAILED, ("--window", "Nobody", "--average")),
                            (FAILED, ("--pixel", "9000,0", "--average")),
                            (FAILED, ("--region", "9000,0,10,10", "--average")),
                            (FAILED, ("--template", "/nonexistent.png"))):
            with self.subTest(flags=flags):
                self.assert_ends(self.sandbox.run("analyze", *flags), code)
        self.assertNotEqual(DONE, self.sandbox.run("analyze", "--image", str(broken), "--average").process.returncode)
        run = self.sandbox.run("analyze", "--template", str(broken))
        self.assert_ends(run, FAILED)
        self.assertIn("cannot decode the image", run.text())


if __name__ == "__main__":
    x11.main()
