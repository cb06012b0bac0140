"""The clipboard after da-actuator.exe has pasted and the kill switch has ended it, as a program of the X server sees it."""

import subprocess
import unittest

import actuator_test  # First: it sets the path.
from console import DONE, wait_until
from real_keys import RealKeys


class KillSwitchAfterAPaste(actuator_test.DisplayTest):
    PREVIOUS = "what the person had copied 漢"
    PASTED = "a secret that was pasted"

    def xclip(self, *arguments, **options):
        """Wine shares its clipboard with the X server."""
        command = ["timeout", "5", "xclip", "-display", self.display, "-selection", "clipboard", *arguments]
        return subprocess.run(command, timeout=10, text=True, check=False, **options)

    def on_the_clipboard(self):
        return self.xclip("-o", "-t", "UTF8_STRING", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def test_previous_content_is_back(self):
        self.start()
        # xclip stays as its owner. No output: nobody would close it.
        self.xclip("-i", input=self.PREVIOUS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run = self.console("--json", "--unlock-writes", "--goal", f'open "notepad"; paste "{self.PASTED}"')
        self.assertEqual(DONE, run.wait(120), run.said())
        wait_until(lambda: self.on_the_clipboard() == self.PASTED, "the text is offered", 20)
        keys = RealKeys(self.display)
        self.addCleanup(keys.close)
        for key in ("Control_L", "Shift_L", "Escape"):
            keys.press(key)
        self.assertEqual(1, self.processes.pop("actuator").wait(30))
        for key in ("Escape", "Shift_L", "Control_L"):
            keys.release(key)
        wait_until(lambda: self.on_the_clipboard() == self.PREVIOUS, "the previous content is back", 20)
        self.wine("taskkill", "/f", "/im", "notepad.exe")


if __name__ == "__main__":
    unittest.main()
