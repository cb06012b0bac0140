"""Calls with a valid certificate that a service must refuse because of their content."""

import unittest

from connections_test import DeploymentTest
from console import wait_until

# Calls that show the desktop: service, method, a role that may call it, field number of the token.
VIEWS = [("observer", "Observer/Observe", "planner", 10), ("observer", "Observer/Locate", "planner", 9),
         ("observer", "Observer/ReadUi", "planner", 3), ("observer", "Observer/Observe", "console", 10),
         ("observer", "Observer/ReadUi", "console", 3), ("observer", "Observer/Analyze", "planner", 2),
         ("observer", "Observer/Analyze", "console", 2), ("actuator", "Actuator/Frames", "observer", 5),
         ("actuator", "Actuator/ReadUiTree", "observer", 5), ("actuator", "Actuator/AwaitChange", "observer", 1)]


def text_field(number, text):
    return bytes([number << 3 | 2, len(text)]) + text.encode()


class Seeing(DeploymentTest):
    """The desktop is shown only for open tasks."""

    def view(self, service, method, role, field, token):
        target = text_field(2, "anything") if method == "Observer/Locate" else b""
        return self.call(service, method, role, target + (text_field(field, token) if token else b""))

    def test_needs_the_token_of_an_open_task(self):
        self.start(descriptors=1024)
        task_token, token = self.open_task()
        for view in VIEWS:
            with self.subTest(view=view):
                for wrong in ("", task_token):
                    code, answer = self.view(*view, wrong)
                    self.assertEqual(("UNAUTHENTICATED", b""), (code, answer))
                self.assertEqual("OK", self.view(*view, token)[0])
        # An observation token does not authorize actions.
        code, _ = self.call("policy", "Policy/CloseTask", "planner", text_field(1, token))
        self.assertEqual("UNAUTHENTICATED", code)
        code, _ = self.call("policy", "Policy/CloseTask", "planner", text_field(1, task_token))
        self.assertEqual("OK", code)
        # The actuator knows after a heartbeat of the policy.
        shown = next(view for view in VIEWS if view[0] == "actuator")
        wait_until(lambda: self.view(*shown, token)[0] == "UNAUTHENTICATED", "the actuator knows the task's end")
        for view in VIEWS:
            with self.subTest(view=view):
                self.assertEqual(("UNAUTHENTICATED", b""), self.view(*view, token))


class Garbage(DeploymentTest):
    def test_unparsable_request_is_an_error(self):
        self.start(descriptors=1024)
        for service, method, role in (("actuator", "Actuator/Act", "policy"), ("policy", "Policy/Submit", "planner")):
            for garbage in (b"\xff" * 20, text_field(1, "x" * 20)[:-5], b"\x0a"):
                code, answer = self.call(service, method, role, garbage)
                self.assertEqual(("INVALID_ARGUMENT", b""), (code, answer), garbage)


if __name__ == "__main__":
    unittest.main()
