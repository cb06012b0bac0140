"""Dragging between named targets, choosing in a drop-down list, and blocks of sentences, on a GTK program."""

import json

import x11
from console import DONE, PROGRAMS


class Board(x11.DesktopTest):
    def setUp(self):
        super().setUp()
        self.state = self.sandbox.path("board.json")
        self.open("/usr/bin/python3", str(PROGRAMS / "gtk_board.py"), str(self.state), title="Board")
        x11.wait_until(self.state.exists, "the board is painted")

    def now(self):
        return json.loads(self.state.read_text())

    def test_a_card_is_dragged_to_a_list_by_name(self):
        run = self.goal('drag "card 1" to "Done"; drag "card 2" to "Doing"')
        self.assert_ends(run, DONE, seconds=60)
        x11.wait_until(lambda: self.now()["lists"] == {"To do": [], "Doing": ["card 2"], "Done": ["card 1"]}, self.now)

    def test_an_item_is_chosen_in_a_drop_down_list(self):
        run = self.goal('select "Blue" in "Colour"')
        self.assert_ends(run, DONE, seconds=60)
        self.assertEqual("Blue", self.now()["colour"])

    def test_conditions_repetitions_and_optional_sentences_work(self):
        run = self.goal('''
            # A first-run dialog that does not come.
            optional within 1 seconds: click "Later"
            if "Welcome" is visible: click "Close"
            if "card 1" is visible: {
              repeat 2 times: { drag "card 1" to "Done"; drag "card 1" to "To do" }  # There and back.
            }
            check "Welcome" is not visible''')
        self.assert_ends(run, DONE, seconds=120)
        self.assertEqual(4, self.now()["begun"])
        self.assertIn("5 sentences were carried out, 1 left out by their condition, 1 optional left out", run.said())


class LateDrag(x11.DesktopTest):
    """Bug: a browser on a busy machine began the drag only after the release, so that nothing was dropped."""

    def test_a_drag_that_begins_late_drops_its_card(self):
        events = self.sandbox.path("events")
        for kind, x in (("late-card", 50), ("bin", 700)):
            self.open("/usr/bin/python3", str(PROGRAMS / "gtk_drop.py"), kind, str(x), "100", str(events),
                      title=f"The {kind}")
        run = self.goal('focus "The late-card"; drag from 200,200 to 850,200')
        self.assert_ends(run, DONE, seconds=60)
        x11.wait_until(lambda: events.exists() and "dropped" in events.read_text(), "the card is dropped")


if __name__ == "__main__":
    x11.main()
