"""`da-console stdio` on the fake desktop: commands in, answers out, one by one, and how a session ends."""

import json
import os
import signal
import subprocess
import unittest

from console import BAD_USAGE, BIN, DONE, FAILED, HALTED, INTERRUPTED, RULES, SERVICE_LOST, UNKNOWN, ConsoleTest, wait_until
from script import FAIL, SUCCESS, Script
from services import Services


class StdioTest(ConsoleTest):
    def script(self, *flags):
        return Script(self.sandbox, "--desktop", "fake", *flags)

    def writing(self, *flags):
        return self.script("--unlock-writes", *flags)

    def assert_fails(self, answer, outcome, *words):
        self.assertEqual((FAIL, outcome), (answer["status"], answer["data"]["outcome"]), answer)
        for word in words:
            self.assertIn(word, answer["error"])

    def wait_for_step(self, tool):
        wait_until(lambda: tool in self.sandbox.run("status").text(), f"the planner works on {tool}")

    def say(self, *command):
        run = self.sandbox.run(*command)
        self.assertEqual(DONE, run.process.returncode, run.said())


class Commands(StdioTest):
    def test_a_script_writes_a_file_by_element_ids(self):
        file = self.sandbox.path("a.txt")
        script = self.writing()
        script.do("launch", command=f"notes {file}")
        field = script.element("Text")
        self.assertEqual("confirmed", script.do("ui.click", element_id=field["element_id"])["outcome"])
        script.do("keyboard.type", text="Grüße", submit=True)
        script.do("keyboard_type", text="zwei", submit=False)
        script.do("ui_click", element_id=script.element("Save")["element_id"], double_click=False)
        self.assertEqual("Grüße\nzwei", file.read_text())
        script.end()
        self.assert_ends(script.run, DONE)
        self.assertIn("done: 7 commands were carried out", script.run.errors())

    def test_find_answers_elements_with_their_window(self):
        script = self.writing()
        script.do("launch", command="notes")
        (window,) = script.do("ui.find", query="save")["windows"]
        self.assertIn("Notes", window["title"])
        self.assertEqual(["Save"], [element["name"] for element in window["elements"]])
        self.assertEqual([], script.do("ui.find", query="no such thing")["windows"])
        self.assertEqual(window["title"], script.do("list_windows")["windows"][0]["title"])
        image = script.do("zoom", x=0, y=0, width=100, height=100)["image"]
        self.assertEqual("image/png", image["media_type"])
        script.end()
        self.assert_ends(script.run, DONE)

    def test_described_targets_are_found_and_typed_into(self):
        file = self.sandbox.path("a.txt")
        script = self.writing()
        script.do("launch", command=f"notes {file}")
        script.do("type_in_described_field", target_description="Text", text_to_type="found")
        script.do("click_described_element", target_description="Save")
        self.assertEqual("found", file.read_text())
        self.assert_fails(script.ask("click_described_element", target_description="Nobody"), "failed", "Nobody")
        script.end()
        self.assert_ends(script.run, DONE)

    def test_commands_that_are_sent_at_once_are_answered_in_order(self):
        script = self.writing()
        sent = [script.send("launch", command="notes"), script.send("keyboard.type", text="x"),
                script.send("list_windows"), script.send("dance"), script.send("ui.snapshot")]
        script.end()
        self.assert_ends(script.run, DONE)
        answers = [json.loads(line) for line in script.run.stdout]
        self.assertEqual(sent, [answer["request_id"] for answer in answers])
        self.assertEqual([SUCCESS] * 3 + [FAIL, SUCCESS], [answer["status"] for answer in answers])

    def test_malformed_commands_are_answered_and_do_nothing(self):
        script = self.writing()
        invalid = [
            (b"hello", "", "not one JSON object"),
            (b"[1]", "", "must be an object"),
            (b'{"id":"a","action":"dance"}', "a", "unknown tool"),
            (b'{"id":"b","action":"ui.click"}', "b", "element_id is missing"),
            (b'{"id":"c","action":"ui.click","payload":{"element_id":"x","speed":1}}', "c", "no argument"),
            (b'{"id":"d","action":"terminate","payload":{"title":"x"}}', "d", "must be null for terminate"),
            (b'{"id":5,"action":"ui.snapshot"}', "", "must be a string"),
            (b'{"id":"e","id":"e","action":"ui.snapshot"}', "", "stands twice"),
            (b'{"id":"f","action":"write","payload":{"text":"\xff"}}', "", "not one JSON object"),
            (b'{"id":"g","action":"write","payload":' + b"[" * 5000, "", "nested deeper"),
            (b'{"id":"h","action":"write","payload":{"text":"' + b"a" * (1 << 20) + b'"}}', "", "more than 1048576 bytes"),
            (b'{"id":"i","action":"press","payload":{"key":"no such key"}}', "i", "key"),
        ]
        for line, name, words in invalid:
            answer = script.ask_line(line)
            self.assertEqual(name, answer["request_id"])
            self.assert_fails(answer, "invalid", words)
        script.write(b"\n  \r\n")  # Blank lines have no answer.
        self.assertEqual([], script.do("list_windows")["windows"])
        script.end()
        self.assert_ends(script.run, DONE)

    def test_a_step_that_the_rules_deny_is_answered_and_the_session_continues(self):
        script = self.writing()
        self.assert_fails(script.ask("hotkey", keys=["ctrl", "shift", "esc"]), "denied", "denied")
        script.do("launch", command="notes")
        script.end()
        self.assert_ends(script.run, DONE)

    def test_an_element_that_is_gone_is_stale(self):
        script = self.writing()
        script.do("launch", command="notes")
        save = script.element("Save")["element_id"]
        script.do("ui.click", element_id=script.element("Close")["element_id"])
        answer = script.ask("ui.click", element_id=save)
        self.assertEqual(FAIL, answer["status"])
        self.assertIn(answer["data"]["outcome"], ("stale_target", "refused"), answer)
        self.assertIn(answer["data"]["code"], ("stale_target", "not_found"), answer)
        self.assert_fails(script.ask("ui.click", element_id="no-such-id"), answer["data"]["outcome"])
        script.do("list_windows")
        script.end()
        self.assert_ends(script.run, DONE)

    def test_limits_are_answers(self):
        script = self.writing("--max-steps", "1")
        script.do("launch", command="notes")
        answer = script.ask("keyboard.type", text="x")
        self.assert_fails(answer, "denied", "limit")
        self.assertEqual("limit", answer["data"]["code"])
        script.end()
        self.assert_ends(script.run, DONE)

    def test_goal_flags_and_other_output_are_refused(self):
        for flags in (["--goal", "wait 1 seconds"], ["--dry-run"], ["--planner", "openai"], ["--json"], ["--set", "a=b"]):
            run = self.sandbox.start("stdio", "--desktop", "fake", *flags, rules=None)
            self.assertEqual(BAD_USAGE, run.wait(), flags)
            self.assertEqual([], run.stdout)
        shown = self.sandbox.run("stdio", "--help")
        self.assertIn('"request_id"', shown.text())


