"""A program that ends itself, as the kill switch ends da-actuator.exe, is gone under Wine, whatever its threads do."""

import subprocess
import unittest

from wine import TESTS, WINE

TRIES = 40


class EndProcess(unittest.TestCase):
    def test_a_process_with_busy_connections_is_gone(self):
        for number in range(TRIES):
            with self.subTest(number=number):
                # Of the Linux process: Wine may call a process ended whose threads are still there.
                ended = subprocess.run([WINE, str(TESTS / "ends_while_busy.exe")], stdin=subprocess.DEVNULL, timeout=20,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
                self.assertEqual(3, ended.returncode)


if __name__ == "__main__":
    unittest.main()
