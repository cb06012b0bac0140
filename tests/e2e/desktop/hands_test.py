"""A person at the desktop (kill switch, keys, mouse, screen locker), and an actuator that dies.

The person's input comes through an Xvnc server (rfb.py). raw_input_log records the injected events, xinput shows held
keys and xmodmap the keyboard map, so that no check depends on our own code. DA_E2E_RUNS is the number of runs of each
measurement.
"""

import os
import random
import signal
import subprocess
import threading
import unittest

import x11
from console import BIN, DONE, FAILED, HALTED, INTERRUPTED, PROGRAMS, SERVICE_LOST, ConsoleTest, Sandbox, wait_until
from rfb import CONTROL
from services import Services
from vnc_desktop import VncDesktop, held, keyboard_map, xtest_devices

RUNS = int(os.environ.get("DA_E2E_RUNS", "4"))
# Limit in ms from the person's key to the last injected event.
BAR_MS = 20
# With fewer runs there is no meaningful 99th percentile: a single delay on a busy machine would decide it.
MEASURED_RUNS = 50
PYTHON = "/usr/bin/python3"  # Debian's Python, which has the GTK bindings and PIL.
LONG_TEXT = "The Quick Brown Fox " * 500


def screen():
    """Returns a screenshot, 3 bytes per pixel."""
    grab = "import sys; from PIL import ImageGrab as g; sys.stdout.buffer.write(g.grab(xdisplay='').convert('RGB').tobytes())"
    return subprocess.run([PYTHON, "-c", grab], capture_output=True, check=True, timeout=20).stdout


