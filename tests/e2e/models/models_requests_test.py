"""Checks the request bodies that the other model tests stored against the types of the vendors' SDKs.

DA_E2E_MODEL_REQUESTS is the directory of the bodies, DA_E2E_MODEL_TYPES the install directory of the SDKs.
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from console import ROOT
from models import KEPT_REQUESTS, PROVIDERS

COMPUTER_TOOLS = {"computer", "computer_20241022", "computer_20250124", "computer_20251124",
                  "computer_toolset_20260801", "ENVIRONMENT_DESKTOP", "ENVIRONMENT_BROWSER"}


def tool_of(request):
    """Returns the computer tool that a request offers."""
    tool = (request["body"].get("tools") or [{}])[0]
    return tool["computerUse"]["environment"] if "computerUse" in tool else tool.get("type")


class Types(unittest.TestCase):
    def test_every_request_body_matches_the_type_of_the_vendor(self):
        files = sorted(pathlib.Path(os.environ[KEPT_REQUESTS]).glob("*.jsonl"))
        requests = [json.loads(line) for file in files for line in file.read_text().splitlines()]
        self.assertEqual({known.api for known in PROVIDERS}, {request["api"] for request in requests})
        offered = {tool_of(request) for request in requests}
        self.assertLessEqual(COMPUTER_TOOLS, offered)
        checked = subprocess.run([sys.executable, ROOT / "tests/models/types/check_types.py", "--cache",
                                  os.environ["DA_E2E_MODEL_TYPES"], *files], capture_output=True, text=True)
        self.assertEqual(0, checked.returncode, checked.stdout + checked.stderr)
        print(f"{len(requests)} bodies in {len(files)} files match their types")


if __name__ == "__main__":
    unittest.main()
