"""The output of `da-console init` and `keys`, checked with openssl, Python and systemd and run on the fake desktop."""

import json
import os
import pathlib
import re
import shutil
import ssl
import stat
import subprocess
import tempfile
import tomllib
import unittest

from console import BAD_USAGE, BIN, DONE, FAILED, ROOT, SERVICES, ConsoleTest

DEPLOY = ROOT / "deploy"
HOSTS = ("--host", "planner=10.0.0.2", "--host", "policy,observer=10.0.0.3", "--host", "actuator=10.0.0.4", "--host",
         "console=10.0.0.5")
MACHINES = {"planner": ["planner"], "policy-observer": ["policy", "observer", "recorder"], "actuator": ["actuator"],
            "console": ["console"]}


def command(*arguments, given=None):
    return subprocess.run(arguments, input=given, capture_output=True, text=True, timeout=60)


def read(file):
    return tomllib.loads(file.read_text())


class DeploymentTest(ConsoleTest):
    def setUp(self):
        super().setUp()
        self.place = self.sandbox.path("deployment")

    def console(self, *arguments, code=DONE):
        run = self.sandbox.run(*map(str, arguments))
        self.assertEqual(code, run.wait(), run.said())
        return run

    def init(self, *arguments):
        return self.console("init", self.place, *arguments)

    def identity(self, machine, role):
        return read(self.place / machine / f"{role}.identity.toml")

    def listed(self):
        return [json.loads(line) for line in self.console("keys", "list", self.place, "--json").stdout]


