"""The zip of deploy/windows/package: its files, and the commands of its README as a user enters them, under Wine."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import tomllib
import unittest
import zipfile

from wine import NATIVE_BIN, PREFIX, ROOT, WINE

PACKAGE = ROOT / "deploy/windows/package"
README = ROOT / "deploy/windows/README.txt"
EXAMPLE = ROOT / "deploy/config/hosts/actuator-windows/actuator.toml"
VERSION = re.search(r'kVersion = "(.*)"', (ROOT / "lib/service/version.h").read_text())[1]
FOLDER = f"desktopassist-actuator-{VERSION}"
CONSOLE = NATIVE_BIN / "da-console"
TASK = PREFIX / "drive_c/windows/system32/tasks/DesktopAssist actuator"
INSTALLED = PREFIX / "drive_c/Program Files/DesktopAssist"
COMMAND = re.compile(r'(?:da-console|schtasks|"C:\\Program Files\\DesktopAssist\\da-actuator\.exe") .*?(?=   |\r)')


def make(file):
    subprocess.run([str(PACKAGE), str(file)], capture_output=True, timeout=300, check=True)
    return zipfile.ZipFile(file)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="package ")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.zip = make(cls.folder / "one.zip")
        cls.addClassCleanup(cls.zip.close)
        cls.readme = cls.read("README.txt").decode()

    @classmethod
    def read(cls, name):
        return cls.zip.read(f"{FOLDER}/{name}")

    def test_it_holds_these_files_and_no_others(self):
        names = ["da-actuator.exe", "da-guardian.exe", "README.txt", "actuator.example.toml"]
        self.assertEqual([f"{FOLDER}/{name}" for name in names], self.zip.namelist())
        self.assertIsNone(self.zip.testzip())

    def test_the_same_programs_make_the_same_bytes(self):
        with make(self.folder / "two.zip"):
            self.assertEqual((self.folder / "one.zip").read_bytes(), (self.folder / "two.zip").read_bytes())

    def test_the_programs_have_no_debug_information(self):
        for program in ("da-actuator.exe", "da-guardian.exe"):
            file = self.folder / program
            file.write_bytes(self.read(program))
            sections = subprocess.run(["x86_64-w64-mingw32-objdump", "-h", str(file)], capture_output=True, text=True,
                                      check=True, timeout=60).stdout
            self.assertIn("pei-x86-64", sections)
            self.assertNotIn(".debug", sections)

    def test_texts_have_the_line_ends_of_windows(self):
        self.assertEqual(README.read_text(), self.readme.replace("\r\n", "\n"))
        example = self.read("actuator.example.toml").decode()
        self.assertEqual(EXAMPLE.read_text(), example.replace("\r\n", "\n"))
        for text in (self.readme, example):
            self.assertEqual(text.count("\n"), text.count("\r\n"))
        self.assertEqual("win32", tomllib.loads(example)["actuator"]["backend"])

    def test_the_commands_of_the_readme_install_start_and_remove_it(self):
        init, install, start, doctor, end, uninstall = COMMAND.findall(self.readme)
        words = init.replace("ADDRESS", "10.0.0.4").replace("OTHER", "10.0.0.3").split()
        self.assertEqual("da-console", words[0])
        subprocess.run([str(CONSOLE), *words[1:]], cwd=self.folder, stdout=subprocess.DEVNULL, timeout=60, check=True)

        for folder in (INSTALLED, local := self.local_folder()):
            shutil.rmtree(folder, ignore_errors=True)  # Of an earlier run that failed.
            self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        TASK.unlink(missing_ok=True)
        self.zip.extractall(self.folder)
        shutil.copytree(self.folder / FOLDER, INSTALLED)
        shutil.copytree(self.folder / "deployment/actuator", local / "actuator")

        for flag in ("--dry-run", "--highest"):
            self.assertIn(flag, self.readme)
        shown = self.enter(install + " --dry-run --highest")
        self.assertIn("localip=10.0.0.4 localport=7444,7454", shown)
        self.assertFalse(TASK.exists())
        self.assertIn("Installed.", self.enter(install))
        # Wine's schtasks cannot run or end a task: these name the one that is registered.
        self.assertEqual(f'schtasks /Run /TN "{TASK.name}"', start)
        self.assertEqual(f'schtasks /End /TN "{TASK.name}"', end)
        self.assertTrue(TASK.exists())
        self.assertIn('"name":"session","ok":true', self.enter(doctor, done=(0, 1)))  # Wine has no UI Automation.
        self.enter(uninstall)
        self.assertFalse(TASK.exists())

    def local_folder(self):
        """Where the README wants the configuration: %LOCALAPPDATA%\\DesktopAssist."""
        place = self.enter("@echo %LOCALAPPDATA%").strip()
        self.assertRegex(place, r"^C:\\users\\")
        return PREFIX / "drive_c" / place[3:].replace("\\", "/") / "DesktopAssist"

    def enter(self, command, done=(0,)):
        """What the command prints at Windows' own prompt."""
        script = self.folder / "entered.bat"
        script.write_text(f"@{command.removeprefix('@')}\r\n@exit /b %ERRORLEVEL%\r\n", newline="")
        ran = subprocess.run([WINE, "cmd", "/c", "Z:" + str(script).replace("/", "\\")], capture_output=True, text=True,
                             timeout=120, check=False)
        self.assertIn(ran.returncode, done, ran.stdout + ran.stderr)
        return ran.stdout


if __name__ == "__main__":
    unittest.main()
