"""`da-console profile explain` on the present screen and on recorded runs of profiles, with dialogs of zenity."""

import json
import subprocess

import x11
from console import BAD_USAGE, DONE, FAILED, RULES, wait_until
from recordings import recordings_of

PYTHON = "/usr/bin/python3"  # Debian's Python, which has PIL.
# Saves a box of the screen, and prints its pixels' digest, or nothing while it has few colours.
CUT = """
import hashlib, sys
from PIL import ImageGrab
x, y, width, height = map(int, sys.argv[2].split(','))
box = ImageGrab.grab(xdisplay='').convert('RGB').crop((x, y, x + width, y + height))
box.save(sys.argv[1])
print(hashlib.sha256(box.tobytes()).hexdigest() if len(box.getcolors(10000) or []) > 5 else '')
"""


class Explain(x11.DesktopTest):
    def setUp(self):
        super().setUp()
        x11.ask("xdotool", "mousemove", "1279", "799")  # Nothing is highlighted under the pointer.
        self.folder = self.sandbox.path("profiles")
        (self.folder / "templates").mkdir(parents=True)
        self.path = self.folder / "download.json"

    def dialog(self):
        process = subprocess.Popen(["zenity", "--progress", "--text=Downloading", "--title=Download"],
                                   env=self.sandbox.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.kill)
        x11.wait_for_title("Download")
        return process

    def tell(self, process, *lines):
        process.stdin.write("".join(line + "\n" for line in lines).encode())
        process.stdin.flush()

    def place(self):
        """Left, top, width and height of the dialog's content."""
        words = dict(line.split("=") for line in
                     x11.ask("xdotool", "getwindowgeometry", "--shell", x11.window_of("Download")).splitlines())
        return [int(words[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")]

    def cut_cancel(self):
        """Saves the dialog's left button when it is drawn. xdotool names a place that is too low by the title."""
        def cut():
            x, y, width, height = self.place()
            return subprocess.run([PYTHON, "-c", CUT, str(self.folder / "templates/cancel.png"),
                                   f"{x + width // 4 - 35},{y + height // 2 - 3},70,26"], check=True, capture_output=True,
                                  text=True).stdout.strip()
        wait_until(lambda: cut() and cut() == cut(), "the button is drawn")

    def write(self, change=None):
        """The profile. Its rules look at the dialog in all ways, and only the last one touches it."""
        shows = lambda text: {"type": "ocr_contains_text", "text_to_find": text, "min_ocr_confidence": 40}
        log = lambda text: {"type": "log_message", "message": text}
        profile = {
            "settings": {"monitoring_interval_seconds": 0.2},
            "regions": [{"name": "dialog", "window": "^Download$", "x": 0, "y": 0, "width": 0, "height": 0},
                        {"name": "corner", "x": 0, "y": 0, "width": 40, "height": 30}],
            "templates": [{"name": "cancel", "filename": "cancel.png"}],
            "rules": [
                {"name": "begins", "region": "dialog", "condition": shows("Downloading"), "action": log("begun"),
                 "once": True},
                {"name": "button", "region": "dialog", "condition":
                    {"type": "template_match_found", "template_name": "cancel", "capture_as": "button"},
                 "action": log("cancel at {button.value.box.0}"), "cooldown_seconds": 0.8},
                {"name": "corner", "region": "corner", "condition":
                    {"type": "pixel_color", "relative_x": 5, "relative_y": 5, "expected_bgr": [0, 0, 0],
                     "tolerance": 255}, "action": log("the corner shows"), "cooldown_seconds": 1},
                {"name": "alone", "region": "dialog", "condition":
                    {"logical_operator": "NOT", "sub_conditions": [shows("Downloading")]},
                 "action": log("it says something else"), "cooldown_seconds": 0.5},
                {"name": "done", "region": "dialog", "condition":
                    {"logical_operator": "AND", "sub_conditions": [
                        shows("complete"), {"type": "ui_element", "role": "button", "name": "OK", "state": "enabled"}]},
                 "actions": [log("done"), {"type": "click", "target_relation": "ui_element", "role": "button",
                                           "name": "OK"}], "stop": True},
            ],
        }
        if change:
            change(profile)
        self.path.write_text(json.dumps(profile))

    def recorded_run(self, *flags):
        """Runs the profile on a dialog that changes and moves, to its end. Returns its run and its recording."""
        dialog = self.dialog()
        self.cut_cancel()
        x, y = self.place()[:2]
        self.write()
        run = self.sandbox.start("run", str(self.path), "--desktop", "x11", "--rules", str(RULES), "--json",
                                 "--unlock-writes", *flags)
        said = lambda: [fact["text"] for fact in run.facts("planner.rule") if fact["kind"] == "KIND_LOG"]
        run.wait_for(lambda: "begun" in said())
        x11.ask("wmctrl", "-r", "Download", "-e", "0,100,80,-1,-1")
        wait_until(lambda: self.place()[:2] != [x, y], "the window moves")
        seen = len(said())
        run.wait_for(lambda: len(said()) > seen + 3)
        self.tell(dialog, "50", "# Halfway there")
        run.wait_for(lambda: "it says something else" in said())
        self.tell(dialog, "# Download complete", "100")
        self.assert_ends(run, DONE)
        return run, recordings_of(self.sandbox)[-1]

    def explain(self, *flags):
        explained = self.sandbox.run("profile", "explain", str(self.path), *flags)
        lines = [json.loads(line) for line in explained.stdout] if "--json" in flags else []
        return explained, lines

    def test_a_recording_explains_what_fired_live(self):
        run, recording = self.recorded_run()
        explained, lines = self.explain("--recording", "last", "--json")
        self.assertEqual(DONE, explained.process.returncode, explained.said())
        *rules, totals = lines
        self.assertEqual((0, 0), (totals["differences"], totals["not_known"]))
        fired = [(fact["cycle"], fact["rule"]) for fact in run.facts("planner.rule") if fact["kind"] == "KIND_FIRES"]
        self.assertGreater(len(fired), 5)
        self.assertEqual(len(fired), totals["fired_live"])
        self.assertEqual([(int(cycle), rule) for cycle, rule in fired],
                         [(line["cycle"], line["rule"]) for line in rules if line["live"] == "fired"])
        for line in rules:
            self.assertEqual(line["outcome"] == "holds", line["live"].startswith(("fired", "was to fire")), line)
        self.assertEqual({"begins", "button", "corner", "alone", "done"}, {line["rule"] for line in rules})
        # Every cycle is there, with all rules.
        self.assertEqual(5 * totals["evaluations"], len(rules))

        text, _ = self.explain("--recording", str(recording), "--changes-only", "--rule", "button")
        self.assertEqual(DONE, text.process.returncode, text.said())
        self.assertIn("expected cancel with 0.8", text.text())
        self.assertIn("live: fired", text.text())
        self.assertNotIn("rule \"corner\"", text.text())

    def test_a_changed_profile_shows_its_differences_on_recorded_pictures(self):
        self.recorded_run()

        def change(profile):
            done, begins = profile["rules"][4], profile["rules"][0]
            done["condition"]["sub_conditions"][0]["text_to_find"] = "finished"
            # Not measured live: answered by the recorded pictures.
            begins["condition"] = {"type": "average_color_is", "expected_bgr": [0, 0, 0], "tolerance": 255}
            profile["regions"].append({"name": "part", "window": "^Download$", "x": 10, "y": 5, "width": 30, "height": 20})
            profile["rules"].append({"name": "new", "region": "part", "once": True, "action": {
                "type": "log_message", "message": "x"}, "condition": {
                "type": "pixel_color", "relative_x": 3, "relative_y": 3, "expected_bgr": [0, 0, 0], "tolerance": 255}})
        self.write(change)
        explained, lines = self.explain("--recording", "last", "--json")
        self.assertEqual(FAILED, explained.process.returncode, explained.said())
        self.assertIn("not that of the recording", explained.errors())
        *rules, totals = lines
        self.assertEqual(0, totals["not_known"], explained.said())
        differences = {line["rule"]: line["difference"] for line in rules if "difference" in line}
        self.assertEqual({"done": "fired live, and does not here", "new": "fires here, and did not live"}, differences)
        self.assertTrue(any("measured" in line["condition"] for line in rules if line["rule"] == "begins"))

    def test_a_recording_without_pictures_says_what_it_lacks(self):
        self.recorded_run("--no-pictures")
        self.assertEqual(DONE, self.explain("--recording", "last")[0].process.returncode)

        def change(profile):
            profile["rules"][0]["condition"] = {"type": "average_color_is", "expected_bgr": [0, 0, 0], "tolerance": 255}
        self.write(change)
        explained, lines = self.explain("--recording", "last", "--json", "--rule", "begins")
        self.assertEqual(FAILED, explained.process.returncode, explained.said())
        self.assertGreater(lines[-1]["not_known"], 0)
        self.assertIn("neither this measurement nor a picture", explained.text())

    def test_damaged_and_foreign_recordings_are_clear_errors(self):
        _, recording = self.recorded_run()
        whole = recording.read_bytes()
        cut = self.sandbox.path("cut.mcap")
        cut.write_bytes(whole[:len(whole) * 2 // 3])
        explained, _ = self.explain("--recording", str(cut))
        self.assertEqual(FAILED, explained.process.returncode, explained.said())
        self.assertIn("only a part can be explained", explained.errors())
        self.assertIn("differences: 0", explained.text())
        nothing = self.sandbox.path("nothing.mcap")
        nothing.write_bytes(b"nothing")
        for name, problem in ((str(nothing), "nothing.mcap"), ("/nowhere.mcap", "nowhere.mcap")):
            explained, _ = self.explain("--recording", name)
            self.assertIn(explained.process.returncode, (BAD_USAGE, FAILED), explained.said())
            self.assertIn(problem, explained.errors())
        self.assertEqual(BAD_USAGE, self.explain("--recording", "last", "--rule", "none")[0].process.returncode)
        self.assertEqual(BAD_USAGE, self.explain("--recording", "last", "--image", "x.png")[0].process.returncode)

    def test_the_present_screen_is_explained(self):
        dialog = self.dialog()
        self.tell(dialog, "100", "# Download complete")
        self.cut_cancel()
        self.write()

        def outcomes():
            explained, lines = self.explain("--desktop", "x11", "--json")
            self.assertEqual(DONE, explained.process.returncode, explained.said())
            return {line["rule"]: line["outcome"] for line in lines}
        wait_until(lambda: outcomes()["done"] == "holds", "the dialog is complete")
        self.cut_cancel()  # The button is disabled now.
        seen = outcomes()
        self.assertEqual({"begins": "does not hold", "button": "holds", "corner": "holds", "alone": "holds",
                          "done": "holds"}, seen)
        self.assertIsNone(dialog.poll())  # Nothing acts.
        explained, _ = self.explain("--desktop", "x11")
        self.assertIn("measured", explained.text())
        self.assertIn('would click push button "OK"', explained.text())
        dialog.kill()
        wait_until(lambda: not x11.titles(), "the window closes")
        explained, lines = self.explain("--desktop", "x11", "--json")
        self.assertEqual("not on the screen", {line["rule"]: line["outcome"] for line in lines}["done"])
        self.sandbox.check_nothing_left()

    def test_the_screen_of_a_running_deployment_is_explained(self):
        self.dialog()
        self.write(lambda profile: (profile["templates"].clear(), profile["rules"].pop(1)))
        run = self.sandbox.start("run", str(self.path), "--desktop", "x11", "--rules", str(RULES), "--for", "10m",
                                 "--json")
        run.wait_for(lambda: run.facts("planner.rule"))
        explained, lines = self.explain("--json")
        self.assertEqual(DONE, explained.process.returncode, explained.said())
        self.assertEqual("holds", {line["rule"]: line["outcome"] for line in lines}["begins"])
        run.process.send_signal(2)
        run.wait()
        explained, _ = self.explain("--config", "/nowhere.toml")
        self.assertEqual(FAILED, explained.process.returncode, explained.said())
        self.assertIn("/nowhere.toml", explained.errors())


if __name__ == "__main__":
    x11.main()
