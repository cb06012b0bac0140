"""Tests with a foreign planner and a foreign console (client.py) at a deployment of da-console init.

    class Example(ForeignTest):
        def test_an_example(self):
            self.start()
            step = self.submit(self.new_task(), file_delete={"path": "/tmp/old"})
            self.assertEqual("RISK_CRITICAL", step.question()["risk"])
            step.approve()
            self.assertEqual("KIND_CONFIRMED", step.outcome()["kind"])
"""

import itertools
import json
import pathlib
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))

from connections_test import PORTS, PYTHON, DeploymentTest  # noqa: E402
from console import PATIENCE, ROOT, wait_until  # noqa: E402

# The kinds of outcomes of steps that were carried out.
ACTED = ("KIND_DISPATCHED", "KIND_CONFIRMED")
CLIENT = pathlib.Path(__file__).resolve().parent / "client.py"


class Call:
    """One call. `answer` is None until it has ended."""

    def __init__(self, what):
        self.what, self.answer, self.ended = what, None, threading.Event()

    def end(self, answer):
        self.answer = answer
        self.ended.set()

    def wait(self, seconds=PATIENCE):
        if not self.ended.wait(seconds):
            raise AssertionError(f"not answered within {seconds} s: {self.what}")
        return self.answer


class Client:
    def __init__(self, *arguments):
        self.process = subprocess.Popen([PYTHON, str(CLIENT), *map(str, arguments)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.calls, self.numbers = {}, itertools.count()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            answer = json.loads(line)
            self.calls.pop(answer.pop("call")).end(answer)

    def begin(self, method, **request):
        number, call = next(self.numbers), Call(f"{method} {request}")
        self.calls[number] = call
        self.process.stdin.write(json.dumps({"call": number, "method": method, "request": request}) + "\n")
        self.process.stdin.flush()
        return call

    def call(self, method, **request):
        return self.begin(method, **request).wait()

    def end(self):
        self.process.kill()
        self.process.wait()
        self.reader.join(10)
        self.process.stdin.close()
        self.process.stdout.close()


class Step:
    """A submitted step. Submit answers when the step has ended, which may need an approval."""

    def __init__(self, person, call, step_id):
        self.person, self.submitted, self.step_id, self.approval_id = person, call, step_id, None

    def question(self, seconds=PATIENCE):
        """Waits until the step is asked about or has ended. Returns the question; None if it has ended."""
        def pending():
            listed = self.person.call("Policy/ListPending")["reply"]
            return listed and [asked for asked in listed["pending"] if asked["step"]["step_id"] == self.step_id]
        found = wait_until(lambda: self.submitted.ended.is_set() or pending(), "the step is asked about or has ended",
                           seconds)
        if found is True:
            return None
        self.approval_id = found[0]["approval_id"]
        return found[0]

    def approve(self, **more):
        return self.person.call("Policy/Approve", approval_id=self.approval_id, **{"approver": "anybody", **more})

    def deny(self):
        return self.person.call("Policy/Deny", approval_id=self.approval_id, approver="anybody", then="THEN_SKIP")

    def reply(self):
        answer = self.submitted.wait()
        if answer["code"] != "OK":
            raise AssertionError(f"Submit failed: {answer}")
        return answer["reply"]

    def outcome(self):
        return self.reply()["outcome"]


class ForeignTest(DeploymentTest):
    def start(self, descriptors=1024, **options):
        """Starts the services, a foreign planner (self.planner) and a foreign console (self.person)."""
        super().start(descriptors, **options)
        self.messages = self.sandbox.path("messages")
        self.messages.mkdir()
        proto = ROOT / "proto"
        subprocess.run(["protoc", f"-I{proto}", f"--python_out={self.messages}", *proto.glob("da/v1/*.proto")],
                       check=True, timeout=PATIENCE)
        self.planner, self.person = self.client("planner"), self.client("console")
        self.step_numbers = itertools.count(1)

    def client(self, role):
        """Another client of the policy with the role's certificate."""
        client = Client("policy", self.addresses["policy"], PORTS["policy"], *self.peer_files(role), self.messages)
        self.addCleanup(client.end)
        return client

    def new_task(self, **request):
        """Opens a task and returns its token."""
        opened = self.person.call("Policy/OpenTask", opened_by="anybody", **request)
        self.assertEqual("OK", opened["code"], opened)
        return opened["reply"]["task_token"]

    def submit(self, token, **action):
        step_id = f"step-{next(self.step_numbers)}"
        call = self.planner.begin("Policy/Submit", task_token=token, step={"step_id": step_id, "action": action})
        return Step(self.person, call, step_id)
