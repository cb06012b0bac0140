"""Recorded tasks are decided again by a live planner and policy, shown again, and published again."""

import json
import pathlib
import signal
import time
import unittest

from console import BAD_USAGE, DENIED, DONE, FAILED, RULES, ConsoleTest, wait_until
from enrolment import EnrollTest, code
from models import ModelTest, say, step
from terminal import Terminal

AGAIN = ("--as", "observer,actuator")
NO_SAVING = """
[[rule]]
name = "no-saving"
verdict = "deny"
reason = "nothing may be saved"
match.chord = 'ctrl\\+s'
"""


class Replays:
    """For a ConsoleTest."""

    def replay(self, *flags, code=DONE, file="last"):
        run = self.sandbox.run("replay", str(file), *map(str, flags))
        self.assertEqual(code, run.process.returncode, run.said())
        return run

    def recordings(self):
        return sorted((self.sandbox.state / "desktopassist/recorder/recordings").glob("*.mcap"))

    def recording(self):
        return self.recordings()[-1]

    def rules_with(self, text):
        file = self.sandbox.path("rules.toml")
        file.write_text(RULES.read_text() + text)
        return file

    def editor_task(self, *flags):
        file = self.sandbox.path("a.txt")
        run = self.sandbox.goal(f'open notes {file}; type "hello"; press ctrl+s; check "hello" is visible', *flags)
        return run, file

    def assert_equal_again(self, times=2):
        """The replay differs in nothing, and prints the same bytes each time."""
        first = self.replay(*AGAIN, "--json").text()
        self.assertNotIn('"difference"', first)
        for _ in range(times - 1):
            self.assertEqual(first, self.replay(*AGAIN, "--json").text())
        return [json.loads(line) for line in first.splitlines()]


