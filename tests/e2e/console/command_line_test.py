"""The command line: flags, goals from files, a task that waits, a run seen from other consoles. On the fake desktop."""

import json
import subprocess
import unittest

from console import BAD_USAGE, BIN, DONE, HALTED, SERVICE_LOST, SERVICES, ConsoleTest
from services import Services


class Flags(ConsoleTest):
    def refused(self, *arguments, rules=None):
        run = self.sandbox.run(*arguments, rules=rules)
        self.assertEqual(BAD_USAGE, run.process.returncode, run.said())
        self.assertEqual([], run.stdout)
        return run.errors()

    # Regression: --config after the subcommand was refused as unexpected.
    def test_config_is_accepted_after_the_subcommand(self):
        run = self.sandbox.goal("wait 300 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        directory, = self.sandbox.run_directories()
        status = self.sandbox.run("status", "--config", f"{directory}/console.toml", "--json")
        self.assertEqual(DONE, status.process.returncode, status.said())
        self.assertEqual(len(SERVICES), len([json.loads(line) for line in status.stdout]))
        self.interrupt(run)

    def test_an_unknown_word_is_refused_with_the_nearest_known_word(self):
        for arguments, meant in ((["statsu"], "status"), (["--gaol", "x"], "--goal"), (["keys", "rotat", "x"], "rotate"),
                                 (["--goal", "x", "--allow-tools", "pres"], "press"),
                                 (["edit", "ab12", "--tool", "pres", "--args", "{}"], "press"),
                                 (["--desktop", "fake", "--goal", "x", "--planner", "opnai"], "openai"),
                                 (["audit", "show", "--kind", "verdicts"], "verdict")):
            with self.subTest(arguments=arguments):
                self.assertIn(f'did you mean "{meant}"?', self.refused(*arguments))

    def test_audit_show_of_an_unknown_task_names_the_newest_task(self):
        run = self.sandbox.goal("wait 0.1 seconds")
        self.assert_ends(run, DONE)
        task = run.facts("planner.end")[0]["result"]["task_id"]
        self.assertIn(task, self.refused("audit", "show", "--task", "nonesuch"))
        self.assertEqual(DONE, self.sandbox.run("audit", "show", "--task", task[:8]).process.returncode)

    def test_model_without_a_planner_that_uses_models_is_refused(self):
        for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
            self.sandbox.environment.pop(key, None)
        said = self.refused("--desktop", "fake", "--goal", "wait 1 seconds", "--model", "gpt-5")
        self.assertIn("--planner", said)

    def test_contradictory_and_repeated_flags_are_refused(self):
        for flags in (["--quiet", "--verbose"], ["--max-steps", "1", "--max-steps", "2"], ["--goal-file", "x"],
                      ["--config", "x", "--secrets", "y"], ["--planner", "plain", "--max-turns", "3"]):
            with self.subTest(flags=flags):
                self.assertIn(flags[0] if flags[0] != "--config" else "--secrets",
                              self.refused("--goal", "wait 1 seconds", *flags))

    def test_help_groups_its_flags(self):
        text = self.sandbox.run("--help").text()
        places = [text.index(f"\n{heading}:") for heading in ("Goal", "Planner", "Limits", "Safety", "Output")]
        self.assertLess(text.index("--max-turns"), text.index("--unlock-writes"))
        self.assertEqual(5, len(set(places)))

    # Regression: --help showed the flags of the service, but none of the subcommands.
    def test_help_of_da_policy_lists_its_subcommands(self):
        said = subprocess.run([BIN / "da-policy", "--help"], capture_output=True, text=True, timeout=30)
        self.assertEqual(0, said.returncode)
        for word in ("--config", "rules check", "enroll", "audit show"):
            self.assertIn(word, said.stdout)


class GoalFiles(ConsoleTest):
    GOAL = '# writes a file\nopen notes {{file}}\n\n  # with a name\ntype "{{name}}: {{text}}\\n"; press ctrl+s\n'

    def setUp(self):
        super().setUp()
        self.file, self.goal = self.sandbox.path("a.txt"), self.sandbox.path("goal")
        self.goal.write_text(self.GOAL)
        self.flags = ("--json", "--desktop", "fake", "--unlock-writes")
        self.set = ("--set", f"file={self.file}", "--set", "name=Ada", "--set", 'text="; delete file "/x')

    def assert_written(self, run):
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertEqual('Ada: "; delete file "/x\n', self.file.read_text())
        self.sandbox.check_nothing_left()

    def test_a_goal_file_may_have_comments_and_variables(self):
        self.assert_written(self.sandbox.start(*self.flags, *self.set, "--goal-file", str(self.goal)))

    def test_a_goal_can_be_read_from_stdin(self):
        with open(self.goal, "rb") as stdin:
            self.assert_written(self.sandbox.start(*self.flags, *self.set, "--goal-file", "-", stdin=stdin))

    def test_an_unset_variable_exits_with_2_and_its_position(self):
        run = self.sandbox.start(*self.flags, *self.set[:2], "--goal-file", str(self.goal))
        self.assert_ends(run, BAD_USAGE)
        self.assertIn("line 5, column 7: {{name}} is not set", run.errors())

    def test_a_missing_or_empty_goal_file_exits_with_2(self):
        self.goal.write_text("# nothing\n")
        for file, words in ((self.sandbox.path("none"), "none"), (self.goal, "the goal is empty")):
            run = self.sandbox.start(*self.flags, "--goal-file", str(file))
            self.assert_ends(run, BAD_USAGE)
            self.assertIn(words, run.errors())

    def test_an_error_in_a_goal_file_has_the_line_of_the_file(self):
        self.goal.write_text("# one\n# two\nfrobnicate\n")
        run = self.sandbox.start(*self.flags, "--goal-file", str(self.goal))
        self.assert_ends(run, BAD_USAGE)
        self.assertIn("line 3, column 1", run.errors())


class Output(ConsoleTest):
    def test_quiet_prints_only_the_result(self):
        run = self.sandbox.start("--desktop", "fake", "--quiet", "--goal", "wait 0.1 seconds")
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertEqual("done: 1 sentence was carried out, all proven", run.stdout[0])
        self.assertNotIn("state", run.text())

    def test_pending_json_has_the_path_of_the_picture_and_not_its_bytes(self):
        run = self.sandbox.goal("open notes; click at 5,5")
        self.sandbox.run("approve", run.pending_id())
        run.wait_for(lambda: len(run.facts("policy.request")) == 2)
        asked, = [json.loads(line) for line in self.sandbox.run("pending", "--json").stdout]
        self.assertNotIn("picture_png", asked["evidence"])
        with open(asked["picture"], "rb") as picture:
            self.assertEqual(b"\x89PNG", picture.read(4))
        self.sandbox.run("deny", asked["approval_id"])
        run.wait()


class BesideARun(ConsoleTest):
    def test_status_and_a_late_watch_show_goal_step_and_question(self):
        run = self.sandbox.goal("open notes; wait 3 seconds")
        approval = run.pending_id()
        status = self.sandbox.run("status").text()
        for words in ('goal: "open notes; wait 3 seconds"', "step: asking the policy for launch", f"approval {approval}: launch"):
            self.assertIn(words, status)
        watch = self.sandbox.start("watch")
        watch.wait_for(lambda: "so far:" in watch.text())
        self.sandbox.run("approve", approval)
        self.assert_ends(run, DONE)
        self.assertEqual(DONE, watch.wait(10), watch.said())
        self.assertEqual("so far:", watch.stdout[0])
        self.assertIn('  goal: "open notes; wait 3 seconds"', watch.stdout[:8])

    def test_a_second_goal_names_the_task_that_it_waits_for(self):
        services = Services(self.sandbox)
        self.addCleanup(services.stop)
        config = ("--config", str(services.config))
        first = self.sandbox.start(*config, "--json", "--goal", "open notes")
        approval = first.pending_id()
        task = first.facts("planner.state")[0]["header"]["task_id"]
        second = self.sandbox.start(*config, "--goal", "wait 0.1 seconds")
        waits = f'waits for its turn on this desktop: task {task} ("open notes") runs'
        second.wait_for(lambda: waits in second.text())
        self.sandbox.run(*config, "approve", approval)
        self.assertEqual(DONE, first.wait(), first.said())
        self.assertEqual(DONE, second.wait(), second.said())

    # Regression: the exit code was 6 (outcome unknown), although no service had received the step.
    def test_a_policy_that_the_planner_cannot_reach_exits_with_5(self):
        services = Services(self.sandbox)
        self.addCleanup(services.stop)
        services.processes["planner"].terminate()
        services.processes["planner"].wait(10)
        file = services.directory / "planner.toml"
        text = file.read_text()
        line, = [line for line in text.splitlines() if line.startswith("policy = ")]
        file.write_text(text.replace(line, f'policy = "unix:{self.sandbox.path("nobody.sock")}"'))
        services.start("planner")
        run = self.sandbox.start("--config", str(services.config), "--unlock-writes", "--goal", "open notes")
        self.assertEqual(SERVICE_LOST, run.wait(), run.said())
        self.assertIn("the step was not submitted", run.said())

    # Regression: the error said only that da-actuator was gone, or did not mention a halt without a reason.
    def test_the_message_of_a_halt_without_a_reason_has_no_empty_parts(self):
        run = self.sandbox.goal("wait 300 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        self.sandbox.run("halt")
        self.assertEqual(HALTED, run.wait(), run.said())
        self.assertNotRegex(run.errors(), r": *$|: ,|by *$")


if __name__ == "__main__":
    unittest.main()