class Init(DeploymentTest):
    def test_init_writes_private_files_in_the_expected_directories(self):
        self.init(*HOSTS)
        for path in [self.place, *self.place.rglob("*")]:
            self.assertEqual(0o700 if path.is_dir() else 0o600, stat.S_IMODE(path.stat().st_mode), path)
        self.assertEqual({"ca", *MACHINES}, {path.name for path in self.place.iterdir()})

    def test_openssl_verifies_every_certificate_for_its_role_and_no_other(self):
        self.init(*HOSTS)
        authority = self.sandbox.path("ca.pem")
        authority.write_text(read(self.place / "planner" / "peers" / "peers.toml")["ca"])
        for machine, roles in MACHINES.items():
            for role in roles:
                identity = self.identity(machine, role)
                file = self.sandbox.path("certificate.pem")
                file.write_text(identity["certificate"])
                for purpose in ("sslserver", "sslclient"):
                    verified = command("openssl", "verify", "-x509_strict", "-purpose", purpose, "-CAfile", authority,
                                       "-verify_hostname", f"{role}.desktopassist.internal", file)
                    self.assertEqual(0, verified.returncode, verified.stderr)
                other = "policy" if role != "policy" else "planner"
                self.assertNotEqual(0, command("openssl", "verify", "-CAfile", authority, "-verify_hostname",
                                               f"{other}.desktopassist.internal", file).returncode)
                public = command("openssl", "x509", "-noout", "-pubkey", given=identity["certificate"]).stdout
                self.assertEqual(public, command("openssl", "pkey", "-pubout", given=identity["private_key"]).stdout)

    def handshake(self, server, client, name):
        """Does a mutual TLS 1.3 handshake between two identities in memory, with Python's ssl."""
        contexts = []
        for (place, machine, role), protocol in ((server, ssl.PROTOCOL_TLS_SERVER), (client, ssl.PROTOCOL_TLS_CLIENT)):
            context = ssl.SSLContext(protocol)
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(cadata=read(place / machine / "peers" / "peers.toml")["ca"])
            identity = read(place / machine / f"{role}.identity.toml")
            file = self.sandbox.path("chain.pem")
            file.write_text(identity["certificate"] + identity["private_key"])
            context.load_cert_chain(file)
            contexts.append(context)
        to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
        ends = [contexts[1].wrap_bio(to_client, to_server, server_hostname=name),
                contexts[0].wrap_bio(to_server, to_client, server_side=True)]
        for _ in range(6):
            for end in ends:
                try:
                    end.do_handshake()
                except ssl.SSLWantReadError:
                    pass
        return ends[1].version(), ends[1].getpeercert()

    def test_tls_accepts_the_right_peer_and_refuses_another_name_or_authority(self):
        self.init(*HOSTS)
        other = self.sandbox.path("other")
        self.console("init", other, *HOSTS)
        policy, actuator = (self.place, "policy-observer", "policy"), (self.place, "actuator", "actuator")
        version, peer = self.handshake(actuator, policy, "actuator.desktopassist.internal")
        self.assertEqual("TLSv1.3", version)
        self.assertEqual((("DNS", "policy.desktopassist.internal"),), peer["subjectAltName"])
        # The stranger trusts our authority, so the server is the side that refuses.
        shutil.copy(self.place / "policy-observer" / "peers" / "peers.toml", other / "policy-observer" / "peers" / "peers.toml")
        stranger = (other, "policy-observer", "policy")
        for server, client, name in ((actuator, policy, "policy.desktopassist.internal"),
                                     (actuator, policy, "10.0.0.4"),
                                     (actuator, stranger, "actuator.desktopassist.internal"),
                                     ((other, "actuator", "actuator"), policy, "actuator.desktopassist.internal")):
            with self.subTest(server=server, client=client, name=name), self.assertRaises(ssl.SSLCertVerificationError):
                self.handshake(server, client, name)

    def test_no_file_of_the_planner_host_mentions_the_actuator(self):
        self.init(*HOSTS)
        actuator = self.identity("actuator", "actuator")
        for file in (self.place / "planner").rglob("*.toml"):
            for part in ("10.0.0.4", "actuator@", "7444", actuator["curve_public"]):
                self.assertNotIn(part, file.read_text(), file)

    def test_each_private_key_is_in_one_file_only(self):
        self.init(*HOSTS)
        text = "".join(path.read_text() for path in self.place.rglob("*") if path.is_file())
        for machine, roles in MACHINES.items():
            for role in roles:
                identity = self.identity(machine, role)
                for secret in ("private_key", "curve_secret"):
                    self.assertEqual(1, text.count(identity[secret]), f"{role} {secret}")
        self.assertEqual(1, text.count((self.place / "policy-observer" / "policy.key").read_text()))

    def test_init_overwrites_a_deployment_only_with_force(self):
        self.init(*HOSTS)
        before = {path: path.read_bytes() for path in self.place.rglob("*") if path.is_file()}
        run = self.console("init", self.place, *HOSTS, code=FAILED)
        self.assertIn("--force", run.errors())
        self.assertEqual(before, {path: path.read_bytes() for path in self.place.rglob("*") if path.is_file()})
        self.init(*HOSTS, "--force")
        self.assertNotEqual(before[self.place / "ca" / "authority.pem"],
                            (self.place / "ca" / "authority.pem").read_bytes())

    def test_invalid_host_arguments_exit_with_2_and_write_nothing(self):
        for host in ("planner", "planner=10.0.0.2", "nobody=10.0.0.2", "planner=10.0.0.2:80", "planner=fd00::1"):
            with self.subTest(host=host):
                self.console("init", self.place, "--host", host, code=BAD_USAGE)
        self.console("init", code=BAD_USAGE)
        self.assertFalse(self.place.exists())

    def made(self, machine):
        """The configurations that init has made for a machine, without the policy's public key."""
        return {file.name: re.sub('"[0-9a-f]{64}"', '"da-console init writes the public key here"', file.read_text())
                for file in (self.place / machine).glob("*.toml")
                if file.name != "rules.toml" and not file.name.endswith(".identity.toml")}

    def test_the_shipped_example_hosts_equal_the_output_of_init(self):
        self.init(*HOSTS)
        made = {machine: self.made(machine) for machine in MACHINES}
        self.assertEqual((DEPLOY / "config" / "policy.toml").read_text(),
                         (self.place / "policy-observer" / "rules.toml").read_text())
        self.init(*HOSTS, "--desktop", "win32", "--force")
        made["actuator-windows"] = self.made("actuator")
        shipped = {machine.name: {file.name: file.read_text() for file in machine.iterdir()}
                   for machine in (DEPLOY / "config" / "hosts").iterdir()}
        self.assertEqual(made, shipped)

    def test_help_names_the_important_arguments(self):
        text = self.console("init", "--help").text()
        for word in ("--host policy,observer=10.0.0.3", "DIR/ca", "--force", "DEPLOY.md"):
            self.assertIn(word, text)
        text = self.console("keys", "--help").text()
        for word in ("list", "rotate", "revoke"):
            self.assertIn(word, text)


