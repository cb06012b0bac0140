"""A critical step is submitted while the policy has no free descriptor, and so cannot read who has a second factor."""

import contextlib
import os
import pathlib
import random
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

from console import wait_until  # noqa: E402
from descriptors_test import NONE_FREE, Descriptors  # noqa: E402
from foreign import ForeignTest  # noqa: E402
from enrolment import EnrollTest, code  # noqa: E402

TRIES = int(os.environ.get("DA_ATTACK_TRIES", "8"))
APPROVER = "ada"
HELD = 16  # Connections that take the free descriptors, each with a call.


class ApprovalCode(ForeignTest, EnrollTest):
    def start(self):
        super().start()
        self.descriptors = Descriptors(self.services.processes["policy"].pid)
        self.token = self.new_task()
        self.assert_deleted_without_a_code()
        exit_code, said, self.secret = self.enroll("--as", APPROVER)
        self.assertEqual(0, exit_code, said)

    def delete(self):
        """Submits the deletion of a new file. Returns the file and the step."""
        file = self.sandbox.home / f"old{time.monotonic_ns()}.txt"
        file.write_text("x")
        return file, self.submit(self.token, file_delete={"path": str(file)})

    def assert_deleted_without_a_code(self):
        """While nobody is enrolled, an approval without a code is enough: the attack would gain something."""
        file, step = self.delete()
        self.assertFalse(step.question()["second_factor"])
        self.assertEqual("OK", step.approve(approver=APPROVER)["code"])
        self.assertEqual("KIND_CONFIRMED", step.outcome()["kind"])
        self.assertFalse(file.exists())

    def assert_deleted_with_a_code(self):
        file, step = self.delete()
        self.assertTrue(step.question()["second_factor"])
        self.assertEqual("INVALID_ARGUMENT", step.approve(approver=APPROVER)["code"])
        approved = step.approve(approver=APPROVER, code=code(self.secret, 1))
        self.assertEqual("OK", approved["code"], approved)
        self.assertEqual("KIND_CONFIRMED", step.outcome()["kind"])
        self.assertFalse(file.exists())

    def assert_policy_lives(self):
        self.assertIsNone(self.services.processes["policy"].poll(), "the policy has died")

    def assert_no_approval_without_a_code(self, step):
        """Returns whether the step was asked about."""
        question = step.question()
        if question is None:
            return False
        self.assertTrue(question["second_factor"], question)
        for without in ({}, {"code": " "}):  # A wrong code would be counted.
            approved = step.approve(approver=APPROVER, **without)
            self.assertNotEqual("OK", approved["code"], approved)
        return True

    def assert_not_done(self, file, step):
        answer = step.submitted.wait()
        self.assertTrue(file.exists())
        if answer["code"] == "UNAVAILABLE":
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.services.processes["policy"].wait(2)
        self.assert_policy_lives()
        reply = step.reply()
        self.assertEqual("KIND_REFUSED", reply["outcome"]["kind"], reply)
        return reply

    def test_a_step_submitted_without_a_free_descriptor(self):
        self.start()
        reasons = set()
        for _ in range(TRIES):
            with self.descriptors.exhausted():
                file, step = self.delete()
                asked = self.assert_no_approval_without_a_code(step)
                self.descriptors.assert_none_is_free()
            if asked:
                self.assert_no_approval_without_a_code(step)
                step.deny()
            reasons.add(self.assert_not_done(file, step)["outcome"]["message"])
        print(f"no free descriptor at Submit, {TRIES} tries: {reasons}", flush=True)
        self.assert_deleted_with_a_code()

    def test_descriptors_that_run_out_after_the_question(self):
        self.start()
        for _ in range(TRIES):
            file, step = self.delete()
            self.assertIsNotNone(step.question())
            with self.descriptors.exhausted():
                self.assert_no_approval_without_a_code(step)
            step.deny()
            self.assert_not_done(file, step)
        self.assert_deleted_with_a_code()

    def test_descriptors_that_run_out_at_random_moments(self):
        self.start()
        stop, turns = threading.Event(), 0

        def flip():
            nonlocal turns
            while not stop.is_set():
                self.descriptors.limit((NONE_FREE, self.descriptors.usual[0])[turns % 2])
                turns += 1
                time.sleep(random.uniform(0, 0.003))

        flipping = threading.Thread(target=flip)
        flipping.start()
        asked = 0
        try:
            for _ in range(4 * TRIES):
                begun = turns
                file, step = self.delete()
                if self.assert_no_approval_without_a_code(step):
                    asked += 1
                    wait_until(lambda: turns > begun + 2, "descriptors have run out during the step")
                    step.deny()
                self.assert_not_done(file, step)
        finally:
            stop.set()
            flipping.join()
            self.descriptors.end()
        print(f"descriptors ran out {turns // 2} times: {asked} of {4 * TRIES} steps were asked about", flush=True)
        self.assertGreater(turns, 8 * TRIES)
        self.assert_deleted_with_a_code()

    def test_descriptors_taken_by_connections_of_the_planner(self):
        self.start()
        self.descriptors.limit(max(self.descriptors.used()) + 1)
        for _ in range(HELD):
            self.client("planner").begin("Policy/AwaitHalt", task_token=self.token, max_wait_ms=60_000)
        wait_until(lambda: self.assert_policy_lives() or not self.descriptors.free(),
                   lambda: f"no descriptor is free; free: {self.descriptors.free()}")
        asked = []
        for _ in range(TRIES):
            file, step = self.delete()
            if self.assert_no_approval_without_a_code(step):
                asked.append((file, step))
            else:
                self.assert_not_done(file, step)
            self.descriptors.assert_none_is_free()
        self.descriptors.end()
        for file, step in asked:
            step.deny()
            self.assert_not_done(file, step)
        print(f"{HELD} connections of the planner: {len(asked)} of {TRIES} steps were asked about", flush=True)
        self.assert_deleted_with_a_code()


if __name__ == "__main__":
    unittest.main()