class People(StdioTest):
    """Steps that people decide about."""

    def test_a_write_waits_for_its_approval(self):
        script = self.script()
        script.send("launch", command="notes")
        self.say("approve", script.asked())
        self.assertEqual(SUCCESS, script.answer()["status"])
        script.end()
        self.assert_ends(script.run, DONE)

    def test_a_critical_step_that_a_person_refuses_is_denied_with_the_reason(self):
        file = self.sandbox.path("precious.txt")
        file.write_text("precious")
        script = self.writing()
        script.send("file.delete", path=str(file))
        self.say("deny", script.asked(), "--reason", "not mine")
        self.assert_fails(script.answer(), "denied", "not mine")
        self.assertEqual("precious", file.read_text())
        script.do("launch", command="notes")
        script.end()
        self.assert_ends(script.run, DONE)

    def test_a_skipped_step_is_not_carried_out(self):
        script = self.script()
        script.send("launch", command="notes")
        self.say("deny", script.asked(), "--skip")
        self.assert_fails(script.answer(), "skipped")
        self.assertEqual([], script.do("list_windows")["windows"])
        script.end()
        self.assert_ends(script.run, DONE)

    def test_an_approval_that_nobody_gives_expires(self):
        script = self.script("--approval-expiry", "1s")
        self.assert_fails(script.ask("launch", command="notes"), "expired")
        script.end()
        self.assert_ends(script.run, DONE)

    def test_questions_and_logs_are_never_on_stdout(self):
        script = self.script("--verbose")
        script.send("launch", command="notes")
        self.say("approve", script.asked())
        script.send("ask_user", question="Which file?")
        self.say("answer", script.asked("answer"), "this one")
        script.end()
        self.assert_ends(script.run, DONE)
        answers = [json.loads(line) for line in script.run.stdout]
        self.assertEqual([SUCCESS, SUCCESS], [answer["status"] for answer in answers])
        self.assertIn("this one", answers[1]["data"]["message"])

    def test_a_paused_task_answers_paused_until_the_resume(self):
        script = self.writing()
        script.do("launch", command="notes")
        self.say("pause", "--reason", "lunch")
        answer = wait_until(lambda: (found := script.ask("list_windows"))["status"] == FAIL and found, "a pause is noticed")
        self.assert_fails(answer, "paused", "lunch")
        self.assert_fails(script.ask("keyboard.type", text="x"), "paused")
        self.say("resume")
        wait_until(lambda: script.ask("keyboard.type", text="x")["status"] == SUCCESS, "the task continues")
        script.end()
        self.assert_ends(script.run, DONE)

    def test_the_end_of_the_input_ends_a_paused_task(self):
        script = self.writing()
        script.do("launch", command="notes")
        self.say("pause")
        wait_until(lambda: script.ask("list_windows")["status"] == FAIL, "a pause is noticed")
        script.end()
        self.assert_ends(script.run, INTERRUPTED)
        self.assertIn("there are no more commands", script.run.errors())

    def test_a_halt_answers_the_open_command_and_ends_with_exit_code_4(self):
        script = self.writing()
        script.send("wait_for", text="never", secs=60)
        self.wait_for_step("wait_for")
        self.sandbox.run("halt")
        self.assert_fails(script.answer(), "halted")
        self.assert_ends(script.run, HALTED)