class Keys(DeploymentTest):
    def setUp(self):
        super().setUp()
        self.init(*HOSTS)

    def fingerprint(self, machine, role):
        said = command("openssl", "x509", "-noout", "-fingerprint", "-sha256",
                       given=self.identity(machine, role)["certificate"]).stdout
        return said.strip().split("=")[1].replace(":", "").lower()

    def peers(self, machine):
        return {peer["name"]: peer for peer in read(self.place / machine / "peers" / "peers.toml")["peer"]
                if not peer.get("revoked", False)}

    def test_keys_list_shows_owner_fingerprint_and_expiry(self):
        rows = self.listed()
        self.assertEqual({f"{role}@{machine}" for machine, roles in MACHINES.items() for role in roles},
                         {row["name"] for row in rows})
        for row in rows:
            self.assertEqual(f"{row['role']}@{row['machine']}", row["name"])
            self.assertFalse(row["revoked"])
            self.assertEqual(self.fingerprint(row["machine"], row["role"]), row["fingerprint"])
            ends = command("openssl", "x509", "-noout", "-enddate", "-dateopt", "iso_8601",
                           given=self.identity(row["machine"], row["role"])["certificate"]).stdout
            self.assertEqual(ends.strip().split("=")[1].replace(" ", "T")[:19], row["expires"][:19])
        text = self.console("keys", "list", self.place).text()
        for row in rows:
            self.assertIn(row["name"], text)

    def test_keys_rotate_changes_one_identity_and_lists_the_files_to_copy(self):
        before = self.identity("policy-observer", "policy")
        other = self.identity("policy-observer", "observer")
        run = self.console("keys", "rotate", self.place, "policy@policy-observer")
        told = set(re.findall(r"^  (/\S+)$", run.text(), re.MULTILINE))
        self.assertEqual({str(self.place / file) for file in (
            "policy-observer/policy.identity.toml", "policy-observer/peers/peers.toml", "planner/peers/peers.toml", "actuator/peers/peers.toml", "console/peers/peers.toml")},
            told)
        after = self.identity("policy-observer", "policy")
        self.assertEqual(other, self.identity("policy-observer", "observer"))
        for key in ("certificate", "private_key", "curve_public", "curve_secret"):
            self.assertNotEqual(before[key], after[key])
        for machine in ("planner", "actuator", "console"):
            self.assertEqual(after["curve_public"], self.peers(machine)["policy@policy-observer"]["curve_public"])
            self.assertEqual(self.fingerprint("policy-observer", "policy"),
                             self.peers(machine)["policy@policy-observer"]["fingerprint"])
        self.assertEqual([True, False], [row["revoked"] for row in self.listed() if row["role"] == "policy"])

    def test_a_revoked_identity_is_removed_from_all_peer_lists(self):
        self.console("keys", "revoke", self.place, "console@console")
        for machine in ("planner", "policy-observer", "actuator"):
            self.assertNotIn("console@console", self.peers(machine))
        self.assertEqual([True], [row["revoked"] for row in self.listed() if row["role"] == "console"])
        run = self.console("keys", "revoke", self.place, "console@console", code=FAILED)
        self.assertIn("rotate", run.errors())
        self.console("keys", "rotate", self.place, "console@console")
        self.assertIn("console@console", self.peers("actuator"))

    def test_an_unknown_identity_is_refused_with_the_known_ones(self):
        run = self.console("keys", "rotate", self.place, "policy@planner", code=FAILED)
        self.assertIn("policy@policy-observer", run.errors())

    def test_without_the_key_of_the_authority_keys_can_be_listed_but_not_rotated(self):
        (self.place / "ca" / "authority.pem").unlink()
        self.assertEqual(6, len(self.listed()))
        self.console("keys", "rotate", self.place, "policy@policy-observer", code=FAILED)
        self.assertEqual(6, len(self.listed()))

    def test_keys_list_outside_a_deployment_names_da_console_init(self):
        run = self.sandbox.run("keys", "list", str(self.sandbox.path("none")))
        self.assertEqual(FAILED, run.wait(), run.said())
        self.assertIn("da-console init", run.errors())


