"""The records that a run writes to the audit log, and how verify finds changes. On the fake desktop."""

import hashlib
import json
import re
import signal
import unittest

from console import BAD_USAGE, DONE, FAILED, ConsoleTest


class Audit(ConsoleTest):
    def setUp(self):
        super().setUp()
        self.log = self.sandbox.state / "desktopassist/policy/audit"

    def goal(self):
        run = self.sandbox.goal('open notes; type "hi"', "--unlock-writes")
        self.assert_ends(run, DONE)

    def records(self, *filters):
        shown = self.sandbox.run("audit", "show", "--json", *filters)
        self.assertEqual(DONE, shown.process.returncode, shown.said())
        return [json.loads(line) for line in shown.stdout]

    def verify(self, *arguments):
        verified = self.sandbox.run("audit", "verify", *arguments)
        return verified.process.returncode, verified.text()

    def test_the_log_of_a_finished_run_can_be_read_and_verified(self):
        self.goal()
        kinds = [record["kind"] for record in self.records()]
        self.assertEqual(["started", "task_opened", "verdict", "grant", "outcome", "verdict", "grant", "outcome",
                          "task_closed", "stopped"], kinds)
        self.assertEqual(["write \"hi\""], [r["action"] for r in self.records("--kind", "verdict")][1:])
        self.assertEqual(1, len(self.records("--last", "1")))
        self.assertIn("verdict", self.sandbox.run("audit", "show", "--since", "1h").text())
        code, text = self.verify()
        self.assertEqual(DONE, code, text)
        self.assertTrue(text.startswith("intact: 10 records"), text)

    def test_the_hash_chain_can_be_checked_with_python_alone(self):
        self.goal()
        before = "0" * 64
        for line in self.log.read_bytes().splitlines():
            covered = line[:line.rindex(b',"hash":"')]
            record = json.loads(line)
            self.assertEqual(before, record["prev"])
            before = hashlib.blake2b(covered, digest_size=32).hexdigest()
            self.assertEqual(before, record["hash"])

    def test_verify_reports_a_changed_line_and_a_truncated_log(self):
        self.goal()
        whole = self.log.read_bytes()
        self.log.write_bytes(whole.replace(b'"decision":"allow"', b'"decision":"never"', 1))
        code, text = self.verify()
        self.assertEqual(FAILED, code, text)
        self.assertIn("changed: line 3: record 3", text)
        self.log.write_bytes(b"".join(whole.splitlines(keepends=True)[:-2]))
        code, text = self.verify()
        self.assertEqual(FAILED, code, text)
        self.assertIn("cut off", text)
        answer = json.loads(self.verify("--json")[1])
        self.assertEqual("cut off", answer["faults"][0]["fault"])

    def test_verify_with_another_key_fails(self):
        self.goal()
        key = self.records("--kind", "started")[0]["key"]
        self.assertEqual(DONE, self.verify("--key", key)[0])
        self.assertEqual(FAILED, self.verify("--key", "0" * 64)[0])
        self.assertEqual(BAD_USAGE, self.verify("--key", "abc")[0])

    def test_an_export_can_be_verified_without_the_log(self):
        self.goal()
        file = self.sandbox.path("export.jsonl")
        self.assertEqual(DONE, self.sandbox.run("audit", "export", "--output", str(file)).process.returncode)
        key = self.records("--kind", "started")[0]["key"]
        self.log.unlink()
        code, text = self.verify(str(file), "--key", key)
        self.assertEqual(DONE, code, text)
        self.assertIn("signed up to record 10", text)
        file.write_bytes(file.read_bytes().replace(b"allow", b"never", 1))
        self.assertEqual(FAILED, self.verify(str(file), "--key", key)[0])
        self.assertEqual(BAD_USAGE, self.verify()[0])

    def test_concurrent_runs_share_one_hash_chain(self):
        runs = [self.sandbox.goal('open notes; type "hi"', "--unlock-writes") for _ in range(3)]
        for run in runs:
            self.assert_ends(run, DONE)
        code, text = self.verify()
        self.assertEqual(DONE, code, text)
        self.assertIn("30 records of 3 starts", text)

    def test_the_records_of_a_killed_policy_are_in_the_log(self):
        run = self.sandbox.goal('open notes; type "hi"')
        run.pending_id()
        run.kill_service("policy", signal.SIGKILL)
        run.wait()
        self.assertEqual("question", self.records("--last", "1")[0]["kind"])
        self.goal()
        code, text = self.verify()
        self.assertEqual(DONE, code, text)
        self.assertRegex(text, re.compile(r"records of 2 starts"))


if __name__ == "__main__":
    unittest.main()
