"""The server fails as its script says, and serves the next request as usual."""

import gzip
import http.client
import json
import socket
import time
import unittest
import zlib

from requests_for_tests import GOOD, good
from sandbox import Sandbox


class Faults(unittest.TestCase):
    def test_a_dropped_connection_has_no_answer(self):
        for api in GOOD:
            with self.subTest(api), Sandbox([{"drop": True}, {"text": "x"}]) as sandbox:
                self.assertRaises(http.client.RemoteDisconnected, sandbox.send, *good(api))
                self.assertEqual((200, []), (sandbox.ask(api)[0], sandbox.rules()))

    def test_a_stalled_answer_has_headers_and_ends_with_the_client(self):
        with Sandbox([{"text": "x", "stall": True}, {"text": "y"}]) as sandbox:
            path, headers, body = good("anthropic")
            connection = sandbox.connect()
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json", **headers})
            response = connection.getresponse()
            self.assertEqual(200, response.status)
            self.assertGreater(int(response.headers["Content-Length"]), 0)
            connection.sock.settimeout(0.2)
            self.assertRaises(TimeoutError, response.read, 1)
            response.close()
            connection.close()
            self.assertEqual(200, sandbox.ask("anthropic")[0])

    def test_half_an_answer_is_cut_off(self):
        with Sandbox([{"text": "x" * 100, "half": True}]) as sandbox:
            with self.assertRaises(http.client.IncompleteRead) as caught:
                sandbox.send(*good("openai_chat"))
            self.assertAlmostEqual(len(caught.exception.partial), caught.exception.expected, delta=1)

    def test_a_slow_answer_takes_its_time_and_is_whole(self):
        with Sandbox([{"text": "x", "slow": 0.5}]) as sandbox:
            start = time.monotonic()
            self.assertEqual(200, sandbox.ask("gemini")[0])
            self.assertGreaterEqual(time.monotonic() - start, 0.4)

    def test_compressed_answers(self):
        for name, unpack in (("gzip", gzip.decompress), ("deflate", zlib.decompress)):
            with self.subTest(name), Sandbox([{"text": "packed", "encoding": name}]) as sandbox:
                _, headers, data = sandbox.send(*good("openai_responses"))
                self.assertEqual(name, headers["Content-Encoding"])
                self.assertIn(b"packed", unpack(data))

    def test_a_page_of_html(self):
        for entry, status in (({"content_type": "text/html"}, 200),
                              ({"content_type": "text/html", "status": 502}, 502)):
            with self.subTest(status), Sandbox([entry]) as sandbox:
                got, headers, data = sandbox.send(*good("openai_chat"))
                self.assertEqual((status, "text/html"), (got, headers["Content-Type"]))
                self.assertTrue(data.startswith(b"<!DOCTYPE html>"))

    def test_raw_bytes(self):
        for entry, data in (({"raw": '{"choices":'}, b'{"choices":'), ({"raw_base64": "/w=="}, b"\xff")):
            with self.subTest(data), Sandbox([entry]) as sandbox:
                self.assertEqual((200, data), sandbox.send(*good("openai_chat"))[::2])

    def test_a_redirect(self):
        with Sandbox([{"redirect": "http://127.0.0.1:1/elsewhere"}]) as sandbox:
            status, headers, _ = sandbox.send(*good("gemini"))
            self.assertEqual((307, "http://127.0.0.1:1/elsewhere"), (status, headers["Location"]))

    def test_a_connection_is_kept_and_chunks_are_read(self):
        with Sandbox([{"text": "1"}, {"text": "2"}]) as sandbox:
            path, headers, body = good("openai_chat")
            connection = sandbox.connect()
            for _ in range(2):
                chunks = iter([json.dumps(body).encode()[:50], json.dumps(body).encode()[50:]])
                connection.request("POST", path, chunks, {"Content-Type": "application/json", **headers},
                                   encode_chunked=True)
                response = connection.getresponse()
                self.assertEqual(200, response.status)
                response.read()
                socket_kept = connection.sock
            self.assertIsInstance(socket_kept, socket.socket)
            connection.close()


if __name__ == "__main__":
    unittest.main()
