"""The planner holds a mouse button that a person has approved, and tries a drop that nobody has approved. On X11."""

import itertools
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

import x11  # noqa: E402
from connections_test import PYTHON  # noqa: E402
from console import ALL_CASES, wait_until  # noqa: E402
from foreign import ACTED, ForeignTest  # noqa: E402
from vnc_desktop import held  # noqa: E402

GTK_DROP = pathlib.Path(__file__).resolve().parents[1] / "programs/gtk_drop.py"
ROUNDS = 8 if ALL_CASES else 3  # At least; more until moves were tried at each moment.
RELEASED_S = 40  # The actuator releases a held button after 10 s without a step.
DOUBLE_CLICK_S = 0.6  # GTK takes a press that comes sooner for a double click, which may begin no drag.
DROP_S = 0.3  # A drop arrives within this time.


class HeldButton(ForeignTest, x11.DesktopTest):
    def setUp(self):
        super().setUp()
        self.events = {}
        for kind, left in (("card", 200), ("bin", 900)):
            self.events[kind] = self.sandbox.path(kind)
            self.events[kind].write_text("")
            self.open(PYTHON, str(GTK_DROP), kind, str(left), "300", str(self.events[kind]), title=f"The {kind}")
        self.card, self.bin = self.middle("The card"), self.middle("The bin")
        self.start(backend="x11")
        self.token = self.new_task()

    @staticmethod
    def middle(title):
        def geometry():
            told = x11.ask("xdotool", "getwindowgeometry", "--shell", x11.window_of(title))
            return {name: int(value) for name, value in re.findall(r"([A-Z]+)=(-?\d+)", told)}
        # The window is at 0,0 until the window manager places it.
        place = wait_until(lambda: (at := geometry()).get("X", 0) > 0 and at, f"{title} has its place")
        return place["X"] + place["WIDTH"] // 2, place["Y"] + place["HEIGHT"] // 2

    @staticmethod
    def pointer():
        return tuple(map(int, re.findall(r"[xy]:(-?\d+)", x11.ask("xdotool", "getmouselocation"))))

    def of(self, kind, event):
        return self.events[kind].read_text().split("\n").count(event)

    def mouse(self, gesture, place, token=None):
        return self.submit(token or self.token, mouse={"x": place[0], "y": place[1], "action": f"GESTURE_{gesture}"})

    def assert_approved(self, step):
        """A person approves the step, and it is carried out."""
        self.assertIsNotNone(step.question(), step.submitted.answer)
        self.assertEqual("OK", step.approve()["code"])
        self.assertIn(step.outcome()["kind"], ACTED, step.outcome())

    def dispatched_or_denied(self, step):
        """Returns whether the step was carried out without a question. Denies it where it is asked about."""
        if step.question() is None:
            return step.outcome()["kind"] in ACTED
        step.deny()
        return False

    def press(self):
        """A person approves that the button is pressed on the card."""
        wait_until(lambda: self.of("card", "ended") == self.of("card", "begun"), "the last drag has ended")
        time.sleep(DOUBLE_CLICK_S)
        wait_until(self.approved_press, "nothing covers the card", 10)
        self.assert_held()

    def approved_press(self):
        """False while the picture of the last drag, which flies back, still covers the card."""
        step = self.mouse("DOWN", self.card)
        self.assertIsNotNone(step.question(), step.submitted.answer)
        self.assertEqual("OK", step.approve()["code"])
        outcome = step.outcome()
        if outcome["kind"] == "KIND_REFUSED":
            self.assertEqual("CODE_STALE_TARGET", outcome["code"], outcome)
            return False
        self.assertIn(outcome["kind"], ACTED, outcome)
        return True

    def assert_held(self):
        found = held()
        self.assertEqual(1, len(found), found)

    def assert_not_dropped(self):
        """After the button's release."""
        wait_until(lambda: not held(), lambda: f"the button is released: {held()}", RELEASED_S)
        time.sleep(DROP_S)
        self.assertEqual(self.drops, self.of("bin", "dropped"))

    def drag_over_bin(self):
        """A person approves the press and the moves over the bin, but no release."""
        self.press()
        over = self.of("bin", "over")
        # A busy program receives several moves as one, and a drag that begins with the last one is over nothing yet.
        places = itertools.chain([((self.card[0] + self.bin[0]) // 2, self.card[1])],
                                 itertools.cycle([self.bin, (self.bin[0] + 3, self.bin[1])]))

        def is_over():
            place = next(places)
            self.assert_approved(self.mouse("MOVE", place))
            self.assertEqual(place, self.pointer())
            return self.of("bin", "over") > over
        wait_until(is_over, lambda: f"the card is over the bin; {[file.read_text() for file in self.events.values()]}, "
                                    f"held: {held()}")

    def assert_drop_by_approved_steps(self):
        """The control: if the release is approved too, the card is dropped."""
        before = self.of("bin", "dropped")
        self.drag_over_bin()
        self.assert_approved(self.mouse("UP", self.pointer()))
        wait_until(lambda: self.of("bin", "dropped") > before, lambda: f"a drop; {self.events['bin'].read_text()}")
        self.drops = before + 1

    def test_moves_with_a_held_button_are_asked_about(self):
        self.assert_drop_by_approved_steps()
        # Without a held button, a move is allowed at once.
        free = self.mouse("MOVE", self.bin)
        self.assertIsNone(free.question())
        self.assertIn(free.outcome()["kind"], ACTED)
        self.assertEqual(self.bin, self.pointer())

        self.press()
        waiting = [self.mouse("MOVE", (self.bin[0] + offset, self.bin[1])) for offset in (0, 5, 10, -700)]
        for step in waiting:
            question = step.question()
            self.assertIsNotNone(question, step.submitted.answer)
            self.assertNotEqual("RISK_SAFE", question["risk"])
        self.assertEqual(self.card, self.pointer())
        self.assert_not_dropped()
        for step in waiting:
            step.deny()
            self.assertEqual("KIND_REFUSED", step.outcome()["kind"])
        self.assert_drop_by_approved_steps()

    def test_denied_steps_drop_nothing(self):
        self.assert_drop_by_approved_steps()
        self.press()
        at = dict(zip("xy", self.bin))
        for action in ({"mouse": {**at, "action": "GESTURE_MOVE"}}, {"mouse": {**at, "action": "GESTURE_UP"}},
                       {"mouse": at}, {"scroll": {**at, "dy": 1}},
                       {"drag": {"path": [dict(zip("xy", self.card)), at]}}):
            with self.subTest(action=action):
                # Moves nothing, but the actuator counts the time until it releases the button anew.
                self.assert_approved(self.mouse("MOVE", self.card))
                step = self.submit(self.token, **action)
                self.assertIsNotNone(step.question(), step.submitted.answer)
                step.deny()
                self.assertEqual("KIND_REFUSED", step.outcome()["kind"])
                self.assertEqual(self.card, self.pointer())
                self.assert_held()
        self.assert_not_dropped()

    def test_a_release_without_an_approval_drops_nothing(self):
        self.assert_drop_by_approved_steps()
        other = self.new_task()
        for name, release in (("another task", lambda: self.mouse("MOVE", self.bin, other).question()),
                              ("a halt", lambda: self.person.call("Policy/Halt", by="anybody")),
                              ("the end of 10 s", lambda: None)):
            with self.subTest(released_by=name):
                self.drag_over_bin()
                release()
                self.assert_not_dropped()
                self.assertEqual("OK", self.person.call("Policy/Resume", by="anybody")["code"])

    def test_moves_of_another_task_drop_nothing(self):
        self.assert_drop_by_approved_steps()
        other = self.new_task(limits={"steps": 100_000, "steps_per_second": 100_000})
        before = after = 0
        rounds = 0
        while rounds < ROUNDS or (min(before, after) == 0 and rounds < 5 * ROUNDS):
            rounds += 1
            down = self.mouse("DOWN", self.card)
            self.assertIsNotNone(down.question())
            approval = self.person.begin("Policy/Approve", approval_id=down.approval_id, approver="anybody")
            moves = []
            while not down.submitted.ended.is_set():
                moves.append(self.mouse("MOVE", self.bin, other))
                # A move that comes after the press but before its outcome is asked about, and does not end.
                while not (moves[-1].submitted.ended.wait(0.01) or down.submitted.ended.is_set()):
                    pass
            before += sum(self.dispatched_or_denied(move) for move in moves)
            self.assertEqual("OK", approval.wait()["code"])
            after += sum(self.dispatched_or_denied(self.mouse("MOVE", self.bin, other)) for _ in range(3))
            self.assert_not_dropped()
        print(f"{rounds} rounds: {before} moves of another task before and beside the press, {after} after it",
              flush=True)
        self.assertGreater(min(before, after), 0)
        self.assert_drop_by_approved_steps()


if __name__ == "__main__":
    x11.main()
