"""A second factor from enrolment to approval, with codes of an independent generator (RFC 6238)."""

import os
import pathlib
import stat
import unittest

from console import BAD_USAGE, DENIED, DONE, FAILED
from enrolment import EnrollTest, code


class SecondFactor(EnrollTest):
    def critical(self):
        file = pathlib.Path(self.sandbox.home) / "old.txt"
        file.write_text("x")
        run = self.sandbox.goal(f'delete file "{file}"', "--unlock-writes")
        return run, run.pending_id()

    def approve(self, approval, *more):
        return self.sandbox.run("approve", approval, *more)

    def test_a_critical_step_needs_a_code_and_each_code_works_once(self):
        enrolled = []
        exit_code, said, secret = self.enroll(typed=lambda secret: enrolled.append(code(secret)) or enrolled[0])
        self.assertEqual(0, exit_code, said)
        self.assertIn("\u2580", said, "no QR code was drawn")
        run, approval = self.critical()
        self.assertTrue(run.facts("policy.request")[-1]["second_factor"])
        without = self.approve(approval)
        self.assertEqual(BAD_USAGE, without.wait())
        self.assertIn("--code", without.errors())
        used = self.approve(approval, "--code", enrolled[0])
        self.assertEqual(DENIED, used.wait(), "the code of the enrolment was accepted again")
        right = self.approve(approval, "--code", code(secret, 1))
        self.assertEqual(DONE, right.wait(), right.said())
        self.assertEqual(DONE, run.wait(), run.said())

    def test_the_secret_is_in_one_private_file_only(self):
        _, _, secret = self.enroll()
        directory = pathlib.Path(self.sandbox.state) / "desktopassist/policy/second-factor"
        (file,) = directory.glob("*.totp")
        self.assertEqual(0o600, stat.S_IMODE(file.stat().st_mode))
        self.assertEqual(0o700, stat.S_IMODE(directory.stat().st_mode))
        run, approval = self.critical()
        self.approve(approval, "--code", code(secret, 1)).wait()
        self.assertEqual(DONE, run.wait(), run.said())
        for path in pathlib.Path(self.sandbox.root).rglob("*"):
            if path.is_file() and path != file:
                self.assertNotIn(secret.encode(), path.read_bytes(), path)
        self.assertNotIn(secret, run.said())

    def test_after_five_wrong_codes_the_right_code_is_refused(self):
        _, _, secret = self.enroll()
        run, approval = self.critical()
        wrong = "000000" if "000000" not in (code(secret, step) for step in (-1, 0, 1)) else "111111"
        for _ in range(5):
            self.assertEqual(DENIED, self.approve(approval, "--code", wrong).wait())
        right = self.approve(approval, "--code", code(secret, 1))
        self.assertEqual(FAILED, right.wait())
        self.assertIn("too many wrong codes", right.errors())
        self.assertEqual(DONE, self.sandbox.run("deny", approval).wait())
        self.assertEqual(DENIED, run.wait(), run.said())

    def test_a_wrong_code_enrolls_nobody(self):
        exit_code, said, _ = self.enroll(typed=lambda secret: "000000\n000000\n000000")
        self.assertEqual(1, exit_code, said)
        run, approval = self.critical()
        self.assertFalse(run.facts("policy.request")[-1].get("second_factor", False))
        self.assertEqual(DONE, self.approve(approval).wait())
        self.assertEqual(DONE, run.wait(), run.said())

    def test_enrolling_again_needs_replace(self):
        self.assertEqual(0, self.enroll()[0])
        exit_code, said, _ = self.enroll()
        self.assertEqual(1, exit_code)
        self.assertIn("--replace", said)
        self.assertEqual(0, self.enroll("--replace")[0])


if __name__ == "__main__":
    os.umask(0o077)
    unittest.main()
