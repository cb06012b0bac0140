#!/usr/bin/env python3
"""A test server with the APIs of OpenAI, Anthropic and Gemini: checks requests against the published API, and answers
from a script.

It serves at once
  POST /v1/chat/completions                   OpenAI Chat Completions, or a compatible server (--dialect)
  POST /v1/responses                          OpenAI Responses
  POST /v1/messages                           Anthropic Messages
  POST /v1beta/models/MODEL:generateContent   Gemini
  GET  /v1/models, /v1beta/models, /props, ...   lists of models: model_lists.py
and prints one line "ready PORT". It ends when its standard input is closed.

A request that breaks a rule gets status 400 in the vendor's form (401 or 403 for the key) and uses no entry of the
script. The file of violations gets one JSON line {"number", "api", "rule", "place", "message"} for each violation, so
that a test fails even if the client hides the 400. The file of requests gets one JSON line {"number", "api", "method",
"path", "headers", "body"} for each request, with the key replaced by "<key>".
"""

import argparse
import contextlib
import http.server
import json
import os
import pathlib
import ssl
import sys
import tempfile
import threading
import traceback
import urllib.parse

import faults
import local_servers
import model_lists
import script as scripts
import tls
from anthropic_messages import AnthropicMessages
from api import Request, Usage
from gemini import Gemini
from openai_chat import OpenAiChat
from openai_responses import OpenAiResponses
from strict import BadJson, Report, read_json

KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")


class Lines:
    """A file of JSON lines, each written before the answer is sent. Any thread."""

    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8") if path else None
        self.lock = threading.Lock()

    def write(self, value):
        if self.file is not None:
            with self.lock:
                self.file.write(json.dumps(value, ensure_ascii=False) + "\n")
                self.file.flush()


