"""The planner, policy with observer, actuator, and console on four hosts: private network namespaces joined by a
switch, each with the files that `da-console init` wrote. Traffic uses TLS and CURVE; the planner's host has no route to
the actuator's."""

import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from console import BIN, DONE, SERVICE_LOST, ConsoleTest

ADDRESSES = {"planner": "10.99.0.2", "middle": "10.99.0.3", "actuator": "10.99.0.4", "console": "10.99.0.5"}
SERVICES = {"actuator": "actuator", "observer": "middle", "policy": "middle", "planner": "planner",
            "recorder": "middle"}
MACHINES = {"planner": "planner", "middle": "policy-observer", "actuator": "actuator", "console": "console"}
ACTUATOR_PORT = 7444
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
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


class Hosts(ConsoleTest):
    def setUp(self):
        super().setUp()
        self.network = Network()
        self.addCleanup(self.network.remove)
        self.deployment = self.sandbox.path("deployment")
        hosts = [f"planner={ADDRESSES['planner']}", f"policy,observer={ADDRESSES['middle']}",
                 f"actuator={ADDRESSES['actuator']}", f"console={ADDRESSES['console']}"]
        init = self.sandbox.run("init", str(self.deployment), "--desktop", "fake",
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

    def test_services_on_four_hosts_execute_a_goal(self):
        self.start(*SERVICES)
        self.assert_types("across")
        self.assertTrue(self.reaches("middle", ADDRESSES["actuator"], ACTUATOR_PORT))
        self.assertFalse(self.reaches("planner", ADDRESSES["actuator"], ACTUATOR_PORT))
        status = self.console("status")
        self.assertEqual(DONE, status.wait(), status.said())
        for name in SERVICES:
            self.assertIn(name, status.text())

    def test_a_goal_works_over_a_slow_link_and_with_a_wrong_clock(self):
        self.network.slow_down("actuator")
        # AddressSanitizer otherwise refuses a library that is preloaded before it.
        self.start("actuator", environment={"LD_PRELOAD": FAKETIME, "FAKETIME": "+3h",
                                            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                                            "ASAN_OPTIONS": "verify_asan_link_order=0"})
        self.start("observer", "policy", "planner", "recorder")
        self.assert_types("slowly")

    def test_a_short_network_outage_is_tolerated_and_a_long_one_is_reported(self):
        self.start(*SERVICES)
        run = self.goal('open notes; wait 3 seconds; type "x"', "--unlock-writes")
        run.wait_for(lambda: run.facts("actuator.outcome"))
        self.network.link("middle", "down")
        time.sleep(0.7)  # The length of the outage is the subject of the test.
        self.network.link("middle", "up")
        self.assertEqual(DONE, run.wait(60), run.said())

        run = self.goal('open notes; wait 60 seconds; type "x"', "--unlock-writes")
        run.wait_for(lambda: run.facts("actuator.outcome"))
        self.network.link("middle", "down")
        self.assertEqual(SERVICE_LOST, run.wait(30), run.said())
        self.assertRegex(run.errors(), "da-(policy|observer)")
        self.network.link("middle", "up")
        self.assert_types("afterwards")

    def test_a_restarted_service_is_found_again(self):
        self.start(*SERVICES)
        for name in SERVICES:
            with self.subTest(service=name):
                self.processes[name].send_signal(signal.SIGKILL)
                self.processes[name].wait(10)
                self.start(name)
                self.assert_types(f"again-{name}")

    def test_another_console_can_approve_after_the_first_was_killed(self):
        self.start(*SERVICES)
        first = self.goal("open notes")
        asked = first.pending_id()
        first.process.kill()
        first.wait()
        watch = self.console("--json", "watch")
        watch.wait_for(lambda: watch.process.poll() is None)
        pending = self.console("pending")
        pending.wait()
        if asked in pending.text():
            answer = self.console("approve", asked)
            self.assertEqual(DONE, answer.wait(), answer.said())
            watch.wait_for(lambda: watch.facts("actuator.outcome"))
        watch.process.send_signal(signal.SIGINT)
        watch.wait()
        self.assertIn(asked, pending.text(), "the approval did not wait for another console")

    def test_a_revoked_planner_cannot_act(self):
        self.start(*SERVICES)
        self.assert_types("before")
        revoked = self.sandbox.run("keys", "revoke", str(self.deployment), "planner@planner")
        self.assertEqual(DONE, revoked.wait(), revoked.said())
        # revoke writes into the directories that the hosts read. A console started before still trusts the planner.
        file = self.sandbox.path("after.txt")
        run = self.goal(f'open "notes {file}"; type "x"; press ctrl+s', "--unlock-writes")
        self.assertNotEqual(DONE, run.wait(60), run.said())
        self.assertFalse(file.exists())


def in_namespaces_of_its_own():
    """Restarts this program in new namespaces; a user other than root also gets a user namespace."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    os.environ["DA_HOSTS_TEST"] = "1"
    os.execvp("unshare", ["unshare", *user, "--net", "--mount", sys.executable, *sys.argv])


if __name__ == "__main__":
    if "DA_HOSTS_TEST" not in os.environ:
        in_namespaces_of_its_own()
    pathlib.Path("/run/netns").mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run/netns"], check=True, timeout=10)
    unittest.main()
