"""Points beyond the desktop, which would be on it in 16 bits. On X11, which has coordinates of 16 bits."""

import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

import x11  # noqa: E402
from console import ALL_CASES, wait_until  # noqa: E402
from foreign import ACTED, ForeignTest  # noqa: E402
from vnc_desktop import held  # noqa: E402

WRAP = 1 << 16
FAR = [WRAP + 300, 7 * WRAP + 300, 300 - WRAP, 300 - 3 * WRAP, 32768, -32769, -1, (1 << 31) - 1, -(1 << 31),
       (1 << 31) - WRAP + 300, 300 - (1 << 31)]
SIDES = (lambda far: (far, 300), lambda far: (300, far), lambda far: (far, far))
FIRST, LAST = (300, 300), (420, 330)  # In the window of xev.
CORNER = (1500, 900)


def point(place):
    return dict(zip("xy", place))


def beyond():
    """Places with one or both coordinates beyond the desktop: each value at two of the three sides, or at all."""
    return [place(far) for place, far in zip(itertools.cycle(SIDES), FAR * (3 if ALL_CASES else 2))]


class Points(ForeignTest, x11.DesktopTest):
    def setUp(self):
        super().setUp()
        self.window = self.xev()
        self.start(backend="x11")
        self.token = self.new_task(unlock_writes=True, limits={"steps_per_second": 100_000})
        x11.ask("xdotool", "mousemove", *map(str, CORNER))
        self.pointer = x11.ask("xdotool", "getmouselocation")

    def drag(self, *places):
        return {"drag": {"path": [point(place) for place in places]}}

    def done(self, action):
        """Submits, and approves if the step is asked about. Returns the outcome."""
        step = self.submit(self.token, **action)
        if step.question() is not None:
            self.assertEqual("OK", step.approve()["code"])
        return step.outcome()

    def assert_nothing_happened(self):
        self.assertEqual(self.pointer, x11.ask("xdotool", "getmouselocation"))
        self.assertEqual([], held())
        self.assertEqual([], self.window.buttons() + self.window.buttons("ButtonRelease"))

    def assert_refused(self, outcome, far):
        self.assertEqual(("KIND_REFUSED", "CODE_INVALID"), (outcome["kind"], outcome["code"]), outcome)
        self.assertIn(f"the point at {far[0]},{far[1]} is outside the desktop", outcome["message"])
        self.assert_nothing_happened()

    def assert_a_drag_arrives(self):
        """The control: a drag on the desktop reaches the window."""
        self.assertIn(self.done(self.drag(FIRST, (350, 310), LAST))["kind"], ACTED)
        wait_until(lambda: self.window.buttons("ButtonRelease"), "xev has the release")
        self.assertEqual([(1, *FIRST)], self.window.buttons())
        self.assertEqual([(1, *LAST)], self.window.buttons("ButtonRelease"))

    def test_drags_over_points_beyond_the_desktop(self):
        for far in beyond():
            for path in ((FIRST, far), (FIRST, far, LAST), (FIRST, (350, 310), far, (360, 310), LAST), (far, LAST)):
                with self.subTest(path=path):
                    self.assert_refused(self.done(self.drag(*path)), far)
        self.assert_a_drag_arrives()

    def test_other_tools_beyond_the_desktop(self):
        for far in beyond():
            for action in ({"mouse": point(far)}, {"scroll": {**point(far), "dy": 1}},
                           *({"mouse": {**point(far), "action": f"GESTURE_{gesture}"}}
                             for gesture in ("MOVE", "DOWN", "UP"))):
                with self.subTest(action=action):
                    self.assert_refused(self.done(action), far)
        self.assert_a_drag_arrives()

    def test_an_approver_s_edit_beyond_the_desktop(self):
        for far in beyond():
            with self.subTest(far=far):
                step = self.submit(self.token, **self.drag(FIRST, LAST))
                self.assertIsNotNone(step.question(), "the shipped rules ask about a window without elements")
                edited = self.person.call("Policy/Edit", approval_id=step.approval_id, approver="anybody",
                                          action=self.drag(FIRST, far, LAST))
                self.assertEqual("OK", edited["code"], edited)
                self.assert_refused(step.outcome(), far)
        self.assert_a_drag_arrives()


if __name__ == "__main__":
    x11.main()
