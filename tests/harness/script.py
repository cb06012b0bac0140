"""A script that drives a desktop through `da-console stdio`, by commands and their answers.

    script = Script(sandbox, "--desktop", "fake", "--unlock-writes")
    answer = script.ask("ui.click", element_id=element["element_id"])
    script.end()
"""

import itertools
import json
import re
import subprocess

from console import PATIENCE, RULES

SUCCESS, FAIL = "success", "fail"


class Script:
    def __init__(self, sandbox, *flags, rules=RULES):
        given = ["--rules", str(rules)] if rules and "--config" not in flags else []
        self.run = sandbox.start("stdio", *given, *flags, stdin=subprocess.PIPE)
        self._numbers = itertools.count(1)
        self._answered = 0

    def write(self, data):
        """Sends bytes as they are."""
        self.run.process.stdin.write(data)
        self.run.process.stdin.flush()

    def send(self, action, **payload):
        """Sends a command without waiting for its answer, and returns its id."""
        command = {"id": str(next(self._numbers)), "action": action}
        if payload:
            command["payload"] = payload
        self.write(json.dumps(command).encode() + b"\n")
        return command["id"]

    def answer(self, seconds=PATIENCE):
        """Waits for the next answer."""
        number = self._answered
        self.run.wait_for(lambda: len(self.run.stdout) > number, seconds)
        self._answered += 1
        answer = json.loads(self.run.stdout[number])
        if set(answer) != {"request_id", "status", "data", "error"}:
            raise AssertionError(f"these are not the keys of an answer: {answer}")
        if (answer["error"] is None) != (answer["status"] == SUCCESS):
            raise AssertionError(f"status and error contradict each other: {answer}")
        return answer

    def ask(self, action, **payload):
        sent = self.send(action, **payload)
        answer = self.answer()
        if answer["request_id"] != sent:
            raise AssertionError(f"the answer is not to command {sent}: {answer}")
        return answer

    def ask_line(self, line):
        self.write(line + b"\n")
        return self.answer()

    def do(self, action, **payload):
        """Sends a command that must succeed, and returns the data of its answer."""
        answer = self.ask(action, **payload)
        if answer["status"] != SUCCESS:
            raise AssertionError(f"{action} failed: {answer}; {self.run.errors()}")
        return answer["data"]

    def elements(self, scope="window"):
        """Returns all elements of a snapshot, parents before children."""
        found = []

        def add(elements):
            for element in elements:
                found.append(element)
                add(element.get("children", []))
        for window in self.do("ui.snapshot", scope=scope)["windows"]:
            add(window["elements"])
        return found

    def element(self, name, role=None, scope="window"):
        """Returns the first showing element with the name."""
        for element in self.elements(scope):
            if element["name"] == name and role in (None, element["role"]) and "showing" in element["states"]:
                return element
        return None

    def asked(self, command="approve"):
        """Waits until stderr says how to answer an approval or a question, and returns its id."""
        return self.run.wait_for(lambda: re.findall(rf"da-console {command} (\S+)", self.run.errors()))[-1]

    def end(self):
        """Ends the input."""
        self.run.process.stdin.close()
