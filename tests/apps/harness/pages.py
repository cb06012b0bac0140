"""A web server for the small pages in tests/apps/pages. Its log has the reports of the pages, which the tests check."""

import http.server
import json
import pathlib
import threading

PAGES = pathlib.Path(__file__).resolve().parents[1] / "pages"
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript"}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        page = PAGES / pathlib.PurePosixPath(self.path.split("?")[0]).name
        if page.suffix not in KINDS or not page.is_file():
            self.send_error(404)
            return
        body = page.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", KINDS[page.suffix])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.server.log.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Pages:
    """Serves until close(). `log` has the reports of the pages: {"what": ..., "value": ..., "at": milliseconds,
    "number": counter of the page}."""

    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.log = self.log = []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, page):
        return f"http://127.0.0.1:{self.server.server_port}/{page}"

    def last(self, what):
        """Returns the last reported value, by the page's clock and counter."""
        entries = [entry for entry in list(self.log) if entry["what"] == what]
        return max(entries, key=lambda entry: (entry["at"], entry["number"]))["value"]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
