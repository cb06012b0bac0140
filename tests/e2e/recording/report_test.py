"""Reports, `tasks` and `show` tell what a recorded task did, and foreign text is only text in them."""

import json
import re
import stat
import subprocess
import time
import unittest

from console import BAD_USAGE, DENIED, DONE, FAILED
from models import ModelTest, say, step
from reports import Page, png_pixels

# A goal is a plain text, so that it can hold everything.
MARKUP = "</title></h1></bdi><script>alert(1)</script><img src=x onerror=alert(2)>"
RIGHT_TO_LEFT, RIGHT_TO_LEFT_SHOWN = "\u202eevil", r"\u{202e}evil"
GOAL = f'open notes; type "{MARKUP}"; type "&lt;b&gt; \' &amp;"; press ctrl+s # {RIGHT_TO_LEFT} ' + "x" * 5000
NO_ANSWERS = {"approved": 0, "denied": 0, "expired": 0, "withdrawn": 0, "edited": 0}
REASON = "no <b onclick='x'>way</b>"


class ReportTest(ModelTest):
    def tell(self, *arguments, exit_code=DONE):
        run = self.sandbox.run(*arguments)
        self.assertEqual(exit_code, run.process.returncode, run.said())
        return run

    def report(self, *arguments, name="report.html"):
        """Makes a report of the last task and returns it as a Page."""
        file = self.sandbox.path(name)
        self.tell("report", "last", "-o", str(file), *arguments)
        self.assertEqual(0o600, stat.S_IMODE(file.stat().st_mode))
        return Page(file.read_text())

    def recordings(self):
        return sorted(self.sandbox.state.glob("desktopassist/recorder/recordings/*.mcap"))

    def answered_run(self):
        """A task with an approval, a pause and a denial."""
        run = self.sandbox.goal(GOAL)
        first = run.pending_id()
        self.tell("approve", first)
        run.wait_for(lambda: len(run.facts("policy.request")) == 2)
        self.tell("approve", run.facts("policy.request")[1]["approval_id"])
        run.wait_for(lambda: len(run.facts("policy.request")) == 3)
        self.tell("deny", run.facts("policy.request")[2]["approval_id"], "--reason", REASON)
        self.assert_ends(run, DENIED)
        return run

    def task_of(self, run):
        return run.facts("planner.end")[-1]["result"]["task_id"]