class Again(Replays, ConsoleTest):
    def test_the_same_rules_decide_the_same_and_touch_nothing(self):
        run, file = self.editor_task("--unlock-writes")
        self.assert_ends(run, DONE)
        file.unlink()
        steps = self.assert_equal_again(times=3)
        self.assertEqual(["launch", "write", "hotkey", "check_element_property"],
                         [step["action"]["tool"] for step in steps[:-1]])
        self.assertIn("TASK_END_DONE", steps[-1]["end"])
        self.assertFalse(file.exists(), "the replay acted")
        self.assertIn("no difference", self.replay(*AGAIN).text())
        self.sandbox.check_nothing_left()

    def test_a_changed_rule_gives_exactly_its_difference(self):
        run, _ = self.editor_task("--unlock-writes")
        self.assert_ends(run, DONE)
        found = self.replay(*AGAIN, "--rules", self.rules_with(NO_SAVING), "--json", code=FAILED)
        lines = [json.loads(line) for line in found.stdout]
        differences = {(line["step"], line["difference"]): line for line in lines if "difference" in line}
        self.assertEqual({(3, "verdict"), (3, "outcome"), (4, "proposal"), (0, "end")}, set(differences))
        verdict = differences[3, "verdict"]
        self.assertIn("allow by rule ordinary-work", verdict["recorded"])
        self.assertIn("deny by rule no-saving", verdict["replayed"])
        self.assertIn("TASK_END_DENIED", differences[0, "end"]["replayed"])
        self.assertEqual("none", differences[4, "proposal"]["replayed"])

    def test_approvals_denials_and_edits_are_repeated(self):
        # The edited step is asked again.
        for answers, ends in ((["approve", "approve", "approve"], DONE), (["approve", "deny"], DENIED),
                              (["approve", "edit", "approve", "approve"], DONE), (["approve", "skip", "approve"], DONE)):
            with self.subTest(answers=answers):
                run = self.sandbox.goal(f'open notes {self.sandbox.path("a.txt")}; type "hello"; press ctrl+s')
                for number, answer in enumerate(answers, 1):
                    run.wait_for(lambda: len(run.facts("policy.request")) >= number)
                    approval = run.pending_id()
                    commands = {"approve": ["approve", approval], "deny": ["deny", approval, "--reason", "no"],
                                "skip": ["deny", approval, "--skip"],
                                "edit": ["edit", approval, "--args", '{"text": "bye"}']}
                    self.assertEqual(DONE, self.sandbox.run(*commands[answer]).wait())
                self.assert_ends(run, ends)
                self.assert_equal_again()

    def test_a_recording_that_is_cut_is_decided_as_far_as_it_goes(self):
        run, _ = self.editor_task("--unlock-writes")
        self.assert_ends(run, DONE)
        whole = self.recording().read_bytes()
        cut = self.sandbox.path("cut.mcap")
        cut.write_bytes(whole[:len(whole) // 3])
        found = self.replay(*AGAIN, file=cut, code=FAILED)
        self.assertIn("not complete", found.errors())
        self.sandbox.check_nothing_left()

    def test_interrupted_it_leaves_nothing(self):
        run = self.sandbox.goal("wait 8 seconds")
        self.assert_ends(run, DONE)
        again = self.sandbox.start("replay", "last", *AGAIN)
        wait_until(lambda: len(again.services()) == 2, "planner and policy run")
        again.process.send_signal(signal.SIGINT)
        self.assertNotEqual(DONE, again.wait(10), again.said())
        self.sandbox.check_nothing_left()

    def test_a_file_that_is_no_recording_is_refused(self):
        for content in (b"", b"no recording", b"\x89MCAP0\r\n"):
            file = self.sandbox.path("x.mcap")
            file.write_bytes(content)
            run = self.sandbox.run("replay", str(file), *AGAIN)
            self.assertIn(run.process.returncode, (FAILED, BAD_USAGE), run.said())
            self.assertIn("x.mcap", run.errors())
        self.replay(*AGAIN, file=self.sandbox.path("none.mcap"), code=FAILED)

    def test_flags_that_do_not_fit_together_are_bad_usage(self):
        run, _ = self.editor_task("--unlock-writes")
        self.assert_ends(run, DONE)
        for flags in (["--as", "planner"], ["--rules", RULES], [*AGAIN, "--publish"], [*AGAIN, "--policy", RULES],
                      ["--speed", "0"], ["--speed", "fast"], [*AGAIN, "--step", "1"]):
            with self.subTest(flags=flags):
                self.replay(*flags, code=BAD_USAGE)


class AgainWithACode(Replays, EnrollTest):
    def test_second_factors_of_the_replay_are_its_own(self):
        status, shown, secret = self.enroll()
        self.assertEqual(DONE, status, shown)
        file = pathlib.Path(self.sandbox.home) / "old.txt"
        file.write_text("x")
        run = self.sandbox.goal(f'delete file "{file}"', "--unlock-writes")
        approval = run.pending_id()
        # Enrolling used up the code of now.
        self.assertEqual(DONE, self.sandbox.run("approve", approval, "--code", code(secret, 1)).wait())
        self.assert_ends(run, DONE)
        file.write_text("again")
        used = (self.sandbox.state / "desktopassist/policy/second-factor/state").read_bytes()
        self.assert_equal_again()
        self.assertEqual("again", file.read_text(), "the replay deleted the file")
        self.assertEqual(used, (self.sandbox.state / "desktopassist/policy/second-factor/state").read_bytes())


class AgainWithAModel(Replays, ModelTest):
    def test_recorded_replies_of_a_model_decide_the_same_without_a_server(self):
        for provider in ("openai", "anthropic", "gemini"):
            with self.subTest(provider=provider):
                file = self.sandbox.path(f"{provider}.txt")
                entries = [say(step("launch", command=f"notes {file}")), say(step("write", text="hello")),
                           {"text": "not a plan"}, say(step("hotkey", keys=["ctrl", "s"])), say(done="Written.")]
                with self.model(provider, entries) as model:
                    run = model.goal("write a greeting", "--unlock-writes")
                    self.assert_ends(run, DONE)
                self.assert_as_scripted(model)
                self.forget_keys()
                steps = self.assert_equal_again()
                self.assertEqual(["launch", "write", "hotkey"], [step["action"]["tool"] for step in steps[:-1]])
                self.assertIn("Written.", steps[-1]["end"])


class Shown(Replays, ConsoleTest):
    def setUp(self):
        super().setUp()
        self.run_, _ = self.editor_task("--unlock-writes")
        self.assert_ends(self.run_, DONE)

    def test_the_terminal_shows_what_watch_showed(self):
        shown = [json.loads(line) for line in self.replay("--speed", "max", "--json").stdout]
        def told(lines):
            return sorted(json.dumps(line["fact"], sort_keys=True) for line in lines
                          if line["topic"] not in ("observer.image",))
        live = [json.loads(line) for line in self.run_.stdout]
        self.assertLessEqual(set(told(live)), set(told(shown)))

    def test_it_takes_as_long_as_it_took_and_less_with_a_speed(self):
        before = set(self.recordings())
        self.assert_ends(self.sandbox.goal("wait 4 seconds"), DONE)
        (file,) = set(self.recordings()) - before

        def seconds(*flags):
            began = time.monotonic()
            self.replay(*flags, file=file)
            return time.monotonic() - began
        # A line begins with the time since the beginning of the recording.
        length = float(self.replay("--speed", "max", file=file).stdout[-1].split()[0])
        self.assertGreater(length, 3.9)
        # A busy machine makes replays longer, so each has a lower bound only, or a limit far above its length.
        self.assertGreater(seconds(), length * 0.95)
        self.assertGreater(seconds("--speed", "0.5"), length * 1.9)
        self.assertLess(seconds("--speed", "max"), length * 0.9)

    def test_only_the_wanted_topics_and_steps_are_shown(self):
        lines = [json.loads(line) for line in
                 self.replay("--speed", "max", "--topic", "planner.plan", "--topic", "actuator.outcome",
                             "--step", "3", "--json").stdout]
        self.assertEqual({"planner.plan", "actuator.outcome"}, {line["topic"] for line in lines})
        self.assertEqual(["hotkey", "check_element_property"],
                         [next(iter(step["action"])) for line in lines for step in line["fact"].get("steps", [])])
        self.replay("--topic", "nothing", code=BAD_USAGE)
        self.replay("--step", "99", code=FAILED)

    def test_keys_pause_step_and_end_it(self):
        # Slow, so that the replay is not over before it is paused.
        terminal = Terminal(self.sandbox, "replay", "last", "--speed", "0.1", "--config", "none")
        self.addCleanup(terminal.close)
        terminal.wait_for("space: pause")
        terminal.type(" ")
        terminal.wait_for("paused")
        terminal.wait_for(", speed 0.1\r\n")
        before = terminal.read()
        time.sleep(1)
        self.assertEqual(before, terminal.read())
        terminal.type("p")
        terminal.type("s")
        terminal.wait_for("playing")
        terminal.type("q")
        self.assertEqual(DONE, terminal.wait())


class Published(Replays, ConsoleTest):
    def test_a_watching_console_sees_the_facts_again_as_of_a_replay(self):
        run, _ = self.editor_task("--unlock-writes")
        self.assert_ends(run, DONE)
        again = self.sandbox.start("replay", "last", "--publish", "--wait", "3s")
        (directory,) = wait_until(self.sandbox.run_directories, "the replay's run")
        config = again.wait_for(lambda: [word for word in again.errors().split() if word.endswith("console.toml")])[0]
        self.assertTrue(config.startswith(str(directory)))
        watch = self.sandbox.start("--config", config, "watch", "--json")
        self.assertEqual(DONE, again.wait(), again.said())
        self.assertEqual(DONE, watch.wait(), watch.said())
        seen = watch.facts()
        self.assertEqual({"ORIGIN_REPLAY"}, {fact["header"]["origin"] for fact in seen})
        self.assertEqual({True}, {fact["header"]["desktop_id"].startswith("replay:") for fact in seen})
        for topic in ("planner.plan", "policy.verdict", "actuator.outcome", "planner.state"):
            def same(fact):
                return {key: value for key, value in fact.items() if key != "header"}
            self.assertEqual([same(fact) for fact in run.facts(topic)], [same(fact) for fact in watch.facts(topic)])
        self.sandbox.check_nothing_left()


if __name__ == "__main__":
    unittest.main(verbosity=2)