class ModelServer(http.server.ThreadingHTTPServer):
    """Owns the script and the files; one thread per connection."""

    daemon_threads = True

    def __init__(self, options, script, context=None):
        dialect = local_servers.Dialect(options.dialect, options.resized_images)
        self.apis = [OpenAiChat(dialect), OpenAiResponses(options.resized_images),
                     AnthropicMessages(options.resized_images), Gemini(options.resized_images)]
        self.options, self.script, self.context = options, script, context
        self.requests, self.violations = Lines(options.requests), Lines(options.violations)
        self.count, self.lock = 0, threading.Lock()
        self.ended, self.lists_entry = threading.Event(), None
        super().__init__(("127.0.0.1", 0), Handler)

    def get_request(self):
        connection, address = super().get_request()
        if self.context is not None:
            # The connection's own thread does the handshake, so that a stalled client delays no other.
            connection = self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return connection, address

    def handle_error(self, request, client_address):
        # Ignores clients that disconnect or do not trust the certificate.
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def next_number(self):
        with self.lock:
            self.count += 1
            return self.count

    def tell(self, request_number, api_name, report):
        for violation in report.violations:
            self.violations.write({"number": request_number, "api": api_name, **violation._asdict()})


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "model-server"
    disable_nagle_algorithm = True

    def log_message(self, format, *args):
        if self.server.options.verbose:
            super().log_message(format, *args)

    def do_GET(self):
        number, url = self.server.next_number(), urllib.parse.urlsplit(self.path)
        self.keep(number, "models", None)
        if model_lists.owns("GET", url.path):
            self.tell_of_models(number, url, None)
        else:
            self.no_such_path(number)

    def tell_of_models(self, number, url, body):
        """The answer to a GET of a list: lists_entry of the test, or model_lists."""
        headers = {name.lower(): ", ".join(self.headers.get_all(name)) for name in self.headers}
        request, report = Request(self.command, url.path, {}, headers, body, number), Report()
        name = model_lists.api_name(url.path, headers)
        api = next(api for api in self.server.apis if api.name == name)
        self.check_key(api, request, b"", report)
        if report.violations:
            self.refuse(api, api.bad_key(headers.get(api.key_header), request), request, report)
            return
        entry, answer = self.server.lists_entry or {}, None
        if not entry:
            answer = model_lists.answer(urllib.parse.unquote(url.path), headers, body, self.server.options)
            answer = answer or api.error(404, "The model does not exist", request)
        elif entry.get("status", 200) >= 400 and "raw" not in entry:
            answer = api.error(entry["status"], entry.get("error"), request, entry)
        faults.send(self, answer, entry, self.server.ended)

    def do_POST(self):
        number, url = self.server.next_number(), urllib.parse.urlsplit(self.path)
        if model_lists.owns("POST", url.path):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.keep(number, "models", body)
            self.tell_of_models(number, url, body)
            return
        api = next((api for api in self.server.apis if api.owns("POST", url.path)), None)
        if api is None:
            self.keep(number, "unknown", None)
            self.no_such_path(number)
            self.let_go()
            return
        headers = {name.lower(): ", ".join(self.headers.get_all(name)) for name in self.headers}
        query = urllib.parse.parse_qs(url.query, keep_blank_values=True)
        request, report = Request("POST", url.path, query, headers, None, number), Report()
        data = self.read_body(api, report)
        if data is None:
            self.keep(number, api.name, None)
            self.refuse(api, api.error(413 if report.sees("too_large") else 400, "The body cannot be read", request),
                        request, report)
            self.let_go()
            return
        try:
            request = request._replace(body=read_json(data))
        except BadJson as error:
            report.add("bad_json", "", str(error))
        self.keep(number, api.name, request.body)
        try:
            self.check(api, request, data, report)
        except Exception as error:
            # A bug in a rule: the test must see it, not a dropped connection.
            report.add("server", "", f"the model server's own check failed: {error!r}")
            traceback.print_exc()
        if report.violations:
            self.refuse(api, self.refusal(api, request, report), request, report)
        else:
            self.play(api, request)

    def read_body(self, api, report):
        """The body; None if it is larger than the vendor's limit or has no length."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return self.read_chunks(api, report)
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            report.add("bad_header", "header content-length", "required")
            return None
        if int(length) > api.max_body:
            report.add("too_large", "", f"{length} bytes, more than {api.max_body}")
            return None
        return self.rfile.read(int(length))

    def read_chunks(self, api, report):
        # RFC 9112, 7.1
        data = b""
        try:
            while len(data) <= api.max_body:
                size = int(self.rfile.readline().split(b";")[0], 16)
                data += self.rfile.read(size)
                self.rfile.readline()
                if size == 0:
                    return data
            report.add("too_large", "", f"more than {api.max_body} bytes")
        except ValueError:
            report.add("bad_header", "header transfer-encoding", "the chunks tell no size")
        return None

    def let_go(self):
        """Reads the rest of a body, because a reset while the client sends would lose the answer."""
        self.close_connection = True
        self.wfile.flush()
        faults.wait_for_goodbye(self.connection)

    def check(self, api, request, data, report):
        self.check_key(api, request, data, report)
        content_type = request.headers.get("content-type", "").lower().replace(" ", "")
        if content_type not in ("application/json", "application/json;charset=utf-8"):
            report.add("bad_header", "header content-type", f"{content_type!r} is not application/json")
        for name in request.query:
            if name not in api.query_fields():
                report.add("query", f"query {name}", "the API has no such parameter")
        api.check_headers(request.headers, report)
        if not report.sees("bad_json"):
            api.check_body(request, report)

    def check_key(self, api, request, data, report):
        key = self.server.options.key
        if not key:
            return
        forms = api.key_forms(key, request.headers)
        given = [(name, request.headers[name]) for name in KEY_HEADERS if name in request.headers]
        if not given:
            report.add("key", f"header {api.key_header}", "missing")
        for name, value in given:
            if (name, value) not in forms:
                report.add("key", f"header {name}", f"not the key, which goes into {api.key_header}")
        if len(given) > 1:
            report.add("key", "", "more than one header with a key")
        elsewhere = [value for name, value in request.headers.items() if name not in KEY_HEADERS] + [self.path]
        if key.encode() in data or any(key in value for value in elsewhere):
            report.add("key", "", f"the key stands outside of {api.key_header}")

    def refusal(self, api, request, report):
        if report.sees("key"):
            return api.bad_key(request.headers.get(api.key_header), request)
        return api.violation(report.violations[0], request)

    def refuse(self, api, answer, request, report):
        self.server.tell(request.number, api.name, report)
        faults.send(self, answer, {"headers": {"Connection": "close"}}, self.server.ended)

    def play(self, api, request):
        entry, report = self.server.script.next(), Report()
        if entry is None:
            report.add("script", "", "all entries of the script were played")
            self.refuse(api, api.error(500, "model server: all entries of the script were played", request), request,
                        report)
            return
        texts = api.texts(request.body)
        scripts.check_expectations(entry, api.name, texts, report)
        self.server.tell(request.number, api.name, report)
        answer = None
        if entry.get("status", 200) >= 400 and not {"raw", "raw_base64", "content_type"} & set(entry):
            answer = api.error(entry["status"], entry.get("error"), request, entry)
        elif {"text", "calls", "finish"} & set(entry):
            answer = api.answer(entry, request, usage_of(entry, texts))
        faults.send(self, answer, entry, self.server.ended)

    def no_such_path(self, number):
        report = Report()
        report.add("path", "", f"{self.command} {urllib.parse.urlsplit(self.path).path} is no path of any API here")
        self.server.tell(number, "unknown", report)
        faults.send(self, self.server.apis[0].error(404, "no such path", Request("", "", {}, {}, None, number)),
                    {"headers": {"Connection": "close"}}, self.server.ended)

    def keep(self, number, api_name, body):
        key = self.server.options.key

        def without_key(text):
            return text.replace(key, "<key>") if key else text

        self.server.requests.write({
            "number": number, "api": api_name, "method": self.command, "path": without_key(self.path),
            "headers": {name: without_key(value) for name, value in self.headers.items()}, "body": body})


def usage_of(entry, texts):
    said = entry.get("usage", {})
    text = entry.get("text", "")
    return Usage(said.get("input", len(texts) // 4 + 1), said.get("output", sum(map(len, text)) // 4 + 1),
                 said.get("cached", 0), said.get("thinking", 0))


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, epilog=scripts.__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--script", required=True, help="the replies: a JSON file, described below")
    parser.add_argument("--requests", help="file that the requests are appended to")
    parser.add_argument("--violations", help="file that the violations are appended to")
    parser.add_argument("--key", default="test-key-0123456789",
                        help='what the key header must hold; "" asks for none, as local servers (default: %(default)s)')
    parser.add_argument("--dialect", choices=sorted(local_servers.CHANGES), default="openai",
                        help="which server's chat completions (default: %(default)s)")
    parser.add_argument("--tls-ca",
                        help="speak TLS, with a certificate for 127.0.0.1 and localhost; its CA is written here")
    parser.add_argument("--models", nargs="+", default=["test-model"], help="what the lists of models name")
    parser.add_argument("--vision", choices=("yes", "no"), default="yes", help="whether they say to take images")
    parser.add_argument("--context", type=int, default=32768, help="how many tokens they say to read")
    parser.add_argument("--loaded", choices=("yes", "no"), default="yes", help="whether ollama has loaded its models")
    parser.add_argument("--lmstudio", choices=("v0", "v1"), default="v1", help="which API of its own LM Studio has")
    parser.add_argument("--resized-images", choices=("refuse", "allow"), default="refuse",
                        help="images that the vendor makes smaller, so that coordinates drift (default: %(default)s)")
    parser.add_argument("--verbose", action="store_true", help="a line on stderr for each request")
    return parser.parse_args(arguments)


def main():
    options = options_of(sys.argv[1:])
    try:
        script = scripts.Script.load(options.script)
    except (OSError, BadJson) as error:
        sys.exit(f"model_server: the script {options.script}: {error}")
    with contextlib.ExitStack() as stack:
        context = None
        if options.tls_ca:
            directory = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls.make_certificate(directory, pathlib.Path(options.tls_ca)))
        server = stack.enter_context(ModelServer(options, script, context))
        threading.Thread(target=server.serve_forever, name="accept", daemon=True).start()
        print(f"ready {server.server_port}", flush=True)
        while os.read(sys.stdin.fileno(), 4096):
            pass
        server.ended.set()
        server.shutdown()


if __name__ == "__main__":
    main()