class SingleHost(DeploymentTest):
    def start_services(self):
        for role in SERVICES:
            reader, writer = os.pipe()
            process = subprocess.Popen(
                [BIN / f"da-{role}", "--config", self.place / "host" / f"{role}.toml", "--ready-fd", str(writer)],
                pass_fds=[writer], env=self.sandbox.environment, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.stderr.close)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            os.close(writer)
            with os.fdopen(reader) as ready:
                if ready.read(1) != "r":
                    self.fail(f"da-{role} did not start: {process.stderr.read()}")

    def test_services_started_separately_execute_a_goal(self):
        self.init("--desktop", "fake")
        self.start_services()
        file = self.sandbox.path("a.txt")
        run = self.sandbox.start("--config", str(self.place / "host" / "console.toml"), "--json", "--unlock-writes",
                                 "--goal", f'open notes {file}; type "hello"; press ctrl+s', rules=None)
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertEqual("hello", file.read_text())
        self.assertIn("policy.verdict", {json.loads(line)["topic"] for line in run.stdout})
        self.assertEqual(0o700, stat.S_IMODE((self.sandbox.runtime / "desktopassist").stat().st_mode))


class Units(unittest.TestCase):
    """Checks the shipped units with systemd-analyze."""

    # The system manager starts these services; the user's manager starts the actuator.
    SYSTEM = ("observer", "planner", "policy", "recorder")
    # Highest allowed result of systemd-analyze security, from 0 (best) to 10.
    MOST_EXPOSURE = 3.0

    def setUp(self):
        self.home = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.home / ".local" / "bin").mkdir(parents=True)
        for role in ("actuator", *self.SYSTEM):
            (self.home / ".local" / "bin" / f"da-{role}").symlink_to(BIN / f"da-{role}")

    def unit(self, role):
        """Writes the shipped unit with another install directory and returns the file."""
        text = (DEPLOY / "systemd" / f"da-{role}.service").read_text()
        unit = self.home / f"da-{role}.service"
        unit.write_text(text.replace("/usr/local/bin", f"{self.home}/.local/bin"))
        return unit

    def verify(self, role, unit=None):
        manager = "--user" if role == "actuator" else "--system"
        return subprocess.run(["systemd-analyze", "verify", manager, unit or self.unit(role)], capture_output=True,
                              text=True, timeout=60, env=dict(os.environ, HOME=str(self.home),
                                                              XDG_RUNTIME_DIR=str(self.home)))

    def test_systemd_analyze_verify_accepts_all_units(self):
        for role in ("actuator", *self.SYSTEM):
            verified = self.verify(role)
            self.assertEqual((0, ""), (verified.returncode, verified.stderr), role)

    def test_systemd_analyze_verify_reports_an_unknown_setting(self):
        wrong = self.unit("policy")
        wrong.write_text(wrong.read_text().replace("NoNewPrivileges", "NoNewPrivilege"))
        self.assertIn("NoNewPrivilege", self.verify("policy", wrong).stderr)

    def test_the_exposure_level_of_each_unit_is_low(self):
        for role in self.SYSTEM:
            said = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", self.unit(role)],
                                  capture_output=True, text=True, timeout=60)
            level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said.stdout)
            self.assertLess(float(level[1]), self.MOST_EXPOSURE, said.stdout)

    def test_each_service_has_its_own_user_state_directory_and_secrets(self):
        users = (DEPLOY / "systemd" / "desktopassist.sysusers").read_text()
        secrets = {"observer": ["observer.identity.toml"], "planner": ["planner.identity.toml"],
                   "policy": ["policy.identity.toml", "policy.key"], "recorder": ["recorder.identity.toml"]}
        for role in self.SYSTEM:
            lines = (DEPLOY / "systemd" / f"da-{role}.service").read_text().splitlines()
            self.assertIn(f"User=da-{role}", lines)
            self.assertIn(f"StateDirectory=desktopassist-{role}", lines)
            self.assertIn(f"\nu da-{role} ", users)
            self.assertEqual([f"LoadCredential={name}:/etc/desktopassist/{name}" for name in secrets[role]],
                             [line for line in lines if line.startswith("LoadCredential=")])

    def test_all_units_drop_privileges_and_restart_on_failure(self):
        for role in ("actuator", *self.SYSTEM):
            lines = (DEPLOY / "systemd" / f"da-{role}.service").read_text().splitlines()
            self.assertIn("NoNewPrivileges=yes", lines, role)
            self.assertIn("Restart=on-failure", lines, role)


if __name__ == "__main__":
    unittest.main()
