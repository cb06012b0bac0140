"""What another program reads from the recycle bin that the Windows build writes: rifiuti2, which examines real ones."""

import os
import subprocess
import unittest

from wine import PREFIX, TESTS, WINE

PROGRAM = TESTS / "fake_contract_test.exe"
NAMES = ["no extension", ".hidden", "Grüße 漢字 \U0001f600 100%41 #1;[x].tar.gz", "x" * 120 + ".txt"]


class RecycleBin(unittest.TestCase):
    def read(self):
        """The size and path of each removed file, by the name of its information file."""
        files = {}
        for folder in (PREFIX / "drive_c/$Recycle.Bin").glob("S-*"):
            shown = subprocess.run(["rifiuti-vista", str(folder)], capture_output=True, text=True, timeout=60, check=True,
                                   env=dict(os.environ, LC_ALL="C.UTF-8"))
            self.assertIn("OS Guess: Windows 10 or above", shown.stdout)
            rows = [line.split("\t") for line in shown.stdout.splitlines() if line.startswith("$I")]
            files.update({row[0]: (int(row[2]), row[3]) for row in rows})
        return files

    def test_paths_and_sizes_are_shown(self):
        before = self.read()
        ran = subprocess.run([WINE, str(PROGRAM), "--gtest_filter=FilesContract.FilesOfAnyNameAreKept"],
                             capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(0, ran.returncode, ran.stdout + ran.stderr)
        new = [file for name, file in self.read().items() if name not in before]
        self.assertEqual({(len(name.encode()), name) for name in NAMES},
                         {(size, path.rsplit("\\", 1)[1]) for size, path in new if "da-test-" in path})
        self.assertTrue(all(path.startswith("C:\\users\\") for _, path in new), new)


if __name__ == "__main__":
    unittest.main()
