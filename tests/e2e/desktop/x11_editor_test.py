"""Goals that write a document in a real editor; the file must have exactly the expected bytes.

DA_E2E_RUNS is the number of runs in a row (default 3).
"""

import os
import statistics

import x11
from console import DONE

RUNS = int(os.environ.get("DA_E2E_RUNS", "3"))

PARAGRAPH = ("Zwölf Boxkämpfer jagen Viktor über den großen Sylter Deich — naïve façade, œuvre, Ångström.\n"
             "漢字とかな 混ぜて書く。北京 서울 Ελλάδα Москва\n"
             "\tTab, \"quotes\", back\\slash, {braces}; then <angle> & 100 % €  two spaces 🙂\n"
             "aaaa AAAA 1111 !!!! ÄÖÜ äöü ß ñ ç é è ê\n\n")


def text_of(length):
    return (PARAGRAPH * (length // len(PARAGRAPH) + 1))[:length - 1] + "\n"


class Editor(x11.DesktopTest):
    def test_the_file_is_identical_in_every_run(self):
        text = text_of(500)
        self.assertEqual(500, len(text))
        times = []
        for number in range(1, RUNS + 1):
            times.append(self.write_document(self.sandbox.path(f"document-{number}.txt"), text))
            self.sandbox.clear()
            self.sandbox = type(self.sandbox)()  # A new home directory.
            self.addCleanup(self.sandbox.clear)
        print(f"{RUNS} runs in a row: median {statistics.median(times):.2f} s, longest {max(times):.2f} s")

    def write_document(self, file, text):
        run = self.goal(f'open mousepad; type {x11.quote(text)}; press ctrl+s; type "{file}" into "Name"; click "Save"; '
                        f'check window "{file.name}" is open; close "Mousepad"')
        self.assert_ends(run, DONE, seconds=90)
        self.assertEqual(text.encode(), file.read_bytes())
        self.assertEqual([], x11.titles())
        outcome = [outcome for outcome in run.facts("actuator.outcome") if outcome["tool"] == "write"][0]
        self.assertEqual((len(text), len(text)), (outcome["done"], outcome["total"]))
        return run.seconds

    def test_the_title_names_the_file_and_the_window_closes(self):
        file = self.sandbox.path("named.txt")
        run = self.goal(f'open mousepad; type "x"; press ctrl+s; type "{file}" into "Name"; click "Save"; '
                        f'check window "{file.name}" is open')
        self.assert_ends(run, DONE, seconds=90)
        self.assertEqual([f"{file} - Mousepad"], x11.titles())
        self.assert_ends(self.goal('close "named.txt"'), DONE)
        self.assertEqual([], x11.titles())
        self.assertEqual("x", file.read_text())

    def test_a_long_text_is_typed_without_loss(self):
        text = text_of(5000)
        file = self.sandbox.path("long.txt")
        run = self.goal(f'open mousepad; type {x11.quote(text)}; press ctrl+s; type "{file}" into "Name"; click "Save"; '
                        f'check window "{file.name}" is open; close "Mousepad"')
        self.assert_ends(run, DONE, seconds=120)
        self.assertEqual(text, file.read_text())


if __name__ == "__main__":
    x11.main()
