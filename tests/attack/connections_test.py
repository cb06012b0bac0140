"""Strangers hold connections open to a deployment of da-console init, which must still work and be haltable."""

import hashlib
import pathlib
import random
import socket
import statistics
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

from console import DONE, ConsoleTest  # noqa: E402
from services import Services  # noqa: E402

# Debian's Python, which has grpcio and pyzmq.
PYTHON = "/usr/bin/python3"
CALL = pathlib.Path(__file__).resolve().parent / "call.py"
FLOOD = pathlib.Path(__file__).resolve().parent / "flood.py"
PORTS = {"observer": 7441, "planner": 7442, "policy": 7443, "actuator": 7444, "recorder": 7446}
BUS = 10  # Added to a service's port, it is the port of its bus.
HALTS = 5


def ports_of(name):
    """The ports of a service's calls and of its bus. The recorder publishes nothing."""
    return [PORTS[name]] if name == "recorder" else [PORTS[name], PORTS[name] + BUS]


class Flood:
    def __init__(self, address, port, count):
        self.process = subprocess.Popen([sys.executable, str(FLOOD), address, str(port), str(count)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self.process.stdout.readline() != b"open\n":
            raise AssertionError("the flood did not start")

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(30)


class DeploymentTest(ConsoleTest):
    """A deployment over TCP, with its own addresses."""

    def setUp(self):
        super().setUp()
        # Loopback addresses that no other running test uses.
        block = f"127.{random.randint(1, 254)}.{random.randint(1, 254)}"
        self.addresses = {name: f"{block}.{last}" for last, name in enumerate((*PORTS, "console"), 2)}

    def start(self, descriptors, **options):
        self.services = Services(self.sandbox, hosts=self.addresses, descriptors=descriptors, **options)
        self.addCleanup(self.services.stop)

    def peer_files(self, role):
        return [self.services.deployment / role / name for name in (f"{role}.identity.toml", "peers/peers.toml")]

    def call(self, service, method, role, request=b""):
        """Calls with the role's certificate. Returns the status code and the first message of the answer."""
        run = subprocess.run([PYTHON, CALL, service, f"da.v1.{method}", self.addresses[service], str(PORTS[service]),
                              *self.peer_files(role), request.hex()],
                             capture_output=True, text=True, timeout=60, check=True)
        code, answer = run.stdout.rstrip("\n").split(" ")
        return code, bytes.fromhex(answer)

    def open_task(self):
        """Opens a task. Returns its task token and its observation token."""
        code, opened = self.call("policy", "Policy/OpenTask", "console")
        self.assertEqual("OK", code)
        task_token = opened[2 + 36 + 2:].decode()  # After the field task_id, a UUID.
        return task_token, hashlib.blake2b(b"da.v1.observation\0" + task_token.encode(), digest_size=32).hexdigest()

    def console(self, *arguments):
        return self.sandbox.run("--config", str(self.services.config), *arguments)

    def assert_goal_is_done(self):
        run = self.console("--goal", "wait 1 seconds")
        self.assertEqual(DONE, run.wait(), run.said())

    def halt_times(self):
        """The seconds of each of HALTS runs of `da-console halt`."""
        times = []
        for _ in range(HALTS):
            started = time.monotonic()
            halt = self.console("halt")
            self.assertEqual(DONE, halt.wait(), halt.said())
            times.append(time.monotonic() - started)
            resume = self.console("resume")
            self.assertEqual(DONE, resume.wait(), resume.said())
        return times


class SilentConnectionsTest(DeploymentTest):
    def flood(self, ports, count):
        floods = [Flood(self.addresses[name], PORTS[name] + offset, count) for name in ("policy", "actuator")
                  for offset in ports]
        for flood in floods:
            self.addCleanup(flood.end)
        return floods

    def assert_withstands(self, descriptors, count, ports=(0, BUS)):
        self.start(descriptors)
        self.assert_goal_is_done()
        quiet = statistics.median(self.halt_times())
        floods = self.flood(ports, count)
        times = self.halt_times()
        self.assert_goal_is_done()
        for flood in floods:
            flood.end()
        ended = time.monotonic()
        self.assert_goal_is_done()
        after = time.monotonic() - ended
        self.assertEqual({}, {name: process.returncode for name, process in self.services.processes.items()
                              if process.poll() is not None})
        print(f"{descriptors} descriptors, {count} silent connections to each of {2 * len(ports)} ports: halt "
              f"{quiet * 1000:.0f} ms without, {statistics.median(times) * 1000:.0f} ms and at most "
              f"{max(times) * 1000:.0f} ms with them; a goal {after * 1000:.0f} ms after them", flush=True)
        self.assertLess(max(times), 2)


class SilentConnections(SilentConnectionsTest):
    def test_a_service_with_few_descriptors(self):
        self.assert_withstands(descriptors=256, count=1200)

    def test_a_silent_connection_is_ended(self):
        self.start(descriptors=1024)
        for name in PORTS:
            for each in ports_of(name):
                with socket.create_connection((self.addresses[name], each), 5) as caller:
                    caller.settimeout(20)
                    started = time.monotonic()
                    while caller.recv(64):  # ZeroMQ sends a greeting.
                        pass
                    self.assertLess(time.monotonic() - started, 15, f"{name}, port {each}")


class ManySilentConnections(SilentConnectionsTest):
    def test_a_service_with_the_usual_number_of_descriptors(self):
        self.assert_withstands(descriptors=1024, count=1200)

    def test_ten_thousand_connections_in_all(self):
        self.assert_withstands(descriptors=20_000, count=2_500)

    def test_ten_thousand_connections_to_each_port(self):
        self.assert_withstands(descriptors=20_000, count=10_000)


if __name__ == "__main__":
    unittest.main()
