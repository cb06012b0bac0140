"""Starts the services one by one, as an operator would. They keep running when consoles start and end.

    services = Services(sandbox, backend="fake")
    run = sandbox.start("--config", str(services.config), "--json", "--goal", "wait 5 seconds")
    services.signal("planner", signal.SIGSTOP)

With `hosts`, an address for each service and the console, they use TLS and CURVE over TCP. `descriptors` limits the
number of open files of each service.
"""

import os
import signal
import subprocess

from console import BIN, DONE, RULES, SERVICES


class Services:
    def __init__(self, sandbox, backend="fake", rules=RULES, environment=None, hosts=None, descriptors=None):
        self.deployment = sandbox.path("deployment")
        self.hosts = hosts or {}
        self.limits = ["prlimit", f"--nofile={descriptors}:{descriptors}"] if descriptors else []
        flags = [word for name, address in self.hosts.items() for word in ("--host", f"{name}={address}")]
        init = sandbox.run("init", str(self.deployment), "--desktop", backend, "--rules", str(rules), *flags)
        if init.wait() != DONE:
            raise AssertionError(init.said())
        self.environment = dict(sandbox.environment, **(environment or {}))
        self.config = self.configuration("console")
        self.directory = self.config.parent
        self.processes = {}
        for name in SERVICES:
            self.start(name)

    def configuration(self, name):
        if not self.hosts:
            return self.deployment / "host" / f"{name}.toml"
        machine = "policy" if name == "recorder" and name not in self.hosts else name
        return self.deployment / machine / f"{name}.toml"

    def start(self, name):
        """Starts a service and waits until it is ready."""
        self.start_with(name, self.environment)

    def start_with(self, name, environment, stderr=None):
        reader, writer = os.pipe()
        self.processes[name] = subprocess.Popen(
            [*self.limits, str(BIN / f"da-{name}"), "--config", str(self.configuration(name)), "--ready-fd",
             str(writer)],
            env=environment, pass_fds=(writer,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr)
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
