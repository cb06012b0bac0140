"""A task in which every effect is unique, and the checks that must pass whichever process dies.

The checks use the fake desktop's journal (each effect, written before it shows), the saved file, the actuator's ledger
(parsed here, byte by byte) and the output of da-console.
"""

import hashlib
import os
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

from console import DONE, SERVICE_LOST, UNKNOWN, Sandbox  # noqa: E402

# Each character occurs once; more than two chunks of input.
TYPED = "".join(chr(0x4E00 + i) for i in range(150))
BEGUN = ("KIND_DISPATCHED", "KIND_CONFIRMED", "KIND_NO_EFFECT", "KIND_INTERRUPTED", "KIND_FAILED", "KIND_UNKNOWN")


def told_steps(run):
    """How many steps were reported as begun: by their outcomes or, if the actuator died before it published the last
    one, by the end of the task, which counts the executed steps."""
    outcomes = [fact for fact in run.facts("actuator.outcome") if fact.get("kind") in BEGUN]
    ends = [fact["result"].get("steps", 0) for fact in run.facts("planner.end")]
    return max([len(outcomes), *ends])


class Deeds:
    """The goal, and the journal lines of each of its acting steps."""

    def __init__(self, directory):
        self.file = directory / "saved.txt"
        self.journal = directory / "journal"
        self.goal = (f'open notes {self.file}; type "{TYPED}"; press f6; paste "pasted"; press ctrl+s; '
                     'check window "Notes" is open')
        self.steps = [
            [f"launch notes {self.file}"],
            [f"type {character}" for character in TYPED],
            ["tap f6"],
            ["clipboard pasted", "chord ctrl+v"],
            ["chord ctrl+s", f"save {self.file}"],
        ]

    def lines(self):
        return self.journal.read_text().splitlines() if self.journal.exists() else []

    def all_lines(self):
        return [line for step in self.steps for line in step]

    def forget(self):
        for file in (self.file, self.journal):
            file.unlink(missing_ok=True)

    def begun_steps(self):
        """How many steps have written to the journal."""
        count = len(self.lines())
        begun = 0
        for step in self.steps:
            if count <= 0:
                break
            count -= len(step)
            begun += 1
        return begun

    def problems(self, exit_code, run, ledger):
        """Problems after a run with this exit code (None: the console was killed)."""
        found = []
        lines, expected = self.lines(), self.all_lines()
        if lines != expected[:len(lines)]:
            found.append(f"the journal is not a prefix of the expected effects (one repeated or out of order): {lines}")
        if exit_code == DONE and lines != expected:
            found.append(f"it reports success, but did {len(lines)} of {len(expected)} effects")
        if exit_code == DONE and self.file.read_text() != TYPED + "pasted":
            found.append("the file is not the typed text")
        if exit_code not in (None, DONE, SERVICE_LOST, UNKNOWN):
            found.append(f"exit code {exit_code}")
        begun = self.begun_steps()
        if begun > ledger.intents:
            found.append(f"{begun} steps acted, but the ledger has {ledger.intents} intents")
        if exit_code == SERVICE_LOST:
            told = told_steps(run)
            if begun > told:
                found.append(f"{begun} steps acted, {told} were reported, and the exit code is not {UNKNOWN}")
        return found


class LedgerReading:
    """A parsed ledger file: how many grants were begun, and how many of them have no outcome."""

    def __init__(self, file):
        kinds = {}
        for body in self.bodies(file.read_bytes() if file.exists() else b""):
            fields = self.fields(body)
            if fields.get(8):
                kinds[fields[8]] = fields.get(3, 0)
        self.intents = len(kinds)
        self.in_doubt = sum(kind == 0 for kind in kinds.values())

    @staticmethod
    def bodies(content):
        at = 0
        while at + 8 <= len(content):
            (length,) = struct.unpack_from("<I", content, at)
            body = content[at + 8:at + 8 + length]
            if len(body) == length and hashlib.blake2b(body, digest_size=16).digest()[:4] == content[at + 4:at + 8]:
                yield body
                at += 8 + length
            else:
                at += 1

    @staticmethod
    def fields(body):
        """Field number -> last value, of a protobuf message."""
        def varint(at):
            value = shift = 0
            while True:
                byte = body[at]
                value |= (byte & 0x7F) << shift
                shift += 7
                at += 1
                if byte < 0x80:
                    return value, at
        found, at = {}, 0
        while at < len(body):
            key, at = varint(at)
            if key & 7 == 0:
                found[key >> 3], at = varint(at)
            else:
                length, at = varint(at)
                found[key >> 3] = body[at:at + length]
                at += length
        return found

    @staticmethod
    def old_records(count):
        """A ledger file with `count` expired outcomes."""
        content = b""
        for number in range(count):
            grant = b"old-%027d" % number
            body = b"\x18\x01" + b"\x42" + bytes([len(grant)]) + grant
            content += struct.pack("<I", len(body)) + hashlib.blake2b(body, digest_size=16).digest()[:4] + body
        return content


class FaultSandbox(Sandbox):
    """A sandbox with the task (Deeds) in it."""

    def __init__(self, prefix="/tmp/f-"):
        super().__init__(prefix)
        self.deeds = Deeds(self.root)
        self.ledger_file = self.state / "desktopassist/actuator/ledger"

    def ledger(self):
        return LedgerReading(self.ledger_file)

    def start_deeds(self, *flags):
        """Starts the task with an empty ledger, so that all its intents are of this run."""
        self.deeds.forget()
        self.ledger_file.unlink(missing_ok=True)
        return self.goal(self.deeds.goal, "--journal", str(self.deeds.journal), *flags)

    def next_run_problems(self, seconds):
        """Problems of another short task in the same sandbox, which must work and leave nothing behind."""
        journal = self.root / "next"
        journal.unlink(missing_ok=True)
        run = self.goal("open notes", "--unlock-writes", "--journal", str(journal))
        found = []
        if run.wait(seconds) != DONE:
            found.append(f"the next run fails:\n{run.said()}")
        elif journal.read_text().splitlines() != ["launch notes"]:
            found.append(f"the next run did {journal.read_text()}")
        left = [str(file) for file in self.state.rglob("*.new")] + [str(run) for run in self.run_directories()]
        if left:
            found.append(f"left behind: {left}")
        return found


def children(pid):
    """name -> pid of the services that this console started."""
    found = {}
    try:
        pids = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return found
    for child in pids:
        try:
            program = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")[0].decode()
        except OSError:
            continue
        name = os.path.basename(program)
        if name.startswith("da-") and name != "da-console":
            found[name.removeprefix("da-")] = int(child)
    return found
