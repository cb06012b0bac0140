"""A model server in the test's process, with its script and its records."""

import contextlib
import http.client
import json
import pathlib
import tempfile
import threading

import model_server
from requests_for_tests import good
from script import Script

DEADLINE_S = 30  # For one exchange, which takes far less.


class Sandbox:
    def __init__(self, entries, *arguments):
        self.directory = tempfile.TemporaryDirectory()
        self.files = {name: pathlib.Path(self.directory.name) / name for name in ("requests", "violations", "script")}
        self.files["script"].write_text(json.dumps(entries))
        options = model_server.options_of([
            "--script", str(self.files["script"]), "--requests", str(self.files["requests"]),
            "--violations", str(self.files["violations"]), *arguments])
        self.server = model_server.ModelServer(options, Script.load(options.script))
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.ended.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        self.server.requests.file.close()
        self.server.violations.file.close()
        self.directory.cleanup()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=DEADLINE_S)

    def send(self, path, headers, body):
        """Status, headers and bytes of the answer. A body that is not bytes is sent as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        with contextlib.closing(self.connect()) as connection:
            connection.request("POST", path, data, {"Content-Type": "application/json", **headers})
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    def ask(self, api, change=None):
        """Status and JSON of the answer to the good request, after `change(body, headers)`."""
        path, headers, body = good(api)
        if change is not None:
            change(body, headers)
        status, _, data = self.send(path, headers, body)
        return status, json.loads(data)

    def lines(self, name):
        return [json.loads(line) for line in self.files[name].read_text().splitlines()]

    def rules(self):
        return [violation["rule"] for violation in self.lines("violations")]