class Ends(StdioTest):
    def test_terminate_ends_the_session_and_later_lines_are_not_read(self):
        script = self.writing()
        script.send("launch", command="notes")
        script.send("terminate")
        script.send("keyboard.type", text="x")
        self.assert_ends(script.run, DONE)
        self.assertEqual([SUCCESS, SUCCESS], [json.loads(line)["status"] for line in script.run.stdout])
        self.assertEqual("2", json.loads(script.run.stdout[1])["request_id"])

    def test_a_session_without_commands_ends_as_done(self):
        script = self.script()
        script.end()
        self.assert_ends(script.run, DONE)
        self.assertEqual([], script.run.stdout)

    def test_the_last_line_needs_no_line_break_and_a_cut_one_does_nothing(self):
        script = self.writing()
        script.write(b'{"id":"1","action":"launch","payload":{"command":"notes"}}\n{"id":"2","action":"list_windows"}')
        script.end()
        self.assert_ends(script.run, DONE)
        self.assertEqual(["Untitled - Notes"],
                         [window["title"] for window in json.loads(script.run.stdout[1])["data"]["windows"]])
        script = self.writing()
        script.write(b'{"id":"1","action":"launch","payload":{"command":"notes"}')
        script.end()
        self.assert_ends(script.run, DONE)
        self.assert_fails(json.loads(script.run.stdout[0]), "invalid")

    def test_the_end_of_the_input_lets_the_command_finish(self):
        script = self.writing()
        script.send("sleep", secs=1)
        script.end()
        self.assert_ends(script.run, DONE)
        self.assertEqual(SUCCESS, json.loads(script.run.stdout[0])["status"])

    def test_a_killed_reader_ends_the_session(self):
        # `head` reads one answer and goes; the script's stdin stays open.
        process = subprocess.Popen(
            ["sh", "-c", '"$0" "$@" | head -n 1', str(BIN / "da-console"), "stdio", "--rules", str(RULES), "--desktop",
             "fake", "--unlock-writes"], env=self.sandbox.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        process.stdin.write(b'{"id":"1","action":"launch","payload":{"command":"notes"}}\n')
        process.stdin.flush()
        out = process.stdout.read()
        self.assertEqual("1", json.loads(out)["request_id"])
        self.assertIn(b"nobody reads the answers", process.stderr.read())
        process.stdin.close()
        process.stdout.close()
        process.stderr.close()
        process.wait(30)
        self.sandbox.check_nothing_left()

    def test_a_reader_that_is_killed_during_an_approval_withdraws_it(self):
        reader, writer = os.pipe()
        process = subprocess.Popen(
            [str(BIN / "da-console"), "stdio", "--rules", str(RULES), "--desktop", "fake"],
            env=self.sandbox.environment, stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.DEVNULL)
        os.close(writer)
        process.stdin.write(b'{"id":"1","action":"launch","payload":{"command":"notes"}}\n')
        process.stdin.flush()
        wait_until(lambda: self.sandbox.run("pending").stdout, "the step waits for an approval")
        os.close(reader)
        self.assertEqual(FAILED, process.wait(30))
        process.stdin.close()
        self.sandbox.check_nothing_left()

    def test_a_killed_planner_is_named_and_the_open_command_is_answered(self):
        script = self.writing()
        script.send("sleep", secs=5)
        self.wait_for_step("sleep")
        script.run.kill_service("planner")
        self.assert_fails(script.answer(), "service_lost")
        self.assert_ends(script.run, SERVICE_LOST)
        self.assertIn("da-planner is gone", script.run.errors())

    def test_a_planner_killed_during_a_write_leaves_the_command_unknown(self):
        pipe = self.sandbox.path("pipe")
        os.mkfifo(pipe)
        script = self.writing()
        script.do("launch", command=f"notes {pipe}")
        script.send("hotkey", keys=["ctrl", "s"])  # Hangs: nobody reads the pipe.
        self.wait_for_step("hotkey")
        script.run.kill_service("planner")
        self.assert_fails(script.answer(), "unknown", "not known")
        self.assertEqual(UNKNOWN, script.run.wait(), script.run.said())
        self.sandbox.check_nothing_left()

    def test_ctrl_c_ends_the_session(self):
        script = self.writing()
        script.do("launch", command="notes")
        script.run.process.send_signal(signal.SIGINT)
        self.assert_ends(script.run, INTERRUPTED)


class Deployed(StdioTest):
    """Against services that keep running."""

    def setUp(self):
        super().setUp()
        self.services = Services(self.sandbox)
        self.addCleanup(self.services.stop)

    def test_sessions_follow_one_another_and_a_killed_console_frees_the_desktop(self):
        config = ("--config", str(self.services.config), "--unlock-writes")
        script = Script(self.sandbox, *config)
        script.do("launch", command="notes")
        script.run.process.kill()
        script.run.process.wait()
        file = self.sandbox.path("a.txt")
        # Waits for its turn: the planner ends the session of the killed console after 30 s.
        script = Script(self.sandbox, *config)
        script.send("launch", command=f"notes {file}")
        self.assertEqual(SUCCESS, script.answer(seconds=60)["status"])
        self.assertIn("waits for its turn", script.run.errors())
        script.do("keyboard.type", text="next")
        script.do("hotkey", keys=["ctrl", "s"])
        self.assertEqual("next", file.read_text())
        script.end()
        self.assertEqual(DONE, script.run.wait(), script.run.said())


if __name__ == "__main__":
    unittest.main()
