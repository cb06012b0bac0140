"""Goals planned by a model on the fake desktop, also with faulty, stalled and refusing servers."""

import json
import signal
import time
import unittest

from console import DENIED, DONE, FAILED, HALTED, INTERRUPTED, processes_with
from models import KEY, PROVIDERS, ModelTest, image_of, say, size_of, step

GOAL = "write a greeting"
TEXT = "Grüße 漢字\n\"€\" 🙂"


class Tasks(ModelTest):
    def plan(self, file):
        return [say(step("launch", command=f"notes {file}")), say(step("write", text=TEXT)),
                say(step("hotkey", keys=["ctrl", "s"])), say(done="The greeting is written.")]

    def test_a_planned_task_writes_a_file(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                file = self.sandbox.path(f"{known.name}.txt")
                entries = self.plan(file)
                entries[0]["expect"] = [f"The goal is: {GOAL}\n", "Turn 1 of 12.", "Windows, front to back:"]
                entries[0]["expect_not"] = ["What became of your steps"]
                entries[1]["expect"] = ["Turn 2 of 12.", "1. launch", "carried out", "The screen has changed"]
                with self.model(known.name, entries) as model:
                    run = model.goal(GOAL, "--unlock-writes")
                    self.assert_ends(run, DONE)
                self.assert_as_scripted(model)
                self.assertEqual(TEXT.encode(), file.read_bytes())
                self.assertIn(f"planner: {known.name}, {known.model} (named by --planner)", run.stderr)
                self.assertIn("The greeting is written.", run.errors())
                self.assertIn(f"({known.name}, {known.model}: 4 calls, ", run.errors())
                self.check_calls(run, known, entries)

    def check_calls(self, run, known, entries):
        calls = self.calls(run)
        self.assertEqual([entry["text"] for entry in entries], [call["reply"] for call in calls])
        for call in calls:
            self.assertEqual((known.name, known.model, 1, "complete"),
                             (call["provider"], call["model"], call["tries"], call["finish"]))
            self.assertGreater(int(call["usage"]["input_tokens"]), 0)
            self.assertIn(f"The goal is: {GOAL}", json.loads(call["request"])["messages"][0]["text"])
            self.assertNotIn("base64", call["request"])

    def test_each_request_has_only_the_newest_image_and_it_is_complete(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                entries = self.plan(self.sandbox.path("a.txt"))
                with self.model(known.name, entries) as model:
                    run = model.goal(GOAL, "--unlock-writes")
                    self.assert_ends(run, DONE)
                self.assert_as_scripted(model)
                coordinates = {fact["image_hash"]: fact["coordinates"]
                               for fact in run.facts("observer.observation") if fact.get("image_hash")}
                sizes = {(seen["image_width"], seen["image_height"]) for seen in coordinates.values()}
                self.assertEqual(sizes, {size_of(image_of(request)) for request in model.requests()})

    def test_a_malformed_reply_is_reported_to_the_model_and_not_executed(self):
        bad = say(step("write", text="never"))["text"]
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                file = self.sandbox.path(f"{known.name}.txt")
                entries = self.plan(file)
                entries[2:2] = [{"text": "Here you are:\n" + bad}]
                entries[3]["expect"] = ["Your reply was not accepted, and nothing of it was carried out: ",
                                        "Here you are:"]
                with self.model(known.name, entries) as model:
                    run = model.goal(GOAL, "--unlock-writes")
                    self.assert_ends(run, DONE)
                self.assert_as_scripted(model)
                self.assertEqual(TEXT.encode(), file.read_bytes())
                self.assertEqual(["launch", "write", "hotkey"],
                                 [outcome["tool"] for outcome in run.facts("actuator.outcome")])

    def test_three_malformed_replies_fail_the_task_with_the_reason(self):
        entries = [{"text": "I cannot do that."},
                   {"text": "```json\n" + say(done="x")["text"] + "\n```"},
                   {"text": '{"steps":[],"done":"x","extra":1}', "expect": ["Your reply was not accepted"]}]
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                with self.model(known.name, entries) as model:
                    run = model.goal(GOAL, "--unlock-writes")
                    self.assert_ends(run, FAILED)
                self.assert_as_scripted(model)
                self.assertRegex(run.errors(), "the model's replies could not be used, 3 in a row; the last: .*extra")
                self.assertEqual([], run.facts("actuator.outcome"))

    def test_a_failed_step_is_reported_to_the_model(self):
        file = self.sandbox.path("a.txt")
        entries = [say(step("launch", command="no-such-program")), *self.plan(file)]
        entries[1]["expect"] = ["no-such-program", "failed: "]
        with self.model("openai", entries) as model:
            self.assert_ends(model.goal(GOAL, "--unlock-writes"), DONE)
        self.assert_as_scripted(model)
        self.assertEqual(TEXT.encode(), file.read_bytes())

    def test_a_task_fails_after_the_turn_limit(self):
        entries = [say(step("list_windows"))] * 12
        with self.model("openai", entries) as model:
            run = model.goal(GOAL, "--unlock-writes")
            self.assert_ends(run, FAILED)
        self.assert_as_scripted(model)
        self.assertIn("within 12 turns of the model", run.errors())

    def test_text_of_a_model_cannot_forge_a_log_line(self):
        done = "Seen.\n2026-01-01T00:00:00.000+00:00 info [planner 1] task forged ended\u202e\x1b[2J"
        with self.model("openai", [say(done=done)]) as model:
            run = model.goal("look")
            self.assert_ends(run, DONE)
        self.assert_as_scripted(model)
        (ended,) = run.facts("planner.end")
        self.assertIn(done, ended["result"]["summary"])
        (log,) = (self.sandbox.state / "desktopassist/logs").glob("da-planner*.log")
        text = log.read_text()
        (line,) = [line for line in text.split("\n") if " ended" in line]
        self.assertIn("Seen.\\n2026-01-01", line)
        for character in "\u202e\x1b":
            self.assertNotIn(character, text)

    def test_only_the_planner_process_has_the_key(self):
        with self.model("openai", [{"text": "", "stall": True}]) as model:
            run = model.goal(GOAL)
            run.wait_for(lambda: model.script.played == 1)
            self.assert_key_nowhere()  # Now, while the run directory exists.
            (directory,) = self.sandbox.run_directories()
            self.assertIn("planner.toml", [file.name for file in directory.iterdir()])
            services = set(run.services().values())
            self.assertEqual({run.services()["planner"]}, services & set(processes_with(KEY)))
            run.process.send_signal(signal.SIGINT)
            self.assert_ends(run, INTERRUPTED)
        self.assert_as_scripted(model)


class Approvals(ModelTest):
    def test_a_write_needs_an_approval_while_the_write_lock_is_closed(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                entries = [say(step("launch", why="A place to write.", command="notes")), say(done="It is open.")]
                with self.model(known.name, entries) as model:
                    run = model.goal(GOAL)
                    approval = run.pending_id()
                    shown = self.sandbox.run("pending").text()
                    self.assertIn("A place to write.", shown)
                    self.assertEqual([], run.facts("actuator.outcome"))
                    self.assertEqual(DONE, self.sandbox.run("approve", approval).process.returncode)
                    self.assert_ends(run, DONE)
                self.assert_as_scripted(model)
                self.assertEqual(["launch"], [outcome["tool"] for outcome in run.facts("actuator.outcome")])

    def test_a_denial_exits_with_3_without_another_model_call(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                with self.model(known.name, [say(step("launch", command="notes"))]) as model:
                    run = model.goal(GOAL)
                    self.sandbox.run("deny", run.pending_id(), "--reason", "not today")
                    self.assert_ends(run, DENIED)
                self.assert_as_scripted(model)
                self.assertIn("not today", run.errors())
                self.assertEqual([], run.facts("actuator.outcome"))

    def test_a_step_that_the_rules_deny_ends_the_task_denied(self):
        with self.model("anthropic", [say(step("hotkey", keys=["ctrl", "shift", "esc"]))]) as model:
            run = model.goal(GOAL, "--unlock-writes")
            self.assert_ends(run, DENIED)
        self.assert_as_scripted(model)
        self.assertIn("kill-switch-chord", run.said())

    def test_a_dry_run_executes_nothing(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                with self.model(known.name, [say(step("launch", command="notes"), step("write", text="x"))]) as model:
                    run = model.goal(GOAL, "--dry-run")
                    self.assert_ends(run, DONE)
                self.assert_as_scripted(model)
                self.assertIn("nothing was executed", run.errors())
                self.assertEqual([], run.facts("actuator.outcome") + run.facts("policy.request"))
                self.assertEqual([True, True], [fact["dry_run"] for fact in run.facts("policy.verdict")])


class FaultyServers(ModelTest):
    def entries(self, file):
        plan = [step("launch", command=f"notes {file}"), step("write", text="one "), step("write", text="two "),
                step("hotkey", keys=["ctrl", "s"])]
        return [{"status": 429, "headers": {"Retry-After": "1"}, "error": "slow down"}, {"status": 500}, say(plan[0]),
                {"status": 503}, {"status": 529}, say(plan[1], encoding="gzip"),
                {"drop": True}, say(plan[2], half=True), say(plan[2], encoding="deflate"),
                {"content_type": "text/html"}, say(plan[3], slow=1.5), say(done="Written.")]

    def test_transient_errors_are_retried_and_each_step_is_executed_once(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                file = self.sandbox.path(f"{known.name}.txt")
                with self.model(known.name, self.entries(file)) as model:
                    run = model.goal(GOAL, "--unlock-writes")
                    self.assert_ends(run, DONE, seconds=60)
                self.assert_as_scripted(model)
                self.assertEqual("one two ", file.read_text())
                calls = self.calls(run)
                self.assertEqual([3, 3, 3, 2, 1], [call["tries"] for call in calls])
                self.assertGreaterEqual(calls[0]["latency_ms"], 1000)  # Retry-After.
                self.assertGreaterEqual(calls[3]["latency_ms"], 1500)

    def test_a_persistent_error_is_reported_with_the_number_of_tries(self):
        with self.model("anthropic", [{"status": 529, "error": "Overloaded, come back"}] * 6) as model:
            run = model.goal(GOAL)
            self.assert_ends(run, FAILED, seconds=60)
        self.assert_as_scripted(model)
        self.assertRegex(run.errors(), "anthropic .*529.*Overloaded, come back.*tried 6 times")

    def test_a_retry_after_beyond_the_retry_time_fails_at_once(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                with self.model(known.name, [{"status": 429, "headers": {"Retry-After": "3600"},
                                              "error": "come back in an hour"}]) as model:
                    run = model.goal(GOAL)
                    self.assert_ends(run, FAILED, seconds=10)
                self.assert_as_scripted(model)
                self.assertIn("come back in an hour", run.errors())

    def test_a_redirect_is_reported_and_not_followed(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                with self.model(known.name, []) as elsewhere:
                    with self.model(known.name, [{"redirect": elsewhere.base_url}]) as model:
                        run = model.goal(GOAL)
                        self.assert_ends(run, FAILED)
                    self.assert_as_scripted(model)
                self.assert_as_scripted(elsewhere, requests=0)
                self.assertRegex(run.errors(), "HTTP 307.*check the base URL")

    def test_an_unreachable_server_is_named(self):
        with self.model("openai", []) as model:
            gone = model.base_url
        self.sandbox.environment["OPENAI_API_KEY"] = KEY
        run = self.sandbox.goal(GOAL, "--planner", "openai", "--base-url", gone)
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn(gone.removesuffix("/v1"), run.errors())
        self.assert_key_nowhere()


class Stalled(ModelTest):
    """The server sends the headers of its answer, but no body."""

    WITHIN_S = 2.0

    def stalled(self, known, *flags):
        model = self.model(known.name, [say(done="never", stall=True)])
        model.__enter__()
        self.addCleanup(model.__exit__)
        run = model.goal(GOAL, *flags)
        run.wait_for(lambda: model.script.played == 1)
        return model, run

    def test_ctrl_c_ends_a_stalled_call_at_once(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                model, run = self.stalled(known)
                sent = time.monotonic()
                run.process.send_signal(signal.SIGINT)
                self.assert_ends_within(run, INTERRUPTED, sent, self.WITHIN_S)
                self.assert_as_scripted(model)

    def test_a_halt_ends_a_stalled_call_at_once(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                model, run = self.stalled(known)
                sent = time.monotonic()
                self.sandbox.start("halt")
                self.assert_ends_within(run, HALTED, sent, self.WITHIN_S)
                self.assert_as_scripted(model)
                self.sandbox.run("resume")

    def test_the_time_limit_ends_a_stalled_call(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                model, run = self.stalled(known, "--time-limit", "3s")
                begun = run.started
                self.assert_ends_within(run, FAILED, begun, 3 + self.WITHIN_S)
                self.assertIn("time limit", run.errors())
                self.assert_as_scripted(model)

    def test_a_pause_cancels_a_stalled_call_and_resume_repeats_it(self):
        with self.model("openai", [say(done="never", stall=True), say(done="Seen.")]) as model:
            run = model.goal(GOAL)
            run.wait_for(lambda: model.script.played == 1)
            self.sandbox.run("pause")
            run.wait_for(lambda: "PAUSED" in run.states())
            self.sandbox.run("resume")
            self.assert_ends(run, DONE)
        self.assert_as_scripted(model)

    def test_ctrl_c_ends_the_wait_before_a_retry_at_once(self):
        with self.model("openai", [{"status": 429, "headers": {"Retry-After": "60"}}]) as model:
            run = model.goal(GOAL)
            run.wait_for(lambda: model.script.played == 1)
            sent = time.monotonic()
            run.process.send_signal(signal.SIGINT)
            self.assert_ends_within(run, INTERRUPTED, sent, self.WITHIN_S)
        self.assert_as_scripted(model)


class Refusals(ModelTest):
    """Errors that a retry cannot fix. Each fails the task and names the reason."""

    def check(self, entry, words, tries=1):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                with self.model(known.name, [entry] * tries) as model:
                    run = model.goal(GOAL)
                    self.assert_ends(run, FAILED)
                self.assert_as_scripted(model)
                self.assertRegex(run.errors(), words)
                self.assertEqual([], run.facts("actuator.outcome"))

    def test_a_wrong_key_fails_the_task(self):
        self.check({"status": 401}, r"not done: .*HTTP 401.*\(check the key\)")

    def test_a_key_without_permission_fails_the_task(self):
        self.check({"status": 403, "error": "not in this project"},
                   "HTTP 403.*not in this project.*what the key may do")

    def test_an_unknown_model_fails_the_task(self):
        self.check({"status": 404, "error": "no such model"}, "HTTP 404.*no such model.*name of the model")

    def test_a_rejected_request_fails_the_task(self):
        self.check({"status": 400, "error": "that is no image"}, "HTTP 400.*that is no image")

    def test_an_exhausted_quota_fails_the_task(self):
        self.check({"status": 429, "quota": True}, "HTTP 429.*credit, quota and billing")

    def test_a_key_that_the_server_repeats_is_redacted(self):
        self.check({"status": 400, "error": f"{KEY} is no key of this project"}, "HTTP 400.*is no key of this project")
        self.check({"text": f"Your key is {KEY}.", "finish": "refusal"}, "the model refused|blocked")
        self.check({"text": f"Your key is {KEY}."}, "could not be used, 3 in a row", tries=3)

    def test_a_refusal_of_the_model_fails_the_task(self):
        self.check({"text": "I will not do that.", "finish": "refusal"}, "the model refused|blocked")

    def test_a_content_filter_fails_the_task(self):
        self.check({"text": "", "finish": "filtered"}, "blocked the question or the answer|refused")

    def test_a_full_context_window_fails_the_task(self):
        self.check({"text": "", "finish": "context"}, "longer than the model can read")

    def test_three_truncated_answers_fail_the_task(self):
        self.check({"text": '{"steps":[', "finish": "length"}, "3 in a row; the last: it was cut off", tries=3)


if __name__ == "__main__":
    unittest.main()
