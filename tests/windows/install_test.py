"""da-actuator.exe install and uninstall under Wine, whose task scheduler registers the task. Its netsh does nothing."""

import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from wine import PREFIX, PROGRAM, WINE, windows_path

TASK = PREFIX / "drive_c/windows/system32/tasks/DesktopAssist actuator"
NAMESPACE = {"task": "http://schemas.microsoft.com/windows/2004/02/mit/task"}
CONFIG = """desktop = "win32:actuator"
[endpoints]
actuator = "ipv4:{address}:7444"
[bus.actuator]
facts = "tcp://{address}:7454"
"""


class Install(unittest.TestCase):
    def setUp(self):
        TASK.unlink(missing_ok=True)  # Of an earlier run that failed.
        directory = tempfile.TemporaryDirectory(prefix="Jörg 漢 & Co ")
        self.addCleanup(directory.cleanup)
        self.config = pathlib.Path(directory.name) / "actuator.toml"
        self.config.write_text(CONFIG.format(address="10.0.0.4"))

    def actuator(self, *arguments):
        return subprocess.run([WINE, str(PROGRAM), *arguments], capture_output=True, text=True, timeout=120, check=False)

    def install(self, *arguments):
        return self.actuator("install", "--config", windows_path(self.config), *arguments)

    def test_a_task_is_made_and_removed(self):
        installed = self.install()
        self.assertEqual(0, installed.returncode, installed.stdout + installed.stderr)
        # Wine reads no triggers and programs yet, so what it shows is that the file is well-formed and was registered.
        task = xml.etree.ElementTree.fromstring(TASK.read_bytes())
        self.assertIn("Lets DesktopAssist use", task.find(".//task:Description", NAMESPACE).text)
        self.assertEqual("PT0S", task.find(".//task:ExecutionTimeLimit", NAMESPACE).text)
        self.assertFalse((PROGRAM.parent / "da-actuator-task.xml").exists())
        removed = self.actuator("uninstall")
        self.assertEqual(0, removed.returncode, removed.stdout + removed.stderr)
        self.assertFalse(TASK.exists())

    def test_a_dry_run_only_shows(self):
        shown = self.install("--dry-run", "--highest")
        self.assertEqual(0, shown.returncode, shown.stderr)
        self.assertIn("would be refused", shown.stderr)
        task = xml.etree.ElementTree.fromstring(shown.stdout[:shown.stdout.index("</Task>") + 7].encode("utf-16"))
        self.assertEqual("HighestAvailable", task.find(".//task:RunLevel", NAMESPACE).text)
        self.assertEqual(f'--config "{windows_path(self.config)}"', task.find(".//task:Arguments", NAMESPACE).text)
        # The user of Wine's session.
        self.assertRegex(task.find(".//task:LogonTrigger/task:UserId", NAMESPACE).text, r"^[^\\]+\\[^\\]+$")
        self.assertTrue(task.find(".//task:Command", NAMESPACE).text.endswith("\\da-actuator.exe"))
        self.assertIn("localip=10.0.0.4 localport=7444,7454", shown.stdout)
        self.assertFalse(TASK.exists())

    def test_files_that_the_configuration_names_must_be_administrators_too(self):
        named = {}
        for key in ("peers", "masks"):
            named[key] = self.config.parent / f"{key}.toml"
            named[key].touch()
        self.config.write_text(CONFIG.format(address="10.0.0.4") + f"[peers]\nfile = '{windows_path(named['peers'])}'\n"
                               f"[actuator]\nmasks = '{windows_path(named['masks'])}'\n")
        refused = [line for line in self.install("--dry-run", "--highest").stderr.splitlines()
                   if line.startswith("would be refused")]
        for file in (self.config, *named.values()):
            self.assertEqual(1, sum(file.name in line for line in refused), refused)

    def test_a_program_that_its_user_can_exchange_gets_no_rights_of_an_administrator(self):
        refused = self.install("--highest")
        self.assertEqual(1, refused.returncode, refused.stdout + refused.stderr)
        self.assertIn("can be changed by somebody who is no administrator", refused.stderr)
        self.assertFalse(TASK.exists())

    def test_a_configuration_without_one_address_is_refused(self):
        self.config.write_text(CONFIG.format(address="0.0.0.0"))
        refused = self.install()
        self.assertEqual(1, refused.returncode)
        self.assertIn("all addresses", refused.stderr)
        self.assertFalse(TASK.exists())

    def test_bad_usage(self):
        self.assertEqual(2, self.actuator("install").returncode)
        self.assertEqual(2, self.actuator("uninstall", "--nothing").returncode)


if __name__ == "__main__":
    unittest.main()
