"""da-console with a fake model: the server of tests/models runs in the test process and answers from a script.

    with self.model("anthropic", [say(step("launch", command="notes")), say(done="Opened.")]) as model:
        run = model.goal("open the notes", "--unlock-writes")
        self.assert_ends(run, DONE)
    self.assert_as_scripted(model)

An entry of the script may be a function without arguments. It is called when its request has arrived, which is then
the last of model.requests().
"""

import base64
import json
import os
import pathlib
import re
import ssl
import sys
import tempfile
import threading
from typing import NamedTuple

from console import ROOT, ConsoleTest

sys.path.insert(0, str(ROOT / "tests/models"))

import model_server  # noqa: E402
import script as scripts  # noqa: E402
import tls  # noqa: E402
from api import strings  # noqa: E402
from strict import List, Report  # noqa: E402

KEY = "sk-e2e-5f1c09d7ab34e286"
# The variable with the directory of stored request bodies, which models_requests_test checks.
KEPT_REQUESTS = "DA_E2E_MODEL_REQUESTS"


class Provider(NamedTuple):
    name: str  # The value of --planner.
    api: str  # The name in the model server.
    key_variable: str
    path: str  # Path of the base URL.
    model: str  # The default model.


PROVIDERS = (
    Provider("openai", "openai_chat", "OPENAI_API_KEY", "/v1", "gpt-5"),
    Provider("openai-responses", "openai_responses", "OPENAI_API_KEY", "/v1", "gpt-5"),
    Provider("anthropic", "anthropic", "ANTHROPIC_API_KEY", "", "claude-sonnet-4-5"),
    Provider("gemini", "gemini", "GEMINI_API_KEY", "", "gemini-2.5-pro"),
)
# Providers with their own computer tool; computer_words.py has the formats.
COMPUTER = (
    Provider("openai-computer", "openai_responses", "OPENAI_API_KEY", "/v1", "gpt-5.4"),
    Provider("anthropic-computer", "anthropic", "ANTHROPIC_API_KEY", "", "claude-sonnet-4-5"),
    Provider("gemini-computer", "gemini", "GEMINI_API_KEY", "", "gemini-3.5-flash"),
)
# Local servers with an API compatible to OpenAI; the model server has a dialect for each. They need no key.
LOCAL = tuple(Provider(name, "openai_chat", "", "/v1", "qwen3-vl")
              for name in ("ollama", "llamacpp", "vllm", "lmstudio"))


def provider(name):
    return next(known for known in PROVIDERS + COMPUTER + LOCAL if known.name == name)


def step(tool, why="It is the next thing to do.", **arguments):
    return {"tool": tool, "args": arguments, "human_readable_justification": why}


def say(*steps, done=None, **entry):
    """Returns an entry of the script: a plan of these steps, or the end, and further keys of the entry."""
    return {"text": json.dumps({"steps": list(steps), "done": done}, ensure_ascii=False), **entry}


def suggest(action, reasoning="It comes next.", /, expect=(), **parameters):
    """Returns an entry of the script with one suggestion."""
    return {"text": json.dumps({"action_type": action, "parameters": parameters, "reasoning": reasoning}),
            "expect": list(expect)}


def images_of(request):
    """Returns the image files of a stored request, in order."""
    found = [text.split(",", 1)[-1] for text in strings(request["body"], ("url", "image_url", "data"))]
    return [base64.b64decode(image, validate=True) for image in found]


def image_of(request):
    """Returns the only image of a stored request."""
    (image,) = images_of(request)
    return image


def size_of(image):
    """Returns width and height of a PNG or JPEG from its header."""
    if image.startswith(b"\x89PNG\r\n\x1a\n"):
        return int.from_bytes(image[16:20], "big"), int.from_bytes(image[20:24], "big")
    # ITU-T T.81, B.2.2: a start-of-frame segment has the height, then the width.
    frame = re.search(rb"\xff[\xc0-\xc2]\x00[\x0b-\x17]\x08(..)(..)", image, re.DOTALL)
    return int.from_bytes(frame[2], "big"), int.from_bytes(frame[1], "big")


class LiveScript(scripts.Script):
    def __init__(self, entries):
        report = Report()
        List(scripts.ENTRY).check([entry for entry in entries if not callable(entry)], "script", report)
        if report.violations:
            raise ValueError(report.violations)
        super().__init__(entries)

    def next(self):
        entry = super().next()
        return entry() if callable(entry) else entry


