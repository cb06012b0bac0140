"""da-actuator.exe for a user called "Jörg 漢", with its default folders, under Wine."""

import os
import shutil
import subprocess
import unittest

from wine import DESKTOP_PREFIX, PROGRAM, WINE, saved_text  # First: it sets the path.

import actuator_test  # As a module: otherwise its tests would run here, too.
from console import DONE, wait_until

USER = "Jörg 漢"
USERS = DESKTOP_PREFIX / "drive_c/users"
FOLDER = "AppData\\Local\\DesktopAssist"
CONFIG = f"{USER}\\{FOLDER}\\actuator\\actuator.toml"


class OtherUser(actuator_test.WindowsTest):
    DESKTOP = "win32"
    START = WINE + "-desktop"
    # Wine names the user of a session by these when its first program starts.
    environment = os.environ | {"USER": USER, "LC_ALL": "C.UTF-8"}

    def setUp(self):
        self.home = USERS / USER
        for earlier in USERS.glob("*/" + FOLDER.replace("\\", "/")):  # Of another user, or of a run that failed.
            shutil.rmtree(earlier)
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        super().setUp()
        # As the README of the zip says: the keys and the configuration are in the user's own folder.
        self.state = self.home / FOLDER.replace("\\", "/")
        self.state.mkdir(parents=True, mode=0o700)
        self.state.chmod(0o700)
        shutil.move(self.deployment / "actuator", self.state / "actuator")
        self.config = f"C:\\users\\{CONFIG}"

    def start_actuator(self):
        return subprocess.Popen([self.START, str(PROGRAM), "--config", self.config], cwd=USERS, env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def stop_actuator(self):
        if actuator := self.processes.pop("actuator", None):
            actuator.terminate()  # The script ends its desktop, and the program with it.
            actuator.wait(30)

    def stop(self):
        self.stop_actuator()
        super().stop()

    def restart_actuator(self):
        self.stop_actuator()
        self.processes["actuator"] = self.start_actuator()
        wait_until(self.listens, "the actuator listens", 60)

    def status(self):
        status = self.console("status")
        status.wait()
        return status.text()

    def write(self, name, text):
        file = self.home / name
        file.write_bytes("\ufeff".encode())  # Notepad keeps the encoding of the file.
        path = f"C:\\\\users\\\\{USER}\\\\{name}"
        run = self.console("--json", "--unlock-writes", "--goal",
                           f'open "notepad \\"{path}\\""; type "{text}"; press ctrl+s')
        self.assertEqual(DONE, run.wait(180), run.said())
        wait_until(lambda: saved_text(file) == text, lambda: f"{text}; saved: {saved_text(file)}")
        run = self.console("--json", "--unlock-writes", "--goal", f'close "{name}"; check window "{name}" is closed')
        self.assertEqual(DONE, run.wait(180), run.said())

    def files(self):
        return {str(file.relative_to(self.state)) for file in self.state.rglob("*") if file.is_file()}

    def test_ledger_halt_and_log_are_in_the_users_folder(self):
        self.start()
        self.write("Grüße 漢字.txt", "von Jörg 漢")
        halt = self.console("halt")
        self.assertEqual(DONE, halt.wait(), halt.said())
        given = {"actuator/actuator.toml", "actuator/actuator.identity.toml", "actuator/peers/peers.toml"}
        made = self.files() - given
        (log,) = {file for file in made if file.startswith("logs/da-actuator_")}
        self.assertLessEqual({"actuator/ledger", "actuator/ledger.lock", "actuator/halted"}, made)
        self.assertIn("serving at", (self.state / log).read_text("utf-8"))
        self.assertEqual([self.state], list(USERS.glob("*/" + FOLDER.replace("\\", "/"))))

        # By a relative path, and in the same folders again.
        self.config = CONFIG
        ledger = (self.state / "actuator/ledger").stat().st_size
        self.restart_actuator()
        wait_until(lambda: "halted: yes" in self.status(), "the halt is still there", 30)
        self.assertRegex(self.status(), r"(?s)actuator +serving.*ledger: [1-9]\d* action\(s\), 0 in doubt")
        resume = self.console("resume")
        self.assertEqual(DONE, resume.wait(), resume.said())
        self.assertFalse((self.state / "actuator/halted").exists())
        self.write("second.txt", "漢")
        self.assertGreater((self.state / "actuator/ledger").stat().st_size, ledger)
        self.assertEqual(made - {"actuator/halted"}, self.files() - given)

    def test_a_missing_configuration_is_named_with_all_its_letters(self):
        self.config = f"{USER}\\fehlt 漢.toml"
        actuator = self.start_actuator()
        said, _ = actuator.communicate(timeout=60)
        self.assertNotEqual(0, actuator.returncode)
        self.assertIn(f"{USER}\\fehlt 漢.toml", said)


if __name__ == "__main__":
    unittest.main()
