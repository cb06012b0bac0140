"""The planner, policy with observer, actuator, and console on four hosts: private network namespaces joined by a
switch, each with the files that `da-console init` wrote. Traffic uses TLS and CURVE; the planner's host has no route to
the actuator's. For tests of several suites: a test program calls main() instead of unittest.main()."""

import os
import pathlib
import subprocess
import sys
import unittest

from console import BIN, DONE, ConsoleTest

ADDRESSES = {"planner": "10.99.0.2", "middle": "10.99.0.3", "actuator": "10.99.0.4", "console": "10.99.0.5"}
SERVICES = {"actuator": "actuator", "observer": "middle", "policy": "middle", "planner": "planner",
            "recorder": "middle"}
MACHINES = {"planner": "planner", "middle": "policy-observer", "actuator": "actuator", "console": "console"}
ACTUATOR_PORT = 7444
# A link with 250 KB/s after a burst of 64 KiB.
SLOW = ("tbf", "rate", "2mbit", "burst", "64kb", "latency", "500ms")


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, timeout=10)


def within(host):
    return ["ip", "netns", "exec", host]


class Network:
    """Virtual hosts and a switch. They end with this process, whose mounts and namespaces are private (see below)."""

    def __init__(self):
        ip("netns", "add", "switch")
        ip("-n", "switch", "link", "add", "bridge", "type", "bridge")
        ip("-n", "switch", "link", "set", "bridge", "up")
        for host, address in ADDRESSES.items():
            ip("netns", "add", host)
            ip("-n", host, "link", "set", "lo", "up")
            ip("-n", host, "link", "add", "eth0", "type", "veth", "peer", "name", host, "netns", "switch")
            ip("-n", "switch", "link", "set", host, "master", "bridge", "up")
            ip("-n", host, "address", "add", f"{address}/24", "dev", "eth0")
            ip("-n", host, "link", "set", "eth0", "up")
        self.forbid("planner", "actuator")

    @staticmethod
    def forbid(one, other):
        for here, there in ((one, other), (other, one)):
            ip("-n", here, "route", "add", "prohibit", ADDRESSES[there])

    @staticmethod
    def link(host, state):
        ip("-n", "switch", "link", "set", host, state)

    @staticmethod
    def slow_down(host):
        subprocess.run([*within("switch"), "tc", "qdisc", "add", "dev", host, "root", *SLOW], check=True, timeout=10)

    @staticmethod
    def remove():
        for name in ("switch", *ADDRESSES):
            ip("netns", "delete", name)


class HostsTest(ConsoleTest):
    DESKTOP = "fake"

    def setUp(self):
        super().setUp()
        self.network = Network()
        self.addCleanup(self.network.remove)
        self.deployment = self.sandbox.path("deployment")
        hosts = [f"planner={ADDRESSES['planner']}", f"policy,observer={ADDRESSES['middle']}",
                 f"actuator={ADDRESSES['actuator']}", f"console={ADDRESSES['console']}"]
        init = self.sandbox.run("init", str(self.deployment), "--desktop", self.DESKTOP,
                                *[word for host in hosts for word in ("--host", host)])
        self.assertEqual(DONE, init.wait(), init.said())
        self.processes = {}
        self.addCleanup(self.stop)

    def stop(self):
        for process in self.processes.values():
            process.kill()
            process.wait(10)

    def start(self, *names, environment=None):
        """Starts the services in this order; each is ready before the next starts."""
        for name in names:
            host = SERVICES[name]
            config = self.deployment / MACHINES[host] / f"{name}.toml"
            own = dict(self.sandbox.environment, XDG_STATE_HOME=str(self.sandbox.state / host), **(environment or {}))
            reader, writer = os.pipe()
            self.processes[name] = subprocess.Popen(
                [*within(host), str(BIN / f"da-{name}"), "--config", str(config), "--ready-fd", str(writer)], env=own,
                pass_fds=(writer,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            os.close(writer)
            with os.fdopen(reader, "rb") as ready:
                self.assertEqual(b"r", ready.read(1), f"da-{name} did not start")

    def console(self, *arguments):
        config = self.deployment / "console/console.toml"
        return self.sandbox.start("--config", str(config), *arguments, rules=None, within=within("console"))

    def goal(self, goal, *flags):
        return self.console("--json", *flags, "--goal", goal)

    def assert_types(self, text):
        """Runs a goal that writes a file on the actuator's host, and checks the file."""
        file = self.sandbox.path(f"{text}.txt")
        run = self.goal(f'open "notes {file}"; type "{text}"; press ctrl+s; close "{text}"', "--unlock-writes")
        self.assertEqual(DONE, run.wait(60), run.said())
        self.assertEqual(text, file.read_text())

    def reaches(self, host, address, port):
        code = f"import socket; socket.create_connection(({address!r}, {port}), 2)"
        return subprocess.run([*within(host), sys.executable, "-c", code], stderr=subprocess.DEVNULL,
                              timeout=10).returncode == 0


def main():
    """Runs the program's tests in new namespaces; a user other than root also gets a user namespace."""
    if "DA_HOSTS_TEST" not in os.environ:
        user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        os.environ["DA_HOSTS_TEST"] = "1"
        os.execvp("unshare", ["unshare", *user, "--net", "--mount", sys.executable, *sys.argv])
    pathlib.Path("/run/netns").mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run/netns"], check=True, timeout=10)
    unittest.main()
