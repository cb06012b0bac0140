"""A session that logind reports as locked gets no input. Uses the real systemd-logind (logind.py) on a private bus,
and a fake for signals that the real one cannot be made to send. raw_input_log records the injected events.
"""

import os
import signal
import subprocess
import time
import unittest

import x11
from console import DONE, FAILED, INTERRUPTED, PROGRAMS
from hands_test import LONG_TEXT, PYTHON, PersonTest
from logind import Logind, SystemBus

# Limit from the lock to the last injected event. A chunk of typing takes 10 ms; the rest allows for a busy machine.
BAR_MS = 250
FAKE = PROGRAMS / "fake_logind.py"


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
        """Checks that no step began, and that the task waits for a person. A step that was submitted before the policy
        heard of the pause was refused."""
        run.wait_for(lambda: "PAUSED" in run.states())
        self.assertIn(self.outcomes(run), ([], [("REFUSED", "SESSION_LOCKED")]))
        pause = run.facts("actuator.pause")[0]["pause"]
        self.assertEqual("CAUSE_SESSION_LOCKED", pause["cause"])
        self.assertIn("reported by org.freedesktop.login1", pause["reason"])

    def pauses(self, run):
        """How often the policy was paused."""
        return sum(fact.get("paused", False) for fact in run.facts("policy.pause"))

    def end(self, run):
        run.process.send_signal(signal.SIGINT)
        self.assert_ends(run, INTERRUPTED)

    def resume(self):
        self.assertEqual(DONE, self.sandbox.run("resume").wait())


class Locked(LogindTest):
    def test_a_session_locked_before_the_run_gets_no_key(self):
        log = self.log()
        self.logind.set_locked("1", True)
        run = self.goal('type "secret"')
        self.assert_locked(run)
        self.assertEqual([], [line for line in log.injected() if line[2] in ("press", "button")])
        self.logind.set_locked("1", False)
        self.resume()
        self.assert_ends(run, DONE)
        self.assertEqual(6, len([line for line in log.injected() if line[2] == "press"]))

    def test_a_lock_during_typing_interrupts_it_and_blocks_the_next_goal(self):
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
        # Later steps are refused until the session is unlocked and a person resumes.
        again = self.goal('type "more"')
        self.assert_locked(again)
        self.assertEqual(typed, len(log.injected()))
        self.logind.set_locked("1", False)
        self.resume()
        self.assert_ends(again, DONE)

    def test_a_paused_task_continues_after_unlock_and_resume(self):
        run = self.goal('wait 10 seconds; type "more"')
        run.wait_for(lambda: "ACTING" in run.states())
        self.logind.set_locked("1", True)
        run.wait_for(lambda: "PAUSED" in run.states())
        self.resume()  # The session is still locked, so the next look pauses again.
        run.wait_for(lambda: self.pauses(run) > 1)
        self.logind.set_locked("1", False)
        self.resume()
        self.assert_ends(run, DONE)

    def test_the_lock_of_another_session_is_ignored(self):
        self.logind.set_locked("2", True)
        self.assert_ends(self.goal('type "x"'), DONE)

    def test_the_lock_signal_without_a_hint_is_ignored(self):
        """The signal asks a locker to lock. Only LockedHint says that it has locked."""
        self.logind.busctl("call", "org.freedesktop.login1", self.logind.path("1"), "org.freedesktop.login1.Session",
                           "Lock")
        self.assert_ends(self.goal('type "x"'), DONE)


class Returning(LogindTest):
    def test_the_session_stays_locked_while_logind_is_gone_and_is_read_again_afterwards(self):
        self.logind.set_locked("1", True)
        run = self.goal('type "x"')
        self.assert_locked(run)
        self.logind.kill()
        self.resume()
        run.wait_for(lambda: self.pauses(run) > 1)
        self.logind.start()  # systemd 252 does not remember the hint.
        self.assertFalse(self.logind.locked("1"))
        self.resume()
        self.assert_ends(run, DONE)

    def test_a_lock_is_noticed_after_a_restart_of_logind(self):
        run = self.goal('wait 300 seconds; type "x"')
        run.wait_for(lambda: "ACTING" in run.states())
        self.logind.kill()
        self.logind.start()
        self.logind.set_locked("1", True)
        run.wait_for(lambda: "PAUSED" in run.states())
        self.end(run)

    def test_a_lock_is_noticed_when_logind_starts_after_the_run(self):
        self.logind.kill()
        run = self.goal('wait 300 seconds; type "x"')
        run.wait_for(lambda: "ACTING" in run.states())
        self.logind.start()
        self.logind.set_locked("1", True)
        run.wait_for(lambda: "PAUSED" in run.states())
        self.end(run)


class Absent(LogindTest):
    def bus(self):
        return SystemBus()

    def test_without_logind_the_session_counts_as_unlocked(self):
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
    def test_a_malformed_hint_is_ignored(self):
        fake = self.fake("malformed")
        run = self.goal('wait 1 seconds; type "x"')
        run.wait_for(lambda: "ACTING" in run.states())
        self.tell(fake)
        self.assert_ends(run, DONE)

    def test_an_invalidated_hint_is_read_from_logind(self):
        fake = self.fake("invalidated")
        run = self.goal('wait 10 seconds; type "x"')
        run.wait_for(lambda: "ACTING" in run.states())
        self.tell(fake)
        run.wait_for(lambda: "PAUSED" in run.states())
        self.tell(fake)
        self.resume()
        self.assert_ends(run, DONE)


class InNoSession(FakeTest):
    """The actuator runs in no session, like a service of the user's manager."""

    SESSION = None

    def test_a_lock_of_the_users_display_session_stops_input(self):
        for display in (x11.display(), x11.display() + ".0", ""):
            with self.subTest(display=display):
                fake = self.fake("auto", display)
                run = self.goal('type "x"')
                self.assert_locked(run)
                self.end(run)
                fake.kill()
                fake.wait()

    def test_a_lock_of_another_display_is_ignored(self):
        self.fake("auto", ":99")
        self.assert_ends(self.goal('type "x"'), DONE)


if __name__ == "__main__":
    unittest.main()