class Model:
    """A model server with a script. Starts goals that use it."""

    def __init__(self, sandbox, provider_name, entries, *flags, key=KEY, encrypted=False,
                 certificate=None):
        """certificate: arguments of tls.make_certificate."""
        self.sandbox, self.provider = sandbox, provider(provider_name)
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="model-", dir=sandbox.root))
        self.ca_file = self.directory / "trusted.pem"
        self.script, self.encrypted = LiveScript(entries), encrypted
        if self.provider in LOCAL:
            key, flags = "", ["--dialect", provider_name, *flags]
        options = model_server.options_of([
            "--script", "", "--requests", str(self.directory / "requests"),
            "--violations", str(self.directory / "violations"), "--key", key, *flags])
        context = None
        if encrypted:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls.make_certificate(self.directory, self.ca_file, **(certificate or {})))
        self.server = model_server.ModelServer(options, self.script, context)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.ended.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        self.server.requests.file.close()
        self.server.violations.file.close()

    @property
    def base_url(self):
        return self.base_url_at(f"127.0.0.1:{self.server.server_port}")

    def base_url_at(self, host):
        return f"{'https' if self.encrypted else 'http'}://{host}{self.provider.path}"

    def lines(self, name):
        return [json.loads(line) for line in (self.directory / name).read_text().splitlines()]

    def requests(self):
        return self.lines("requests")

    def flags(self):
        return ["--planner", self.provider.name, "--base-url", self.base_url]

    def goal(self, goal, *flags, desktop="fake", key=KEY, **options):
        """Starts a goal with --json and with the key in the environment."""
        if self.provider.key_variable:
            self.sandbox.environment[self.provider.key_variable] = key
        return self.sandbox.start("--json", "--desktop", desktop, *self.flags(), *flags, "--goal", goal, **options)


class ModelTest(ConsoleTest):
    """Each test starts without model keys and proxies in the environment."""

    def setUp(self):
        super().setUp()
        self.forget_keys()

    def forget_keys(self):
        for name in list(self.sandbox.environment):
            if name.lower().endswith("_proxy") or name in {known.key_variable for known in PROVIDERS}:
                del self.sandbox.environment[name]

    def model(self, provider_name, entries, *flags, **options):
        return Model(self.sandbox, provider_name, entries, *flags, **options)

    def calls(self, run):
        return run.facts("planner.model_call")

    def assert_ends_within(self, run, exit_code, since, seconds):
        """Checks the end, and that it came at most `seconds` after `since` (time.monotonic())."""
        self.assert_ends(run, exit_code)
        took = run.started + run.seconds - since
        self.assertLess(took, seconds, run.said())

    def assert_as_scripted(self, model, requests=None, key=KEY):
        """Checks that each entry was played once, no request broke a rule, and the key is only in its header."""
        self.assertEqual([], model.lines("violations"))
        self.assertEqual(len(model.script.entries), model.script.played)
        sent = model.requests()
        self.assertEqual(len(model.script.entries) if requests is None else requests, len(sent))
        self.assertEqual({model.provider.api}, {request["api"] for request in sent} or {model.provider.api})
        self.assert_key_nowhere(key)
        self.keep(model, sent)

    def assert_key_nowhere(self, key=KEY, but=()):
        """Checks that the key is in no output and in no file of the sandbox (logs, audit, saved calls, screenshots, run
        directory, stored requests), except in `but`."""
        for run in self.sandbox.runs():
            self.assertNotIn(key, "\n".join([*run.stdout, *run.stderr]))
        for file in self.sandbox.root.rglob("*"):
            if file.is_file() and not file.is_symlink() and file not in but:
                self.assertNotIn(key.encode(), file.read_bytes(), str(file))

    def keep(self, model, sent):
        if KEPT_REQUESTS in os.environ and model.provider in PROVIDERS + COMPUTER:
            directory = pathlib.Path(os.environ[KEPT_REQUESTS])
            directory.mkdir(parents=True, exist_ok=True)
            name = f"{self.id().removeprefix('__main__.')}.{model.provider.name}.jsonl"
            (directory / name).write_text("".join(json.dumps(request) + "\n" for request in sent))
