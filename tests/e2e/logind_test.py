"""What logind says of the session's lock stops input: the real systemd-logind (logind.py) on a system bus of its own, and
a fake for what the real one cannot be made to say here. Real keys through Xvnc; what was injected, as raw_input_log says.
"""

import os
import pathlib
import signal
import subprocess
import time
import unittest

import x11
from console import DONE, FAILED, INTERRUPTED, wait_until
from hands_test import LONG_TEXT, PYTHON, PersonTest
from logind import Logind, SystemBus

# Of logind's word to the last injected event. A chunk is 10 ms; the rest is for a busy machine.
BAR_MS = 250
FAKE = pathlib.Path(__file__).parent / "fake_logind.py"


class LogindTest(PersonTest):
    """The console and its actuator run in logind's session "1"; "2" is another."""

    SESSION = "1"

    def bus(self):
        return Logind({"1": ":0", "2": ":1"})

    def setUp(self):
        before = os.environ.pop("XDG_SESSION_ID", None)
        self.addCleanup(lambda: os.environ.update({"XDG_SESSION_ID": before} if before else {}))
        self.addCleanup(lambda: os.environ.pop("XDG_SESSION_ID", None))
        if self.SESSION:
            os.environ["XDG_SESSION_ID"] = self.SESSION
        self.logind = self.bus()
        self.logind.__enter__()
        self.addCleanup(self.logind.__exit__)
        super().setUp()
        self.open_window()

    def assert_locked(self, run):
        """It was refused without a key, and waits for a person."""
        run.wait_for(lambda: "PAUSED" in run.states())
        self.assertEqual([("REFUSED", "SESSION_LOCKED")], self.outcomes(run))
        self.assertEqual("CAUSE_SESSION_LOCKED", run.facts("actuator.pause")[0]["pause"]["cause"])
        self.assertIn("org.freedesktop.login1 says so", run.facts("actuator.outcome")[0]["message"])

    def end(self, run):
        run.process.send_signal(signal.SIGINT)
        self.assert_ends(run, INTERRUPTED)

    def resume(self):
        self.assertEqual(DONE, self.sandbox.run("resume").wait())


class Locked(LogindTest):
    def test_before_the_start(self):
        log = self.log()
        self.logind.set_locked("1", True)
        run = self.goal('type "secret"')
        self.assert_locked(run)
        self.assertEqual([], [line for line in log.injected() if line[2] in ("press", "button")])
        self.logind.set_locked("1", False)
        self.resume()
        self.assert_ends(run, DONE)
        self.assertEqual(6, len([line for line in log.injected() if line[2] == "press"]))

    def test_in_the_middle_of_typing(self):
        log = self.log()
        run = self.typing(LONG_TEXT, log)
        self.logind.set_locked("1", True)
        told_ms = time.monotonic() * 1000  # The server's clock.
        self.assertEqual(FAILED, run.wait(), run.said())
        self.assertEqual([("INTERRUPTED", "SESSION_LOCKED")], self.outcomes(run))
        outcome = run.facts("actuator.outcome")[0]
        self.assertLess(outcome["done"], outcome["total"])
        late = max(line[0] for line in log.injected()) - told_ms
        print(f"LockedHint to the last injected event: {late:.0f} ms", flush=True)
        self.assertLess(late, BAR_MS)
        self.assert_untouched()
        typed = len(log.injected())
        # What comes next is refused, until the session is unlocked and a person resumes.
        again = self.goal('type "more"')
        self.assert_locked(again)
        self.assertEqual(typed, len(log.injected()))
        self.logind.set_locked("1", False)
        self.resume()
        self.assert_ends(again, DONE)

    def test_a_task_that_waits_goes_on_after_unlocking_and_resuming(self):
        run = self.goal('wait 2 seconds; type "more"')
        run.wait_for(lambda: "ACTING" in run.states())
        self.logind.set_locked("1", True)
        run.wait_for(lambda: "PAUSED" in run.states())
        self.resume()  # Too early: it is refused again.
        run.wait_for(lambda: run.states().count("PAUSED") > 1)
        self.logind.set_locked("1", False)
        self.resume()
        self.assert_ends(run, DONE)

    def test_the_lock_of_another_session_is_none_of_ours(self):
        self.logind.set_locked("2", True)
        self.assert_ends(self.goal('type "x"'), DONE)

    def test_a_signal_to_lock_alone_is_no_lock(self):
        """It asks a locker to lock; the hint tells that it has."""
        self.logind.busctl("call", "org.freedesktop.login1", self.logind.path("1"), "org.freedesktop.login1.Session",
                           "Lock")
        self.assert_ends(self.goal('type "x"'), DONE)