class Reports(ReportTest):
    def test_hostile_texts_are_text_in_the_report(self):
        self.answered_run()
        page = self.report()  # Page refuses scripts, handlers and unknown tags.
        text = page.text()
        for shown in (MARKUP, "&lt;b&gt; ' &amp;", RIGHT_TO_LEFT_SHOWN, REASON, "denied by"):
            self.assertIn(shown, text)
        self.assertEqual([], re.findall("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]",
                                        self.sandbox.path("report.html").read_text()))
        self.assertNotIn("x" * 4500, text)  # Long texts are cut.

    def test_the_report_has_each_step_with_its_verdict_approval_and_outcome(self):
        run = self.answered_run()
        text = self.report().text()
        self.assertIn(self.task_of(run), text)
        self.assertIn("3 asked: 2 approved, 1 denied", text)
        self.assertIn('launch command="notes"', text)
        for asked in run.facts("policy.request"):
            self.assertIn(asked["approval_id"], text)
        self.assertIn("rule write-lock", text)
        self.assertIn(run.facts("actuator.outcome")[0]["message"], text)
        self.assertIn("complete", text)
        self.assertIn("Rules", text)

    def test_each_image_is_there_once_and_decodes(self):
        self.answered_run()
        page = self.report()
        self.assertTrue(page.images)
        for kind, image in page.images:
            self.assertEqual("image/png", kind)
            width, height, _ = png_pixels(image)
            self.assertGreater(width * height, 1000)
        self.assertEqual(len(page.images), len({image for _, image in page.images}))
        drawn = [link for link in page.links if re.fullmatch(r"i\d+", link)]
        self.assertEqual({f"i{number + 1}" for number in range(len(page.images))}, set(drawn))
        self.assertGreater(len(drawn), len(page.images))

    def test_the_target_is_marked_where_the_evidence_says(self):
        run = self.answered_run()
        bounds = run.facts("policy.request")[1]["evidence"]["focused_element"]["bounds"]
        page = self.report()
        self.assertIn([bounds[name] for name in ("x", "y", "width", "height")], page.rectangles)

    def test_images_are_those_of_steps_all_or_none(self):
        run = self.answered_run()
        steps, all_of_them = self.report(), self.report("--images", "all", name="all.html")
        none = self.report("--images", "none", name="none.html")
        self.assertEqual([], none.images)
        self.assertLess(len(none.links), len(steps.links))
        seen = {fact["image_hash"] for fact in run.facts("observer.image")}
        pictures = len(run.facts("policy.request"))
        self.assertTrue(0 < len(steps.images) <= len(all_of_them.images))
        self.assertLessEqual(len(seen), len(all_of_them.images))
        self.assertLessEqual(len(all_of_them.images), len(seen) + pictures)
        self.tell("report", "last", "-o", str(self.sandbox.path("x.html")), "--images", "some", exit_code=BAD_USAGE)

    def test_an_existing_file_is_replaced_only_with_force(self):
        self.assert_ends(self.sandbox.goal("wait 0 seconds"), DONE)
        file = self.sandbox.path("mine.html")
        file.write_text("mine")
        refused = self.tell("report", "last", "-o", str(file), exit_code=FAILED)
        self.assertIn("--force", refused.errors())
        self.assertEqual("mine", file.read_text())
        self.report("--force", name="mine.html")
        self.assertEqual(["mine.html"], [found.name for found in self.sandbox.root.glob("mine*")])

    def test_a_cut_recording_gives_a_report_that_says_so(self):
        self.answered_run()
        whole = self.recordings()[-1].read_bytes()
        cut = self.sandbox.path("cut.mcap")
        for part in (0.5, 0.8, 0.99):
            cut.write_bytes(whole[:int(len(whole) * part)])
            made = self.tell("report", str(cut), "-o", str(self.sandbox.path("cut.html")), "--force")
            self.assertIn("not complete", made.errors())
            text = Page(self.sandbox.path("cut.html").read_text()).text()
            self.assertIn("may lack something", text)
            self.assertIn("not complete", text)
        self.assertIn('launch command="notes"', text)

    def test_a_file_that_is_no_recording_is_an_error_and_makes_no_report(self):
        for content in (b"", b"\x89MCAP0\r\n", b"<html>"):
            file = self.sandbox.path("other.mcap")
            file.write_bytes(content)
            made = self.sandbox.run("report", str(file), "-o", str(self.sandbox.path("none.html")))
            self.assertIn(made.process.returncode, (FAILED, BAD_USAGE), made.said())
            self.assertIn("MCAP", made.errors())
            self.assertFalse(self.sandbox.path("none.html").exists())

    def test_a_goal_names_the_command_that_makes_its_report(self):
        run = self.sandbox.start("--desktop", "fake", "--goal", "wait 0 seconds")
        self.assert_ends(run, DONE)
        (line,) = [line for line in run.stdout if line.startswith("report: ")]
        words = line.split()[2:]
        self.assertEqual(["report", str(self.recordings()[-1]), "-o", "report.html"], words)
        words[-1] = str(self.sandbox.path("named.html"))
        self.tell(*words)
        Page(self.sandbox.path("named.html").read_text())


class Models(ReportTest):
    REPLY = "</pre></details><script>alert(3)</script>"

    def test_calls_of_a_model_are_shown_with_reply_tokens_and_cost(self):
        entries = [say(step("launch", why=self.REPLY, command="notes")), say(done="It is open " + self.REPLY)]
        with self.model("anthropic", entries) as model:
            run = model.goal("open the notes", "--unlock-writes")
            self.assert_ends(run, DONE)
        page = self.report()
        text = page.text()
        for call in self.calls(run):
            self.assertIn(call["reply"].splitlines()[0][:200], text)
        used = [call["usage"] for call in self.calls(run)]
        total = " + ".join(str(sum(int(one.get(name, 0)) for one in used)) for name in ("input_tokens", "output_tokens"))
        self.assertIn(f"{len(used)} calls, {total} tokens", text)
        self.assertIn(self.REPLY, text)
        shown = json.loads(self.tell("show", "last", "--json").text())
        self.assertEqual([call["reply"] for call in self.calls(run)], [call["reply"] for call in shown["model_calls"]])
        self.assert_key_nowhere()

    def test_the_screenshot_of_a_step_is_the_one_that_the_model_got(self):
        entries = [say(step("launch", command="notes")), say(step("mouse", x=100, y=100)), say(done="Done.")]
        with self.model("anthropic", entries) as model:
            run = model.goal("click in the notes", "--unlock-writes")
            self.assert_ends(run, DONE)
        page = self.report()
        sent = {fact["image_hash"] for fact in run.facts("observer.observation") if fact.get("image_hash")}
        self.assertGreaterEqual(len(sent), 2)
        self.assertNotIn("the last screenshot before the step", page.text())
        self.assertEqual(2, page.text().count("the screen on which the step was decided"))


