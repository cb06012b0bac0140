"""da-actuator.exe under Wine on a host of its own; planner, policy with observer, and console on three others."""

import json
import pathlib
import subprocess

from wine import PROGRAM, ROOT, WINE, saved_text, windows_path  # First: it sets the path.

from console import DONE, wait_until
from hosts import ACTUATOR_PORT, ADDRESSES, MACHINES, SERVICES, HostsTest, main, within

PYTHON = "/usr/bin/python3"  # Debian's, which has grpcio and pyzmq.
CALL = ROOT / "tests/attack/call.py"
WIRES = pathlib.Path(__file__).resolve().parent / "wires.py"
NATIVE = [name for name in SERVICES if name != "actuator"]
ADDRESS = ADDRESSES["actuator"]
BUS_PORT = ACTUATOR_PORT + 10
PORTS = (ACTUATOR_PORT, BUS_PORT)
HTTP2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
TLS_HANDSHAKE, TLS_ALERT = 0x16, 0x15
# ZMTP 3: a signature, the version, the mechanism's name in 20 bytes, and 32 bytes more. It comes before any key.
ZMTP_SIGNATURE, ZMTP_GREETING = bytes([0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3]), 64
ZMTP_WITHOUT_CURVE = ZMTP_SIGNATURE + bytes([0]) + b"NULL".ljust(20, b"\0") + bytes(32)


def mechanism(greeting):
    return greeting[12:32].rstrip(b"\0")


