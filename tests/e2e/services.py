"""The four services, started one by one as an operator would, so that consoles come and go while they stay.

    services = Services(sandbox, backend="fake")
    run = sandbox.start("--config", str(services.config), "--json", "--goal", "wait 5 seconds")
    services.signal("planner", signal.SIGSTOP)
"""

import os
import signal
import subprocess

from console import BIN, DONE, RULES, SERVICES


class Services:
    def __init__(self, sandbox, backend="fake", rules=RULES, environment=None):
        deployment = sandbox.path("deployment")
        init = sandbox.run("init", str(deployment), "--desktop", backend, "--rules", str(rules))
        if init.wait() != DONE:
            raise AssertionError(init.said())
        self.directory = deployment / "host"
        self.environment = dict(sandbox.environment, **(environment or {}))
        self.config = self.directory / "console.toml"
        self.processes = {}
        for name in SERVICES:
            self.start(name)

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
