"""Floods by strangers and by known peers against a deployment of da-console init."""

import json
import os
import pathlib
import random
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

from connections_test import BUS, FLOOD, PORTS, PYTHON, DeploymentTest, ports_of  # noqa: E402
from console import ALL_CASES, DONE, SERVICE_LOST, wait_until  # noqa: E402

ATTACKERS = pathlib.Path(__file__).resolve().parent / "attackers.py"
SECONDS = int(os.environ.get("DA_FLOOD_SECONDS", "600"))
ROUNDS = 3 if ALL_CASES else 1
HALTS = 100 if ALL_CASES else 5
ADDRESSES = 250
SLACK = 5  # MiB.
SEED = random.randrange(1 << 32)


class Attack:
    def __init__(self, *command):
        self.process = subprocess.Popen([PYTHON, *map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        if self.process.stdout.readline() != b"open\n":
            raise AssertionError(f"{command} did not start")

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class FloodTest(DeploymentTest):
    def attack(self, kind, service, *more, offset=0, role=None):
        files = self.peer_files(role) if role else []
        begun = Attack(ATTACKERS, kind, self.addresses[service], PORTS[service] + offset, *files, *more)
        self.addCleanup(begun.end)
        return begun

    def silence(self, service, count, offset=0, *more):
        begun = Attack(FLOOD, self.addresses[service], PORTS[service] + offset, count, *more)
        self.addCleanup(begun.end)
        return begun

    def kept(self):
        """The MiB of the facts that each service keeps for readers of the bus: their number is limited, not a flood's."""
        status = self.console("status", "--json")
        self.assertEqual(DONE, status.wait(), status.said())
        services = [json.loads(line) for line in status.text().splitlines()]
        return {service["service"]: int(service["properties"].get("kept facts", "0 kB").split()[0]) * 1000 / 2**20
                for service in services}

    def resident(self):
        """The resident MiB of each service."""
        def of(pid):
            lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
            return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1]) / 1024
        return {name: of(process.pid) for name, process in self.services.processes.items()}

    def assert_all_live(self):
        self.assertEqual({}, {name: process.returncode for name, process in self.services.processes.items()
                              if process.poll() is not None})


class KnownPeers(FloodTest):
    """A peer with a certificate or key of the deployment floods a service."""

    def assert_withstands(self, *attack, sees=False, **options):
        self.start(descriptors=1024)
        self.assert_goal_is_done()
        if sees:
            attack += (self.open_task()[1],)
        slowest = 0
        for _ in range(ROUNDS):
            begun = self.attack(*attack, **options)
            slowest = max(slowest, *self.halt_times())
            begun.end()
        self.assert_goal_is_done()
        self.assert_all_live()
        print(f"{attack[0]}: halt in at most {slowest * 1000:.0f} ms", flush=True)
        self.assertLess(slowest, 2)

    def test_idle_connections_with_the_planner_s_certificate(self):
        self.start(descriptors=256)
        self.assert_goal_is_done()
        for service in ("policy", "actuator"):
            self.attack("idle", service, role="planner")
        slowest = max(self.halt_times())
        self.assert_goal_is_done()
        self.assert_all_live()
        print(f"idle: halt in at most {slowest * 1000:.0f} ms", flush=True)
        self.assertLess(slowest, 2)

    def test_1500_streams_of_steps_by_the_planner(self):
        self.assert_withstands("streams", "policy", role="planner")

    def test_large_steps_by_the_planner(self):
        self.assert_withstands("large", "policy", role="planner")

    def test_readers_of_frames_that_never_read(self):
        self.assert_withstands("stalled", "actuator", sees=True, role="observer")

    def test_300000_subscriptions_by_a_console(self):
        self.assert_withstands("subscriptions", "policy", offset=BUS, role="console")
        self.assertLess(self.resident()["policy"], 300)


