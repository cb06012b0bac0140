"""da-actuator.exe under Wine on a host of its own; planner, policy with observer, and console on three others."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("DA_BIN", str(ROOT / "build/release/bin"))
sys.path.insert(0, str(ROOT / "tests/harness"))

from console import DONE, wait_until  # noqa: E402  (after the path is set)
from hosts import ACTUATOR_PORT, ADDRESSES, MACHINES, SERVICES, HostsTest, main, within  # noqa: E402

WINE = os.environ.get("DA_WINE", str(ROOT / "deploy/windows/wine"))
PROGRAM = pathlib.Path(os.environ.get("DA_WINDOWS_BIN", ROOT / "build/windows/bin")) / "da-actuator.exe"
CALL = ROOT / "tests/attack/call.py"
NATIVE = [name for name in SERVICES if name != "actuator"]


def windows_path(path):
    """Wine's drive Z: is the root directory."""
    return "Z:" + str(path).replace("/", "\\")


class WindowsHost(HostsTest):
    DESKTOP = "win32"

    def start_all(self):
        config = self.deployment / MACHINES["actuator"] / "actuator.toml"
        state = windows_path(self.sandbox.path("state")).replace("\\", "\\\\")
        config.write_text(config.read_text() + f'state = "{state}\\\\actuator"\n[log]\ndirectory = "{state}\\\\logs"\n')
        self.windows = subprocess.Popen(
            [*within("actuator"), WINE + "-desktop", str(PROGRAM), "--config", windows_path(config)], cwd="/",
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(self.windows.wait, 30)
        self.addCleanup(self.windows.terminate)  # The script ends its desktop.
        wait_until(lambda: self.reaches("middle", ADDRESSES["actuator"], ACTUATOR_PORT), "the actuator listens", 60)
        self.start(*NATIVE)

    def act_as(self, role, host):
        """The status of the actuator's Act, called with the certificate of this role from this host."""
        files = self.deployment / MACHINES[host]
        return subprocess.run(
            [*within(host), "/usr/bin/python3", str(CALL), "actuator", "da.v1.Actuator/Act", ADDRESSES["actuator"],
             str(ACTUATOR_PORT), str(files / f"{role}.identity.toml"), str(files / "peers/peers.toml")],
            stdout=subprocess.PIPE, text=True, timeout=60, check=True).stdout.split()[0]

    def test_a_goal_is_carried_out_by_notepad_and_only_the_policy_may_act(self):
        self.start_all()
        file = self.sandbox.path("notes.txt")
        file.write_bytes("\ufeff".encode())  # Notepad keeps the encoding of the file.
        path = windows_path(file).replace("\\", "\\\\")  # As in a sentence.
        run = self.goal(f'open "notepad {path}"; type "Grüße 漢字"; press ctrl+s; wait 2 seconds; close "notes.txt"; '
                        'check window "notes.txt" is closed', "--unlock-writes")
        self.assertEqual(DONE, run.wait(180), run.said())
        self.assertEqual("Grüße 漢字", file.read_bytes().decode("utf-8-sig"))

        self.assertFalse(self.reaches("planner", ADDRESSES["actuator"], ACTUATOR_PORT))
        for role, host in (("observer", "middle"), ("recorder", "middle"), ("console", "console")):
            with self.subTest(role=role):
                self.assertEqual("PERMISSION_DENIED", self.act_as(role, host))
        # The planner's certificate, on a host that reaches the actuator: the actuator's peers file does not even have it.
        stolen = self.deployment / MACHINES["middle"] / "planner.identity.toml"
        stolen.write_bytes((self.deployment / MACHINES["planner"] / "planner.identity.toml").read_bytes())
        stolen.chmod(0o600)
        self.assertEqual("UNAUTHENTICATED", self.act_as("planner", "middle"))
        # The policy's is accepted: its empty request is what is refused.
        self.assertEqual("INVALID_ARGUMENT", self.act_as("policy", "middle"))


if __name__ == "__main__":
    main()
