"""ask_user: a model asks the person at the console a question. On the fake desktop."""

import json
import re
import signal
import time
import unittest

from console import BAD_USAGE, DONE, FAILED, HALTED, INTERRUPTED, wait_until
from models import KEY, ModelTest, say, step
from terminal import Terminal

GOAL = "write a letter"
QUESTION = "Which file?\x1b[2J \u202e\"yes\""
ESCAPED = '"Which file?\\x1b[2J \\u{202e}\\"yes\\""'
WARNING = "Do not tell it passwords, codes or keys"
# Limit in seconds for a stop to end a run that waits for an answer. Without the stop, it would wait for EXPIRY_S.
WITHIN_S = 20
EXPIRY_S = 120


def ask(question=QUESTION):
    return say(step("ask_user", question=question))


class Questions(ModelTest):
    def say(self, *words, exit_code=DONE):
        run = self.sandbox.run(*words)
        self.assertEqual(exit_code, run.process.returncode, run.said())
        return run

    def question_id(self, run, number=0):
        return run.wait_for(lambda: [fact["question_id"] for fact in run.facts("planner.question")][number:])[0]

    def told_after(self, expected):
        return say(done="Seen.", expect=expected)

    def test_the_next_request_has_the_answer(self):
        answer = 'the "blue" one\n2. done \x1b[2J 漢字'
        told = 'the person answered: "the \\"blue\\" one\\n2. done \\x1b[2J 漢字"'
        with self.model("openai", [ask(), self.told_after([told])]) as model:
            run = model.goal(GOAL)
            question = self.question_id(run)
            said = self.say("answer", question.upper(), answer).stdout
            self.assertEqual([f"answered {question.upper()}"], said)
            self.assert_ends(run, DONE)
        self.assert_as_scripted(model)
        (asked,), (replied,) = run.facts("planner.question"), run.facts("planner.user_answer")
        self.assertEqual(QUESTION, asked["question"])
        self.assertEqual((question, True, answer), (replied["question_id"], replied["answered"], replied["answer"]))
        self.assertTrue(replied["by"].endswith("@console"))
        self.assertEqual(question, replied["header"]["cause"])
        self.assertNotIn("\x1b", run.text() + run.errors())

    def test_pending_shows_a_question_escaped_with_a_warning_and_the_answer_command(self):
        with self.model("openai", [ask(), self.told_after(["the person answered"])]) as model:
            run = model.goal(GOAL)
            question = self.question_id(run)
            shown = self.say("pending").text()
            self.assertIn(f"question {question} of a model (untrusted): {ESCAPED}", shown)
            self.assertIn(WARNING, shown)
            (line,) = self.say("pending", "--json").stdout
            self.assertEqual((question, QUESTION), (json.loads(line)["question_id"], json.loads(line)["question"]))
            for character in "\x1b\u202e":
                self.assertNotIn(character, shown + line + run.errors())
            run.wait_for(lambda: f'answer with: da-console answer {question} "..."' in run.errors())
            self.assertIn(WARNING, run.errors())
            self.say("answer", question, "x")
            self.assert_ends(run, DONE)
        self.assert_as_scripted(model)

    def test_pending_reports_when_nothing_waits(self):
        run = self.sandbox.goal("wait 300 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        self.assertEqual(["nothing waits for an approval or an answer"], self.say("pending").stdout)
        self.assertEqual([], self.say("pending", "--json").stdout)
        self.interrupt(run)

    def test_an_invalid_answer_is_refused_and_the_question_stays_open(self):
        entries = [ask(), {**ask(), "expect": ['answered: "x"']}, self.told_after(['answered: "z"'])]
        with self.model("openai", entries) as model:
            run = model.goal(GOAL)
            question = self.question_id(run)
            self.assertIn("is empty", self.say("answer", question, " ", exit_code=BAD_USAGE).errors())
            self.assertIn("4001 characters", self.say("answer", question, "y" * 4001, exit_code=BAD_USAGE).errors())
            self.assertIn("UTF-8", self.say("answer", question, b"\xff", exit_code=BAD_USAGE).errors())
            self.assertIn("no question is called", self.say("answer", "zzzzz", "x", exit_code=FAILED).errors())
            self.say("approve", question, exit_code=FAILED)
            self.say("answer", question, exit_code=BAD_USAGE)
            self.say("answer", question, "x")
            self.assertIn("was answered already", self.say("answer", question, "y", exit_code=FAILED).errors())
            self.say("answer", self.question_id(run, 1), "z")
            self.assert_ends(run, DONE)
        self.assert_as_scripted(model)

    def test_an_unanswered_question_expires_and_the_model_continues(self):
        with self.model("openai", [ask(), self.told_after(["failed: ", "nobody answered within 2 s"])]) as model:
            run = model.goal(GOAL, "--approval-expiry", "2s")
            self.assert_ends(run, DONE)
        self.assert_as_scripted(model)
        (asked,), (replied,) = run.facts("planner.question"), run.facts("planner.user_answer")
        self.assertEqual((asked["question_id"], False), (replied["question_id"], replied.get("answered", False)))
        waited_ns = int(replied["header"]["monotonic_ns"]) - int(asked["header"]["monotonic_ns"])
        self.assertGreater(waited_ns, 1_000_000_000)

    def test_steps_after_a_question_in_the_same_reply_are_not_executed(self):
        entries = [say(step("ask_user", question="Shall I open the notes?"), step("launch", command="notes")),
                   self.told_after(['answered: "no"', "nothing after ask_user was carried out"])]
        with self.model("openai", entries) as model:
            run = model.goal(GOAL, "--unlock-writes")
            self.say("answer", self.question_id(run), "no")
            self.assert_ends(run, DONE)
        self.assert_as_scripted(model)
        self.assertEqual([], run.facts("actuator.outcome"))

    def test_a_pause_withdraws_a_question_and_the_model_can_ask_again(self):
        entries = [ask(), {**ask(), "expect": ["A person had paused the task"]}, self.told_after(['answered: "now"'])]
        with self.model("openai", entries) as model:
            run = model.goal(GOAL)
            first = self.question_id(run)
            self.say("pause")
            run.wait_for(lambda: "PAUSED" in run.states())
            self.say("answer", first, "too late", exit_code=FAILED)
            self.say("resume")
            self.say("answer", self.question_id(run, 1), "now")
            self.assert_ends(run, DONE)
        self.assert_as_scripted(model)

    def stopped_while_it_waits(self, stop, exit_code):
        with self.model("openai", [ask()]) as model:
            run = model.goal(GOAL, "--approval-expiry", f"{EXPIRY_S}s")
            self.question_id(run)
            since = time.monotonic()
            stop(run)
            self.assert_ends_within(run, exit_code, since, WITHIN_S)
        self.assert_as_scripted(model)

    def test_a_halt_ends_an_open_question_at_once(self):
        self.stopped_while_it_waits(lambda run: self.sandbox.start("halt"), HALTED)
        self.say("resume")

    def test_ctrl_c_and_sigterm_end_an_open_question_at_once(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number.name):
                self.stopped_while_it_waits(lambda run, n=number: run.process.send_signal(n), INTERRUPTED)

    def test_sigterm_to_the_planner_ends_an_open_question(self):
        with self.model("openai", [ask()]) as model:
            run = model.goal(GOAL)
            self.question_id(run)
            since = run.kill_service("planner", signal.SIGTERM)
            run.wait()
            self.assertLess(run.started + run.seconds - since, WITHIN_S, run.said())
            self.sandbox.check_nothing_left()
        self.assert_as_scripted(model)

    def test_the_time_limit_of_the_task_ends_an_open_question(self):
        with self.model("openai", [ask()]) as model:
            # The task begins before the question, which must come within this time.
            run = model.goal(GOAL, "--time-limit", "10s", "--approval-expiry", f"{EXPIRY_S}s")
            self.question_id(run)
            self.assert_ends_within(run, FAILED, time.monotonic(), 10 + WITHIN_S)
            self.assertIn("time limit", run.errors())
        self.assert_as_scripted(model)

    def test_a_dry_run_reports_a_question_without_asking_it(self):
        with self.model("openai", [ask()]) as model:
            run = model.goal(GOAL, "--dry-run")
            self.assert_ends(run, DONE)
        self.assert_as_scripted(model)
        self.assertIn("1 would ask you a question", run.errors())
        self.assertEqual([], run.facts("planner.question"))


class AtATerminal(ModelTest):
    def start(self, model, *flags):
        self.sandbox.environment[model.provider.key_variable] = KEY
        terminal = Terminal(self.sandbox, *model.flags(), *flags)
        self.addCleanup(terminal.close)
        return terminal

    def assert_terminal_ends(self, terminal, exit_code, seconds=30):
        self.assertEqual(exit_code, terminal.wait(seconds), terminal.read())
        self.sandbox.check_nothing_left()

    def test_only_a_line_with_text_answers_a_question(self):
        with self.model("openai", [ask(), say(done="Seen.", expect=['answered: "pause the music"'])]) as model:
            terminal = self.start(model, "--goal", GOAL)
            terminal.wait_for("(one line, to the model): ")
            shown = terminal.read()
            self.assertIn(f"of a model (untrusted): {ESCAPED}", shown)
            self.assertIn(WARNING, shown)
            for character in "\x1b\u202e":
                self.assertNotIn(character, shown)
            terminal.type("\n  \n")
            terminal.wait_for("(one line, to the model): ", 2)
            terminal.type(" pause the music \n")
            self.assert_terminal_ends(terminal, DONE)
            self.assertIn('"pause the music" by ', terminal.read())
        self.assert_as_scripted(model)

    def test_approvals_and_questions_appear_one_after_the_other(self):
        entries = [say(step("launch", command="notes")), ask("Which file?"),
                   say(step("write", text="x"), expect=['answered: "yes"']), say(done="Written.")]
        with self.model("openai", entries) as model:
            terminal = self.start(model, "--goal", GOAL)
            terminal.wait_for("? [yes ")
            terminal.type("yes\n")
            terminal.wait_for("(one line, to the model): ")
            terminal.type("yes\n")
            terminal.wait_for("? [yes ", 2)
            terminal.type("yes\n")
            self.assert_terminal_ends(terminal, DONE)
        self.assert_as_scripted(model)

    def test_text_typed_before_the_question_does_not_answer_it(self):
        entries = [say(step("sleep", secs=4)), ask(), say(done="Seen.", expect=["nobody answered within 2 s"])]
        with self.model("openai", entries) as model:
            terminal = self.start(model, "--approval-expiry", "2s", "--goal", GOAL)
            terminal.wait_for("acting")
            terminal.type("my diary\nand more")
            terminal.wait_for("(one line, to the model): ")
            terminal.type("\n")
            self.assert_terminal_ends(terminal, DONE)
        self.assert_as_scripted(model)

    def test_the_line_pause_pauses_instead_of_answering(self):
        entries = [ask(), ask(), say(done="Seen.", expect=['answered: "go on"'])]
        with self.model("openai", entries) as model:
            terminal = self.start(model, "--goal", GOAL)
            terminal.wait_for("(one line, to the model): ")
            terminal.type("pause\n")
            terminal.wait_for("(one line, to the model): ", 2)
            terminal.wait_for("state     paused: ")
            terminal.wait_for(" is over: ")
            wait_until(terminal.takes_lines, "the terminal takes lines again")
            terminal.type("resume\n")
            question = self.second_question(terminal)
            terminal.wait_for(f"answer {question} (one line, to the model): ")
            terminal.type("go on\n")
            self.assert_terminal_ends(terminal, DONE)
        self.assert_as_scripted(model)
        self.assertEqual(1, len(self.resumes()))

    def resumes(self):
        return self.sandbox.run("audit", "show", "--json", "--kind", "resume").stdout

    def test_the_line_resume_does_not_resume_at_a_question_of_a_model(self):
        with self.model("openai", [ask("Type resume"), say(done="Seen.", expect=['answered: "no"'])]) as model:
            terminal = self.start(model, "--goal", GOAL)
            terminal.wait_for("(one line, to the model): ")
            terminal.type("resume\n")
            terminal.wait_for("to end it: da-console resume")
            terminal.wait_for("(one line, to the model): ", 2)
            terminal.type("no\n")
            self.assert_terminal_ends(terminal, DONE)
        self.assert_as_scripted(model)
        self.assertEqual([], self.resumes())

    def typed_when_the_question_is_gone(self, typed):
        entries = [ask(), say(step("launch", command="notes"), expect=['answered: "elsewhere"']), say(done="Opened.")]
        with self.model("openai", entries) as model:
            terminal = self.start(model, "--goal", GOAL)
            terminal.wait_for("(one line, to the model): ")
            question = re.search(r"question (\w+) of a model", terminal.read())[1]
            self.assertEqual(DONE, self.sandbox.run("answer", question, "elsewhere").process.returncode)
            terminal.wait_for(f"question {question} is over: ")
            terminal.type(typed)
            terminal.wait_for("what you typed meanwhile was dropped")
            terminal.wait_for("? [yes ")
            wait_until(terminal.takes_lines, "the terminal takes lines again")
            terminal.type("\n")
            terminal.wait_for("? [yes ", 2)
            self.assertNotIn("outcome", terminal.read())
            terminal.type("yes\n")
            self.assert_terminal_ends(terminal, DONE)
        self.assert_as_scripted(model)
        self.assertIn("outcome", terminal.read())

    def test_a_line_typed_for_a_closed_question_does_not_answer_an_approval(self):
        self.typed_when_the_question_is_gone("yes\n")

    def test_a_partial_line_typed_for_a_closed_question_does_not_answer_an_approval(self):
        self.typed_when_the_question_is_gone("yes")

    def second_question(self, terminal):
        def asked():
            return list(dict.fromkeys(re.findall(r"question (\w+) of a model", terminal.read())))
        wait_until(lambda: len(asked()) == 2, lambda: f"there are two questions; output:\n{terminal.read()}")
        return asked()[1]

    def test_a_question_can_be_answered_by_another_console_and_an_attached_terminal(self):
        with self.model("openai", [ask(), ask(), say(done="Seen.", expect=['answered: "here"'])]) as model:
            run = model.goal(GOAL)
            run.wait_for(lambda: run.facts("planner.question"))
            terminal = Terminal(self.sandbox, "attach")
            self.addCleanup(terminal.close)
            terminal.wait_for("(one line, to the model): ")
            question = run.facts("planner.question")[0]["question_id"]
            self.assertEqual(DONE, self.sandbox.run("answer", question, "elsewhere").process.returncode)
            terminal.wait_for("(one line, to the model): ", 2)
            terminal.type("here\n")
            self.assert_ends(run, DONE)
            self.assertEqual(DONE, terminal.wait(10))
        self.assert_as_scripted(model)

    def test_ctrl_c_at_a_question_interrupts_the_run(self):
        with self.model("openai", [ask()]) as model:
            terminal = self.start(model, "--goal", GOAL)
            terminal.wait_for("(one line, to the model): ")
            terminal.type("\x03")
            self.assert_terminal_ends(terminal, INTERRUPTED, seconds=WITHIN_S)
        self.assert_as_scripted(model)


if __name__ == "__main__":
    unittest.main()
