"""da-actuator.exe and da-guardian.exe as files: they need only DLLs that each Windows 10 has, and are small."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from wine import BIN

TOOLS = "x86_64-w64-mingw32-"
LARGEST = 20_000_000  # Bytes, without debug information, as deploy/windows/package ships them.
SYSTEM = {"advapi32", "bcrypt", "crypt32", "dbghelp", "dwmapi", "gdi32", "imm32", "iphlpapi", "kernel32", "msvcrt",
          "ole32", "oleacc", "oleaut32", "shcore", "shell32", "user32", "winmm", "ws2_32", "wtsapi32"}


class Programs(unittest.TestCase):
    PROGRAMS = ("da-actuator.exe", "da-guardian.exe")

    def test_they_import_system_dlls_only(self):
        for program in self.PROGRAMS:
            headers = subprocess.run([TOOLS + "objdump", "-p", str(BIN / program)], capture_output=True, text=True,
                                     check=True, timeout=60).stdout
            imported = {name.lower().removesuffix(".dll") for name in re.findall(r"DLL Name: (\S+)", headers)}
            self.assertIn("kernel32", imported)
            self.assertEqual(set(), imported - SYSTEM, program)

    def test_they_are_small(self):
        with tempfile.TemporaryDirectory() as folder:
            for program in self.PROGRAMS:
                stripped = pathlib.Path(folder) / program
                subprocess.run([TOOLS + "strip", "-o", str(stripped), str(BIN / program)], check=True, timeout=60)
                self.assertLess(stripped.stat().st_size, LARGEST, program)


if __name__ == "__main__":
    unittest.main()