class Stranger:
    """wires.py on a host, until its standard input ends."""

    def __init__(self, host, *words):
        self.process = subprocess.Popen([*within(host), PYTHON, str(WIRES), *map(str, words)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "open\n":
            raise AssertionError(f"wires.py {words} did not start")

    def end(self):
        return json.loads(self.process.communicate(timeout=30)[0])


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
        wait_until(lambda: self.reaches("middle", ADDRESS, ACTUATOR_PORT), "the actuator listens", 60)
        self.start(*NATIVE)

    def file_of(self, role, host):
        return self.deployment / MACHINES[host] / f"{role}.identity.toml"

    def peers_of(self, host):
        return self.deployment / MACHINES[host] / "peers/peers.toml"

    def act_as(self, role, host):
        """The status of the actuator's Act, called from the policy's host with the certificate of this host's role."""
        return self.act_with(self.file_of(role, host))

    def act_with(self, certificate):
        return self.output_of("middle", PYTHON, CALL, "actuator", "da.v1.Actuator/Act", ADDRESS, ACTUATOR_PORT,
                              certificate, self.peers_of("middle")).split()[0]

    def output_of(self, host, *words):
        return subprocess.run([*within(host), *map(str, words)], stdout=subprocess.PIPE, text=True, timeout=60,
                              check=True).stdout

    def write_by_notepad(self, text):
        file = self.sandbox.path("notes.txt")
        file.write_bytes("\ufeff".encode())  # Notepad keeps the encoding of the file.
        path = windows_path(file).replace("\\", "\\\\")  # As in a sentence.
        run = self.goal(f'open "notepad {path}"; type "{text}"; press ctrl+s', "--unlock-writes")
        self.assertEqual(DONE, run.wait(180), run.said())
        wait_until(lambda: saved_text(file) == text, lambda: f"{text}; saved: {saved_text(file)}")
        run = self.goal('close "notes.txt"; check window "notes.txt" is closed', "--unlock-writes")
        self.assertEqual(DONE, run.wait(180), run.said())

    def test_a_goal_is_carried_out_by_notepad_with_all_bytes_on_the_network_encrypted(self):
        text = "Grüße 漢字"
        sniffer = Stranger("switch", "sniff", "actuator", text, "notes.txt", "notepad")
        self.start_all()
        self.write_by_notepad(text)
        passed = sniffer.end()
        self.assertEqual(([], 0), (passed["seen"], passed["lost"]))
        connections = set()
        for direction, first in passed["first"].items():
            first = bytes.fromhex(first)
            places = direction.split()
            (port,) = [port for port in PORTS if f"{ADDRESS}:{port}" in places]
            with self.subTest(direction=direction, first=first):
                if port == ACTUATOR_PORT:
                    self.assertEqual(TLS_HANDSHAKE, first[0])
                else:
                    self.assertEqual((ZMTP_SIGNATURE, b"CURVE"), (first[:len(ZMTP_SIGNATURE)], mechanism(first)))
            connections.add((port, places[0] == f"{ADDRESS}:{port}"))
        self.assertEqual({(port, sends) for port in PORTS for sends in (False, True)}, connections)

    def test_the_sniffer_sees_what_is_not_encrypted(self):
        sniffer = Stranger("switch", "sniff", "actuator", "漢字", "absent")
        server = subprocess.Popen(
            [*within("actuator"), PYTHON, "-c", "import socket\nserver = socket.create_server(('', 9))\nprint()\n"
             "server.accept()[0].recv(99)"], stdout=subprocess.PIPE)
        server.stdout.readline()
        self.send_from_the_middle(9, "漢字".encode(), 1)
        server.communicate(timeout=10)
        self.assertEqual(["漢字"], sniffer.end()["seen"])

    def send_from_the_middle(self, port, sent, seconds):
        """The bytes that the policy's host gets for these, and whether the connection has ended by then."""
        got, ended = json.loads(self.output_of("middle", PYTHON, WIRES, "send", ADDRESS, port, seconds, sent.hex()))
        return bytes.fromhex(got), ended

    def test_a_stranger_gets_nothing(self):
        self.start_all()
        # Keys of the bus: none, new ones, of roles that the actuator's peers file does not have, and of roles in it
        # that may not read. The console may.
        keys = [[], ["fresh"], [self.file_of("actuator", "actuator")], [self.file_of("planner", "planner")],
                [self.file_of("policy", "middle")], [self.file_of("observer", "middle")],
                [self.file_of("console", "console")]]
        readers = [Stranger("middle", "read", ADDRESS, BUS_PORT, *([self.peers_of("console"), *key] if key else []))
                   for key in keys]
        self.write_by_notepad("seen")
        *strangers, console = [reader.end() for reader in readers]
        self.assertEqual([0] * len(strangers), strangers)
        self.assertGreater(console, 0)

        self.assertEqual("UNAVAILABLE", self.output_of("middle", PYTHON, WIRES, "call", ADDRESS, ACTUATOR_PORT).strip())
        self.assertEqual("UNAVAILABLE", self.output_of("middle", PYTHON, WIRES, "call", ADDRESS, ACTUATOR_PORT,
                                                       self.peers_of("middle")).strip())
        # The policy of another deployment.
        foreign = self.sandbox.path("foreign")
        init = self.sandbox.run("init", str(foreign), "--host", "policy,observer,planner,console=10.99.0.3", "--host",
                                f"actuator={ADDRESS}")
        self.assertEqual(DONE, init.wait(), init.said())
        (certificate,) = foreign.glob("*/policy.identity.toml")
        self.assertEqual("UNAVAILABLE", self.act_with(certificate))

        for sent in (HTTP2_PREFACE, b"GET / HTTP/1.1\r\n\r\n", ZMTP_WITHOUT_CURVE):
            with self.subTest(sent=sent):
                got, ended = self.send_from_the_middle(ACTUATOR_PORT, sent, 20)
                self.assertTrue(ended)
                self.assertIn(got[:1], (b"", bytes([TLS_ALERT])))
                self.assertLessEqual(len(got), 7)  # One alert.
                got, ended = self.send_from_the_middle(BUS_PORT, sent, 20)
                self.assertTrue(ended)
                self.assertLessEqual(len(got), ZMTP_GREETING)
        # The bus tells everybody that it wants CURVE, and no more.
        got, ended = self.send_from_the_middle(BUS_PORT, ZMTP_SIGNATURE, 20)
        self.assertEqual((ZMTP_GREETING, b"CURVE", True), (len(got), mechanism(got), ended))

    def test_only_the_policy_may_act(self):
        self.start_all()
        for role, host in (("observer", "middle"), ("recorder", "middle"), ("console", "console")):
            with self.subTest(role=role):
                self.assertEqual("PERMISSION_DENIED", self.act_as(role, host))
        # The actuator's peers file has neither of these.
        others = (("planner", "planner"), ("actuator", "actuator"))
        for role, host in others:
            self.assertEqual("UNAUTHENTICATED", self.act_as(role, host), role)
        # Not even if it had them.
        known = self.peers_of("middle").read_text().split("[[peer]]")
        peers = self.peers_of("actuator")
        peers.write_text("[[peer]]".join([peers.read_text(), *(block for block in known if any(
            f'role = "{role}"' in block for role, _ in others))]))
        for role, host in others:
            with self.subTest(role=role):
                wait_until(lambda role=role, host=host: self.act_as(role, host) != "UNAUTHENTICATED", "it is known", 30)
                self.assertEqual("PERMISSION_DENIED", self.act_as(role, host))
        # The policy's is accepted: its empty request is what is refused.
        self.assertEqual("INVALID_ARGUMENT", self.act_as("policy", "middle"))

    def test_it_listens_at_its_address_alone(self):
        self.start_all()
        listening = [f"{ADDRESS}:{port}" for port in PORTS]
        self.assertEqual(listening, sorted(local for local, _ in self.sockets("--listening", "--tcp")))
        for port in PORTS:
            self.assertTrue(self.reaches("middle", ADDRESS, port))
            self.assertFalse(self.reaches("planner", ADDRESS, port))
        # It calls nobody: others have opened all of its connections. By the sockets of the loopback network that are
        # connected with each other or with themselves, its threads wake each other.
        connected = self.sockets("--tcp")
        foreign = {(local, peer) for local, peer in connected if not local.startswith("127.0.0.1:")}
        self.assertEqual(set(listening), {local for local, _ in foreign})
        own = connected - foreign
        self.assertEqual(own, {(peer, local) for local, peer in own})
        # UDP sockets that are not connected count as listening ones. The one for halts is the only one; Wine binds it to
        # the address's device.
        halts = {(f"{ADDRESS}:{ACTUATOR_PORT}", "0.0.0.0:*")}
        self.assertIn(self.sockets("--listening", "--udp"), (halts, {(f"0.0.0.0%eth0:{ACTUATOR_PORT}", "0.0.0.0:*")}))
        for local, peer in self.sockets("--udp") - self.sockets("--listening", "--udp"):
            self.assertEqual((local, True), (peer, local.startswith("127.0.0.1:")))

    def sockets(self, *flags):
        """The local and peer addresses of the sockets on the actuator's host. gRPC uses IPv6 sockets for IPv4."""
        lines = self.output_of("actuator", "ss", "--no-header", "--numeric", *flags).splitlines()
        return {tuple(place.replace("[::ffff:", "").replace("]", "") for place in line.split()[-2:]) for line in lines}


if __name__ == "__main__":
    main()
