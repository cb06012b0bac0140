"""Sentences that point, select, set and copy. The programs' own logs tell what arrived."""

import json
import re

import x11
from console import DONE, FAILED, PROGRAMS

PYTHON = "/usr/bin/python3"
WINDOW = str(PROGRAMS / "gtk_sentences.py")
FORM = str(PROGRAMS / "tk_form.py")


class Sentences(x11.DesktopTest):
    def setUp(self):
        super().setUp()
        self.log = self.sandbox.path("log")
        self.log.touch()
        self.open(PYTHON, WINDOW, str(self.log), title="Sentences")

    def lines(self):
        return self.log.read_text().splitlines()

    def carried_out(self, goal):
        self.log.write_text("")
        self.assert_ends(self.goal(goal), DONE, seconds=60)

    def test_a_field_is_named_by_its_place_or_number(self):
        for target, name in (('field right of "Receiver"', "Receiver"), ('right of "Sender"', "Sender"),
                             ('2nd text field in "Sentences"', "Receiver")):
            with self.subTest(target):
                self.carried_out(f'type "5" into {target}')
                self.assert_becomes(f"{name} 5", lambda: self.lines()[-1] if self.lines() else "")

    def test_a_button_is_named_by_its_row(self):
        self.carried_out('click "Browse" in row "Receiver" with ctrl and shift')
        self.assert_becomes(True, lambda: "pressed Browse ctrl+shift" in self.lines())

    def test_keys_are_held_only_during_the_click(self):
        self.carried_out('click "Tools" with shift; wait 1 second; click "Tools"')
        self.assert_becomes(["pressed Tools shift", "pressed Tools none"],
                            lambda: [line for line in self.lines() if line.startswith("pressed")])

    def test_hover_enters_the_target_and_presses_nothing(self):
        self.carried_out('hover "Tools"; wait 1 second')
        self.assertIn("entered Tools", self.lines())
        self.assertFalse([line for line in self.lines() if line.startswith("pressed")])

    def test_each_hover_enters_its_target(self):
        self.carried_out('hover "Tools"; hover "Volume"; hover "Tools"')
        self.assert_becomes(2, lambda: self.lines().count("entered Tools"))

    def test_a_slider_and_a_spin_button_are_set(self):
        for goal, line in (('set "Volume" to 40', "volume 40"), ('move "Volume" to 100%', "volume 100"),
                           ('set "Copies" to 35', "copies 35")):
            with self.subTest(goal):
                self.carried_out(goal)
                self.assert_becomes(line, lambda: self.lines()[-1] if self.lines() else "")

    def test_a_value_that_cannot_be_set_fails(self):
        self.assert_ends(self.goal('set "Volume" to 101'), FAILED, seconds=60)
        self.assert_ends(self.goal('set "Tools" to 1'), FAILED, seconds=60)

    def test_several_rows_are_selected(self):
        self.carried_out('select "a.txt", "c.txt" in "Files"')
        self.assert_becomes("selected a.txt c.txt", lambda: self.lines()[-1] if self.lines() else "")

    def test_a_copied_text_is_typed(self):
        self.carried_out('copy "Order" as order; type "no. {{order}}" into field right of "Sender"')
        self.assert_becomes("Sender no. 4711", lambda: self.lines()[-1] if self.lines() else "")

    def test_waits_and_loops_follow_conditions(self):
        self.carried_out('wait until "Tools" is enabled 5 seconds; while "Nobody" is visible: click "Tools"')
        self.assertFalse([line for line in self.lines() if line.startswith("pressed")])
        run = self.goal('while "Tools" is enabled at most 2 times: click "Tools"')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn("still true after 2 rounds", run.errors())

    def test_each_printed_target_names_one_element_and_is_accepted(self):
        listed = self.sandbox.run("elements", "Sentences", "--json")
        self.assert_ends(listed, DONE)
        targets = [element["target"] for element in map(json.loads, listed.stdout) if "target" in element]
        self.assertEqual(sorted(set(targets)), sorted(targets))
        buttons = [target for target in targets if "Browse" in target]
        self.assertEqual(2, len(buttons), targets)
        for target in buttons:
            with self.subTest(target):
                self.carried_out(f"click {target}")
                self.assert_becomes(1, lambda: self.lines().count("pressed Browse none"))

    def test_an_ambiguous_name_is_told_with_targets_that_work(self):
        run = self.goal('click "Browse"')
        self.assert_ends(run, FAILED, seconds=60)
        self.assertIn('1st "Browse" (push button', run.errors())
        self.assertIn('2nd "Browse" (push button', run.errors())


# Labels that look like buttons, two of them with one name. Each writes its number when it is clicked.
TWINS = """
import sys
import tkinter
window = tkinter.Tk(className="Twins")
window.geometry("500x300+100+100")
def add(number, text, x, y):
    label = tkinter.Label(window, text=text, font=("DejaVu Sans", 12), relief="raised", padx=10, pady=4)
    label.place(x=x, y=y)
    label.bind("<Button-1>", lambda event: open(sys.argv[1], "a").write(f"{number}\\n"))
for number, place in enumerate((("Delete", 20, 20), ("Delete", 300, 200), ("Save As", 20, 100), ("Save", 300, 100))):
    add(number, *place)
window.mainloop()
"""


class WithoutAccessibility(x11.DesktopTest):
    def test_equal_texts_are_ambiguous_and_an_exact_one_comes_first(self):
        rules = self.sandbox.path("rules.toml")
        rules.write_text('[[rule]]\nname = "all"\nverdict = "allow"\nreason = "a test"\nmatch.tool = ["mouse"]\n')
        log = self.sandbox.path("clicked")
        log.touch()
        self.open(PYTHON, "-c", TWINS, str(log), title="twins")
        run = self.goal('click "Delete"', rules=rules)
        self.assert_ends(run, FAILED, seconds=60)
        message = run.facts("planner.end")[-1]["result"]["summary"]
        suggested = re.findall(r'\d\w\w "Delete"', message)
        self.assertEqual(['1st "Delete"', '2nd "Delete"'], suggested)
        self.assert_ends(self.goal(f'click {suggested[1]}; click "Save"', rules=rules), DONE, seconds=60)
        self.assert_becomes("1\n3\n", log.read_text)

    def test_a_field_is_found_by_its_box_in_the_picture(self):
        # The shipped rules ask about a click where no element is known.
        rules = self.sandbox.path("rules.toml")
        rules.write_text('[[rule]]\nname = "all"\nverdict = "allow"\nreason = "a test"\nmatch.tool = ["mouse", "write"]\n')
        for target in ('field right of "Receiver"', '2nd text field', '"Receiver"'):
            with self.subTest(target):
                log = self.sandbox.path(f"log-{len(target)}")
                log.touch()
                program = self.open(PYTHON, FORM, str(log), title="Transfer")
                self.assert_ends(self.goal(f'type "5" into {target}', rules=rules), DONE, seconds=60)
                self.assert_becomes("Receiver 5\n", log.read_text)
                program.kill()
                program.wait()


if __name__ == "__main__":
    x11.main()
