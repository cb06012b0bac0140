"""Mouse and key events arrive like those of a person; xev records them."""

import x11
from console import DENIED, DONE, RULES, SERVICE_LOST

LEFT, MIDDLE, RIGHT, UP, DOWN = 1, 2, 3, 4, 5
DOUBLE_CLICK_MS = 400  # GTK and Qt accept at most this time.


class Mouse(x11.DesktopTest):
    def setUp(self):
        super().setUp()
        self.window = self.xev()
        # xev has no accessibility and no known process, so the shipped rules would ask about each click.
        rules = RULES.read_text()
        self.rules = self.sandbox.path("rules.toml")
        self.rules.write_text(rules.replace('name = "pointer-without-element"',
                                            'name = "pointer-without-element"\nexcept.window = "^Event Tester$"'))
        self.assertNotEqual(rules, self.rules.read_text())

    def carry_out(self, goal):
        self.assert_ends(self.goal(goal, rules=self.rules), DONE)
        self.window.drain()

    def test_a_click_on_no_known_element_needs_an_approval(self):
        self.assert_ends(self.goal("click at 345,267", "--approval-expiry", "1s"), DENIED)
        self.window.drain()
        self.assertEqual([], self.window.buttons())

    def test_a_click_arrives_at_its_coordinates(self):
        self.carry_out("click at 345,267")
        self.assertEqual([(LEFT, 345, 267)], self.window.buttons())
        self.assertEqual([(LEFT, 345, 267)], self.window.buttons("ButtonRelease"))

    def test_a_double_click_is_two_clicks_within_the_double_click_time(self):
        self.carry_out("double-click at 300,250")
        self.assertEqual([(LEFT, 300, 250)] * 2, self.window.buttons())
        first, second = self.window.press_times()
        self.assertLess(second - first, DOUBLE_CLICK_MS)

    def test_a_right_click_uses_button_3(self):
        self.carry_out("right-click at 301,251")
        self.assertEqual([(RIGHT, 301, 251)], self.window.buttons())

    def test_scrolling_counts_notches_both_ways(self):
        self.carry_out("scroll down 3 at 310,260; scroll up 2 at 310,260")
        self.assertEqual([DOWN] * 3 + [UP] * 2, [button for button, _, _ in self.window.buttons()])

    def test_a_drag_holds_the_button_between_its_two_places(self):
        self.carry_out("drag from 260,220 to 420,330")
        self.assertEqual([(LEFT, 260, 220)], self.window.buttons())
        self.assertEqual([(LEFT, 420, 330)], self.window.buttons("ButtonRelease"))

    def test_the_pointer_stays_after_a_click(self):
        self.carry_out("click at 345,267")
        self.assertIn("x:345 y:267", x11.ask("xdotool", "getmouselocation"))


class Keys(x11.DesktopTest):
    def setUp(self):
        super().setUp()
        self.window = self.xev()

    def test_a_chord_presses_and_releases_all_its_keys(self):
        self.assert_ends(self.goal("press ctrl+shift+k"), DONE)
        self.window.drain()
        self.assertEqual(["Control_L", "Shift_L", "K"], self.window.keys())
        self.assertEqual(["Control_L", "K", "Shift_L"], sorted(self.window.keys("KeyRelease")))

    def test_function_and_arrow_keys_arrive(self):
        for key, name in (("F5", "F5"), ("left", "Left"), ("pagedown", "Next"), ("home", "Home"), ("tab", "Tab"),
                          ("backspace", "BackSpace"), ("delete", "Delete"), ("enter", "Return"), ("space", "space")):
            with self.subTest(key=key):
                self.window.text = ""
                self.assert_ends(self.goal(f"press {key}"), DONE)
                self.window.drain()
                self.assertEqual([name], self.window.keys())

    def test_chords_that_end_a_session_never_arrive(self):
        for chord in ("ctrl+shift+esc", "ctrl+alt+delete", "ctrl+alt+backspace", "ctrl+alt+f1"):
            with self.subTest(chord=chord):
                self.assert_ends(self.goal(f"press {chord}"), DENIED)
        self.window.drain()
        self.assertEqual([], self.window.keys())

    def test_the_keyboard_map_is_unchanged_after_typing(self):
        before = x11.ask("xkbcomp", x11.display(), "-")
        self.assert_ends(self.goal('type "漢字 🙂 €"'), DONE)
        self.assertEqual(before, x11.ask("xkbcomp", x11.display(), "-"))
        self.assertNotEqual("", before)

    def test_the_next_actuator_restores_the_keyboard_map_of_a_killed_one(self):
        before = x11.ask("xkbcomp", x11.display(), "-")
        run = self.goal('type "漢字"; wait 5 seconds')
        run.wait_for(lambda: run.states().count("ACTING") == 2)
        self.assertNotEqual(before, x11.ask("xkbcomp", x11.display(), "-"))
        run.kill_service("actuator")
        self.assertEqual(SERVICE_LOST, run.wait(), run.said())
        self.assert_ends(self.goal("wait 1 seconds"), DONE)
        self.assertEqual(before, x11.ask("xkbcomp", x11.display(), "-"))


if __name__ == "__main__":
    x11.main()