class InputLog:
    """The input events that the X server reports, as (server time in ms, device, event, detail)."""

    def __init__(self):
        self.process = subprocess.Popen([str(BIN.parent / "tests/raw_input_log")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise AssertionError("raw_input_log did not start")
        self.ours = xtest_devices()
        self.lines = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            _, at, device, event, detail = line.split()
            self.lines.append((int(at), int(device), event, int(detail)))

    def injected(self):
        return [line for line in list(self.lines) if line[1] in self.ours]

    def by_person(self):
        return [line for line in list(self.lines) if line[1] not in self.ours]

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)
        self.reader.join(10)
        self.process.stdout.close()


class PersonTest(ConsoleTest):
    def setUp(self):
        self.desktop = VncDesktop()
        self.desktop.__enter__()
        self.addCleanup(self.desktop.__exit__)
        self.person = self.desktop.person
        super().setUp()
        self.keyboard_before = keyboard_map()
        self.assertEqual([], held())

    def open_window(self):
        """Opens a focused window that accepts keys and prints nothing."""
        process = self.desktop.start("xev", "-event", "button", "-geometry", "400x300+200+150")
        x11.wait_for_title("Event Tester")
        wait_until(lambda: "Event Tester" in x11.active_title(), "the window has the focus")
        return process

    def log(self):
        log = InputLog()
        self.addCleanup(log.close)
        return log

    def goal(self, goal, sandbox=None, **options):
        return (sandbox or self.sandbox).start("--json", "--unlock-writes", "--goal", goal, **options)

    def typing(self, text, log, sandbox=None):
        """Starts a run and returns it in the middle of typing."""
        log.lines.clear()
        run = self.goal("type " + x11.quote(text), sandbox)
        begun = random.randint(200, 3000)
        run.wait_for(lambda: len(log.injected()) > begun)
        return run

    def outcomes(self, run):
        return [(fact["kind"].removeprefix("KIND_"), fact.get("code", "").removeprefix("CODE_"))
                for fact in run.facts("actuator.outcome")]

    def assert_untouched(self):
        wait_until(lambda: not held(), lambda: f"no key or button is held; held: {held()}", 5)
        wait_until(lambda: keyboard_map() == self.keyboard_before, "the keyboard map is as before", 5)

    def assert_fast(self, what, times_ms):
        times_ms.sort()
        p50, p99 = (times_ms[min(len(times_ms) - 1, int(len(times_ms) * part))] for part in (0.5, 0.99))
        print(f"{what}: {len(times_ms)} tries, p50 {p50} ms, p99 {p99} ms, max {times_ms[-1]} ms", flush=True)
        self.assertLess(p50, BAR_MS, times_ms)
        if RUNS >= MEASURED_RUNS:
            self.assertLess(p99, BAR_MS, times_ms)


def milliseconds_after(log, person_press):
    """Returns ms from the person's nth press to the last event injected after it; 0 if there was none."""
    at = [line[0] for line in log.by_person() if line[2] == "press"][person_press]
    return max([0] + [(line[0] - at)  for line in log.injected()])


class KillSwitch(PersonTest):
    def test_the_kill_switch_stops_fast_typing_at_once(self):
        self.open_window()
        log = self.log()
        after_first, after_last, left = [], [], []
        for _ in range(RUNS):
            with Sandbox() as sandbox:
                run = self.typing(LONG_TEXT, log, sandbox)
                self.person.press_kill_switch()
                # The first key of the chord pauses, which may end the step before the last key halts.
                self.assertIn(run.wait(), (HALTED, FAILED), run.said())
                self.person.release_kill_switch()
                wait_until(lambda: len([line for line in log.by_person() if line[2] == "release"]) == 3, "released")
                after_first.append(milliseconds_after(log, 0))
                after_last.append(milliseconds_after(log, 2))
                left.append(len(LONG_TEXT) - len([line for line in log.injected() if line[2] == "press"]))
                self.assert_untouched()
        self.assertGreater(min(left), 0, "the text was complete before the kill switch")
        self.assert_fast("kill switch, Control to the last injected event", after_first)
        self.assert_fast("kill switch, Escape to the last injected event", after_last)

    def test_the_kill_switch_ends_an_idle_actuator_with_exit_code_1(self):
        services = Services(self.sandbox, backend="x11")
        self.addCleanup(services.stop)
        run = self.sandbox.start("--config", str(services.config), "--json", "--goal", "wait 5 seconds; wait 5 seconds")
        run.wait_for(lambda: run.states().count("ACTING"))
        self.person.press_kill_switch()
        self.assertEqual(HALTED, run.wait(), run.said())
        self.person.release_kill_switch()
        self.assertEqual(1, services.processes["actuator"].wait(10))

    # Regression: the error said only that da-actuator was gone, but not why.
    def test_a_run_ended_by_the_kill_switch_reports_it_and_leaves_nothing(self):
        run = self.goal("wait 5 seconds; wait 5 seconds")
        run.wait_for(lambda: run.states().count("ACTING"))
        self.person.press_kill_switch()
        self.assertEqual(HALTED, run.wait(), run.said())
        self.assertRegex(run.errors(), "not done: halted.*the kill switch, Ctrl.Shift.Esc, was pressed")
        self.person.release_kill_switch()
        self.sandbox.check_nothing_left()

    def test_the_halt_of_the_kill_switch_stays_until_resume(self):
        self.open_window()
        run = self.goal("wait 5 seconds")
        run.wait_for(lambda: run.states().count("ACTING"))
        self.person.press_kill_switch()
        self.person.release_kill_switch()
        self.assertEqual(HALTED, run.wait(), run.said())
        again = self.goal('type "x"')
        self.assert_ends(again, HALTED)

    def test_the_kill_switch_chord_sent_by_a_program_is_ignored(self):
        self.open_window()
        run = self.goal("wait 1 seconds")
        run.wait_for(lambda: run.states().count("ACTING"))
        x11.press("ctrl+shift+Escape")
        self.assert_ends(run, DONE)


class Hands(PersonTest):
    def pauses(self, happens, what):
        self.open_window()
        log = self.log()
        times = []
        for _ in range(RUNS):
            with Sandbox() as sandbox:
                run = self.typing(LONG_TEXT, log, sandbox)
                happens()
                self.assertNotEqual(DONE, run.wait(), run.said())
                self.assertEqual([("INTERRUPTED", "PAUSED")], self.outcomes(run)[:1])
                pauses = run.facts("actuator.pause")
                self.assertEqual("CAUSE_PERSON", pauses[0]["pause"]["cause"])
                at = log.by_person()[0][0]
                times.append(max([0] + [(line[0] - at)  for line in log.injected()]))
                self.assert_untouched()
        self.assert_fast(f"a person's {what} to the last injected event", times)

    def test_a_key_of_a_person_pauses_typing(self):
        self.pauses(lambda: self.person.tap(CONTROL), "key")

    def test_a_mouse_move_of_a_person_pauses_typing(self):
        self.pauses(lambda: self.person.move(random.randint(600, 1200), random.randint(500, 700)), "mouse")


class Guardian(PersonTest):
    def guardians(self):
        return [pid for pid, command in self.sandbox.processes().items() if "/da-guardian " in command]

    def test_the_guardian_starts_and_ends_with_its_actuator(self):
        run = self.goal("wait 5 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        self.assertEqual(1, len(self.guardians()))
        run.kill_service("actuator")
        self.assertEqual(SERVICE_LOST, run.wait(), run.said())
        self.sandbox.check_nothing_left()
        run = self.goal("wait 1 seconds")
        run.wait_for(lambda: "ACTING" in run.states())
        self.assertEqual(1, len(self.guardians()))
        self.assert_ends(run, DONE)

    def test_an_actuator_killed_while_it_types_leaves_nothing_behind(self):
        self.open_window()
        log = self.log()
        lent = 0
        for _ in range(RUNS):
            with Sandbox() as sandbox:
                run = self.typing("漢字" + "SHIFTED CAPITALS " * 500, log, sandbox)
                lent += keyboard_map() != self.keyboard_before
                run.kill_service("actuator")
                run.wait()
                self.assert_untouched()
                wait_until(lambda: not sandbox.processes(), lambda: f"all ended; left: {sandbox.processes()}", 5)
        print(f"SIGKILL while typing: {RUNS} tries, with lent keys: {lent}; no key held, map as before", flush=True)
        self.assertEqual(RUNS, lent)

    def test_a_second_actuator_on_the_same_display_is_refused(self):
        first = self.goal("wait 5 seconds")
        first.wait_for(lambda: first.states().count("ACTING"))
        actuator = first.services()["actuator"]
        second = self.goal("wait 1 seconds")
        self.assertEqual(SERVICE_LOST, second.wait(), second.said())
        self.assertIn(f"already has an actuator, process {actuator} on host {os.uname().nodename}", second.errors())
        self.assert_ends(first, DONE)
        self.assert_ends(self.goal("wait 1 seconds"), DONE)


class Locked(PersonTest):
    def lock(self):
        locker = self.desktop.start("i3lock", "--nofork", "--color=204060")
        wait_until(lambda: screen()[:15] == bytes((0x20, 0x40, 0x60)) * 5, "the locker covers the screen")
        return locker

    def assert_locker_saw_nothing(self, blank):
        """i3lock draws a ring as soon as it receives a key."""
        self.assertTrue(blank == screen())
        self.person.tap(ord("k"))
        wait_until(lambda: blank != screen(), "the locker reacts to the person's key")

    def test_nothing_is_typed_into_a_screen_locker(self):
        self.open_window()
        log = self.log()
        locker = self.lock()
        blank = screen()
        run = self.goal('type "secret"')
        run.wait_for(lambda: "PAUSED" in run.states())
        self.assertIn(self.outcomes(run), ([], [("REFUSED", "SESSION_LOCKED")]))
        self.assertEqual("CAUSE_SESSION_LOCKED", run.facts("actuator.pause")[0]["pause"]["cause"])
        self.assertEqual([], [line for line in log.injected() if line[2] in ("press", "button")])
        self.assert_locker_saw_nothing(blank)
        locker.kill()
        locker.wait()
        self.assertEqual(DONE, self.sandbox.run("resume").wait())
        self.assert_ends(run, DONE)
        self.assertIn("press", [line[2] for line in log.injected()])

    def test_a_screen_locker_that_appears_during_typing_receives_no_key(self):
        self.open_window()
        log = self.log()
        blank = None
        for _ in range(RUNS):
            with Sandbox() as sandbox:
                run = self.typing(LONG_TEXT, log, sandbox)
                locker = self.lock()
                self.assertEqual(FAILED, run.wait(), run.said())
                self.assertEqual([("INTERRUPTED", "SESSION_LOCKED")], self.outcomes(run)[:1])
                blank = blank or screen()
                self.assertTrue(blank == screen())
                if _ == RUNS - 1:
                    self.assert_locker_saw_nothing(blank)
                locker.kill()
                locker.wait()
                self.assert_untouched()

    def test_an_active_screen_saver_stops_input(self):
        self.open_window()
        self.desktop.start(PYTHON, str(PROGRAMS / "screen_saver.py"))
        wait_until(lambda: "true" in x11.ask(
            "gdbus", "call", "--session", "--dest", "org.freedesktop.ScreenSaver", "--object-path",
            "/org/freedesktop/ScreenSaver", "--method", "org.freedesktop.ScreenSaver.GetActive"), "it is active")
        run = self.goal('type "secret"')
        run.wait_for(lambda: "PAUSED" in run.states())
        self.assertIn(self.outcomes(run), ([], [("REFUSED", "SESSION_LOCKED")]))
        run.process.send_signal(signal.SIGINT)
        self.assert_ends(run, INTERRUPTED)


if __name__ == "__main__":
    unittest.main()
