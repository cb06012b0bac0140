"""da-actuator.exe doctor under Wine: one JSON object per line, about the session and what Windows allows."""

import json
import subprocess
import unittest

from wine import PROGRAM, TESTS, WINE, windows_path  # First: it sets the path.

from actuator_test import DisplayTest
from console import wait_until

# In this order. Wine has no UI Automation.
CHECKS = ["desktop", "monitors", "capture", "windows", "elements", "DPI", "session", "input", "integrity level",
          "UI Automation", "hooks", "hot key"]


class Doctor(DisplayTest):
    def run_program(self, *words):
        return subprocess.run([WINE, *map(str, words)], env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False)

    def doctor(self, *start):
        ran = self.run_program(*start, PROGRAM, "doctor")
        checks = [json.loads(line) for line in ran.stdout.splitlines()]
        for check in checks:
            self.assertEqual({"name", "ok", "found", "advice"}, set(check))
            self.assertNotEqual("", check["found"], check)
            self.assertEqual(check["ok"], check["advice"] == "", check)
        self.assertEqual(0 if all(check["ok"] for check in checks) else 1, ran.returncode)
        return {check["name"]: check for check in checks}

    def assert_finds(self, pattern, check):
        self.assertTrue(check["ok"], check)
        self.assertRegex(check["found"], pattern)

    def test_each_check_tells_what_the_desktop_allows(self):
        checks = self.doctor()
        self.assertEqual(CHECKS, list(checks))
        self.assert_finds(r"^win32:[1-9]\d*$", checks["desktop"])
        self.assert_finds(r"^1 in 1280x800$", checks["monitors"])
        self.assert_finds(r"captured", checks["capture"])
        self.assert_finds(r"^\d+ windows are listed$", checks["windows"])
        self.assert_finds(r"^\d+ elements can be read", checks["elements"])
        self.assertEqual(checks["desktop"]["found"].replace("win32:", "session "), checks["session"]["found"])
        self.assert_finds(r"^not locked: the session's own desktop has the input$", checks["input"])
        self.assert_finds(r"^high \(0x3000\): windows of administrators can be used", checks["integrity level"])
        self.assertFalse(checks["UI Automation"]["ok"])
        self.assertIn("Windows 10", checks["UI Automation"]["advice"])
        self.assert_finds(r"^per monitor, version [12]; 1280x800 at 0,0 with 96 DPI \(100 %\)$", checks["DPI"])
        self.assert_finds(r"^low-level hooks for the keyboard and the mouse can be installed$", checks["hooks"])
        self.assert_finds(r"^Ctrl\+Shift\+Esc can be registered$", checks["hot key"])

    def test_a_running_actuator_is_not_disturbed_and_has_the_hot_key(self):
        self.processes["actuator"] = self.start_actuator()
        wait_until(self.listens, "the actuator listens", 60)
        checks = self.doctor()
        self.assertEqual(["UI Automation"], [name for name, check in checks.items() if not check["ok"]])
        self.assert_finds(r"^Ctrl\+Shift\+Esc is taken, for example by a running actuator", checks["hot key"])
        self.assertIsNone(self.processes["actuator"].poll())
        self.assertTrue(self.listens())

    def test_a_window_station_that_is_not_shown_is_refused(self):
        """Services run on such a station, in session 0, which Wine does not have."""
        on_hidden_station = str(TESTS / "hidden_station.exe")
        checks = self.doctor(on_hidden_station)
        for name in ("desktop", "session", "input"):
            self.assertFalse(checks[name]["ok"])
            self.assertIn("window station is not interactive", checks[name]["found"])
            self.assertRegex(checks[name]["advice"], "task at logon|session of the user")
        config = self.deployment / "actuator/actuator.toml"
        state = windows_path(self.sandbox.path("state")).replace("\\", "\\\\")
        config.write_text(config.read_text() + f'state = "{state}"\n[log]\nfiles = false\n')
        started = self.run_program(on_hidden_station, PROGRAM, "--config", windows_path(config))
        self.assertEqual(1, started.returncode)
        self.assertIn("window station is not interactive", started.stderr)

    def test_the_dpi_of_the_monitor_is_told(self):
        fonts = r"HKCU\Control Panel\Desktop"
        self.wine("reg", "add", fonts, "/v", "LogPixels", "/t", "REG_DWORD", "/d", "144", "/f")
        self.addCleanup(self.wine, "reg", "delete", fonts, "/v", "LogPixels", "/f")
        self.assert_finds(r"with 144 DPI \(150 %\)$", self.doctor()["DPI"])


if __name__ == "__main__":
    unittest.main()