class ManyAddresses(FloodTest):
    """Strangers with many addresses: no limit of one address stops them. A halt comes by datagrams."""

    def halt_time(self):
        """Without a resume in between, which comes by calls alone."""
        started = time.monotonic()
        halt = self.console("halt")
        self.assertEqual(DONE, halt.wait(), halt.said())
        return time.monotonic() - started

    def assert_halts(self, descriptors, count, *more):
        self.start(descriptors)
        self.assert_goal_is_done()
        floods = [self.silence(service, count, 0, ADDRESSES, *more) for service in ("policy", "actuator")]
        times = sorted(self.halt_time() for _ in range(HALTS))
        self.assert_all_live()
        for flood in floods:
            flood.end()
        # The policy may first have to connect to the actuator again.
        wait_until(lambda: self.console("resume").wait() == DONE, "the services resume", 30)
        self.assert_goal_is_done()
        slowest = times[min(len(times) - 1, len(times) * 99 // 100)]
        print(f"{count} connections from {ADDRESSES} addresses to each: {len(times)} halts, median "
              f"{times[len(times) // 2] * 1000:.0f} ms, p99 {slowest * 1000:.0f} ms, slowest {times[-1] * 1000:.0f} ms",
              flush=True)
        self.assertLess(slowest, 2)

    def test_many_connections(self):
        self.assert_halts(20_000, 9000 if ALL_CASES else 3000)

    def test_many_handshakes(self):
        self.assert_halts(20_000, 9000 if ALL_CASES else 3000, 0, "begin")

    def test_connections_that_are_closed_and_made_again(self):
        self.assert_halts(1024, 1000, 0.2, "begin")


class Random(FloodTest):
    """Random floods one after the other, with goals at the same time."""

    def kinds(self, chance):
        count = chance.choice((300, 1200, 5000))
        service, port = chance.choice([(name, port) for name in PORTS for port in ports_of(name)])
        offset = port - PORTS[service]
        return [lambda: self.silence(service, count, offset),
                lambda: self.attack("garbage", service, offset=offset),
                lambda: self.attack("handshakes", chance.choice(list(PORTS))),
                lambda: self.attack("streams", "policy", role="planner"),
                lambda: self.attack("large", "policy", role="planner"),
                lambda: self.attack("stalled", "actuator", self.open_task()[1], role="observer"),
                lambda: self.attack("subscriptions", "policy", offset=BUS, role="console")]

    def goal(self, goals):
        run = self.console("--goal", "wait 1 seconds")
        code = run.wait(60)
        goals[code] = goals.get(code, 0) + 1
        self.assertIn(code, (DONE, SERVICE_LOST), run.said())

    def flood(self, floods, goals):
        begun = [begin() for begin in floods]
        for _ in range(2):
            self.goal(goals)
        for attack in begun:
            attack.end()
        self.assert_all_live()

    def resident_beside_kept_facts(self):
        kept = self.kept()
        return {name: resident - kept[name] for name, resident in self.resident().items()}

    def assert_withstands(self, descriptors):
        print(f"seed {SEED}")
        chance = random.Random(SEED)
        self.start(descriptors)
        goals = {}
        # The first flood of each kind allocates thread stacks, buffers and malloc arenas once.
        for _ in range(2):
            for kind in self.kinds(chance):
                self.flood([kind], goals)
        before = self.resident_beside_kept_facts()
        ends = time.monotonic() + SECONDS / 3
        while time.monotonic() < ends:
            self.flood(chance.choices(self.kinds(chance), k=chance.randint(1, 3)), goals)
        self.halt_times()
        for _ in range(5):
            self.assert_goal_is_done()
        after = self.resident_beside_kept_facts()
        print(f"{descriptors} descriptors: exit codes of goals {goals}; resident MiB beside kept facts, before and after "
              f"{ {name: (round(before[name]), round(after[name])) for name in before} }", flush=True)
        for name in before:
            self.assertLess(after[name], before[name] * 1.1 + SLACK, name)

    def test_with_256_descriptors(self):
        self.assert_withstands(256)

    def test_with_1024_descriptors(self):
        self.assert_withstands(1024)

    def test_with_20000_descriptors(self):
        self.assert_withstands(20_000)


if __name__ == "__main__":
    unittest.main()