class Tasks(ReportTest):
    def test_tasks_lists_what_was_done_the_newest_last(self):
        self.assertIn("no recorded tasks", self.tell("tasks").text())
        self.assert_ends(self.sandbox.goal("wait 0 seconds"), DONE)
        time.sleep(1.1)  # Recordings are named and sorted by the second.
        run = self.answered_run()
        first, second = map(json.loads, self.tell("tasks", "--json").stdout)
        self.assertEqual(("wait 0 seconds", "done"), (first["goal"], first["result"]))
        self.assertEqual(dict(NO_ANSWERS, asked=0), first["approvals"])
        self.assertEqual((self.task_of(run), GOAL, "denied", 2),
                         (second["task"], second["goal"], second["result"], second["steps"]))
        self.assertEqual(dict(NO_ANSWERS, asked=3, approved=2, denied=1), second["approvals"])
        shown = self.tell("tasks").text()
        self.assertIn("3/2/1", shown)
        self.assertIn(self.task_of(run)[:8], shown)
        self.assertNotIn("\u202e", shown)
        self.assertEqual(shown, self.tell("tasks", "--directory", str(self.recordings()[0].parent)).text())
        self.tell("tasks", "--directory", str(self.sandbox.path("missing")), exit_code=FAILED)

    def test_show_has_what_the_facts_say(self):
        run = self.answered_run()
        shown = json.loads(self.tell("show", self.task_of(run)[:6], "--json").text())
        plans = [each for plan in run.facts("planner.plan") for each in plan.get("steps", [])]
        self.assertEqual([each["step_id"] for each in plans], [each["id"] for each in shown["steps"]])
        self.assertEqual([each["justification"] for each in plans], [each["justification"] for each in shown["steps"]])
        self.assertEqual(["carried out", "carried out", "denied"], [each["status"] for each in shown["steps"]])
        self.assertEqual(["approved", "approved", "denied"],
                         [answer["answer"] for each in shown["steps"] for answer in each["approvals"]])
        self.assertEqual(REASON, shown["steps"][2]["approvals"][0]["reason"])
        self.assertTrue(shown["complete"])
        text = self.tell("show", "last").text()
        self.assertNotIn("\u202e", text)
        self.assertIn("denied by", text)
        self.tell("show", "00000000", exit_code=FAILED)

    def test_a_pause_is_in_the_history(self):
        run = self.sandbox.goal("wait 300 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        self.tell("pause", "--reason", "look <here>")
        self.tell("resume")
        self.interrupt(run)
        self.assertIn("look <here>", self.report().text())
        self.assertIn("look <here>", self.tell("show", "last").text())


class Browser(ReportTest):
    """Needs chromium (deploy/packages/apps)."""

    def chromium(self, *arguments):
        home = self.sandbox.path("chromium")
        ran = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home}",
                              *arguments], capture_output=True, text=True, timeout=60, env=self.sandbox.environment)
        self.assertEqual(0, ran.returncode, ran.stderr)
        return ran.stdout

    def test_chromium_shows_the_page_and_runs_nothing(self):
        self.answered_run()
        file, picture = self.sandbox.path("report.html"), self.sandbox.path("page.png")
        self.report()
        seen = Page(self.chromium("--dump-dom", file.as_uri()))  # As the browser has understood it.
        self.assertIn(MARKUP, seen.text())
        self.chromium("--window-size=1300,3000", f"--screenshot={picture}", file.as_uri())
        width, height, rows = png_pixels(picture.read_bytes())
        colours = {pixel for row in rows[::2] for pixel in row}
        self.assertEqual((1300, 3000), (width, height))
        self.assertIn((0xb5, 0x47, 0x08), colours)  # The outline of the focused element: --failed of the style sheet.
        self.assertGreater(len(colours), 100)


if __name__ == "__main__":
    unittest.main()