class Returning(LogindTest):
    def test_a_logind_that_is_gone_has_unlocked_nothing_and_is_asked_when_it_is_back(self):
        self.logind.set_locked("1", True)
        run = self.goal('type "x"')
        self.assert_locked(run)
        self.logind.kill()
        self.resume()
        run.wait_for(lambda: run.states().count("PAUSED") > 1)
        self.logind.start()  # systemd 252 does not remember the hint.
        self.assertFalse(self.logind.locked("1"))
        self.resume()
        self.assert_ends(run, DONE)

    def test_its_word_counts_after_its_return(self):
        run = self.goal('wait 5 seconds; type "x"')
        run.wait_for(lambda: "ACTING" in run.states())
        self.logind.kill()
        self.logind.start()
        self.logind.set_locked("1", True)
        run.wait_for(lambda: "PAUSED" in run.states())
        self.end(run)

    def test_one_that_comes_later_counts(self):
        self.logind.kill()
        run = self.goal('wait 5 seconds; type "x"')
        run.wait_for(lambda: "ACTING" in run.states())
        self.logind.start()
        self.logind.set_locked("1", True)
        run.wait_for(lambda: "PAUSED" in run.states())
        self.end(run)


class Absent(LogindTest):
    def bus(self):
        return SystemBus()

    def test_without_logind_nothing_is_locked(self):
        self.assert_ends(self.goal('type "x"'), DONE)


class FakeTest(LogindTest):
    def bus(self):
        return SystemBus()

    def fake(self, *words):
        process = subprocess.Popen([PYTHON, str(FAKE), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual("ready\n", process.stdout.readline())
        return process

    def tell(self, fake):
        fake.stdin.write("next\n")
        fake.stdin.flush()
        self.assertEqual("told\n", fake.stdout.readline())


class Faked(FakeTest):
    def test_a_malformed_hint_says_nothing(self):
        fake = self.fake("malformed")
        run = self.goal('wait 1 seconds; type "x"')
        run.wait_for(lambda: "ACTING" in run.states())
        self.tell(fake)
        self.assert_ends(run, DONE)

    def test_a_hint_told_without_its_value_is_asked_for(self):
        fake = self.fake("invalidated")
        run = self.goal('wait 2 seconds; type "x"')
        run.wait_for(lambda: "ACTING" in run.states())
        self.tell(fake)
        run.wait_for(lambda: "PAUSED" in run.states())
        self.tell(fake)
        self.resume()
        self.assert_ends(run, DONE)


class InNoSession(FakeTest):
    """As a service of the user's manager."""

    SESSION = None

    def test_the_lock_of_the_users_display_is_ours(self):
        for display in (x11.display(), x11.display() + ".0", ""):
            with self.subTest(display=display):
                fake = self.fake("auto", display)
                run = self.goal('type "x"')
                self.assert_locked(run)
                self.end(run)
                fake.kill()
                fake.wait()

    def test_the_lock_of_another_display_is_none_of_ours(self):
        self.fake("auto", ":99")
        self.assert_ends(self.goal('type "x"'), DONE)


if __name__ == "__main__":
    unittest.main()
