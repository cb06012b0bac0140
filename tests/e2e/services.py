"""The four services, started one by one as an operator would, so that consoles come and go while they stay.

    services = Services(sandbox, backend="fake")
    run = sandbox.start("--config", str(services.config), "--json", "--goal", "wait 5 seconds")
    services.signal("planner", signal.SIGSTOP)
"""

import os
import signal
import subprocess

from console import BIN, RULES, SERVICES

# RFC 8032's private key is the seed; libsodium's has the public key behind it. A key for tests alone.
SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
PUBLIC_KEY = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
REACH = {"actuator": ("actuator",), "observer": ("observer", "actuator"), "planner": ("planner", "observer", "policy"),
         "policy": ("policy", "actuator"), "console": SERVICES}


class Services:
    def __init__(self, sandbox, backend="fake", rules=RULES, environment=None):
        self.directory = sandbox.path("services")
        self.directory.mkdir(mode=0o700)
        self.environment = dict(sandbox.environment, **(environment or {}))
        self.config = self.directory / "console.toml"
        key = self.directory / "policy.key"
        key.touch(mode=0o600)
        key.write_text(SEED + PUBLIC_KEY)
        own = {"actuator": f'[actuator]\nbackend = "{backend}"\npolicy_key = "{PUBLIC_KEY}"\n',
               "policy": f'[policy]\nrules = "{rules}"\nsigning_key = "{key}"\n'}
        for name, peers in REACH.items():
            self._write_config(name, peers, own.get(name, ""))
        self.processes = {}
        for name in SERVICES:
            self.start(name)

    def _write_config(self, name, peers, own):
        lines = ['desktop = "services:0"', "[log]", 'console = "error"', "[endpoints]"]
        lines += [f'{peer} = "unix:{self.directory}/{peer}.sock"' for peer in peers]
        for peer in peers if name == "console" else (name,):
            lines += [f"[bus.{peer}]", f'facts = "ipc://{self.directory}/{peer}.ipc"']
            if peer == "observer":
                lines.append(f'images = "ipc://{self.directory}/observer.images.ipc"')
        file = self.directory / f"{name}.toml"
        file.touch(mode=0o600)
        file.write_text("\n".join(lines) + "\n" + own)

    def start(self, name):
        """Returns once it serves."""
        reader, writer = os.pipe()
        self.processes[name] = subprocess.Popen(
            [str(BIN / f"da-{name}"), "--config", str(self.directory / f"{name}.toml"), "--ready-fd", str(writer)],
            env=self.environment, pass_fds=(writer,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader, "rb") as ready:
            if ready.read(1) != b"r":
                raise AssertionError(f"da-{name} did not start")

    def signal(self, name, number):
        self.processes[name].send_signal(number)

    def stop(self):
        for process in self.processes.values():
            process.send_signal(signal.SIGCONT)
            process.terminate()
        for process in self.processes.values():
            process.wait(10)
