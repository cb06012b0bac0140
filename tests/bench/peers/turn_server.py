"""A model's server for the turn bench with OpenAI's chat API: a step for each question, and "done" for the twelfth. It
records when a question's last byte arrives and the answer's first byte leaves, on the host's monotonic clock.

  turn_server.py DIRECTORY     prints its port; stores the first twelve questions in the directory; at the end of its
                               standard input it prints a JSON list of [arrived_ns, answered_ns]
"""
import http.server
import json
import pathlib
import sys
import threading
import time

TURNS = 12
LOG = []


def plan_for(turn):
    if turn == TURNS:
        return {"steps": [], "done": "The lines are read."}
    return {"done": None, "steps": [{
        "tool": "press", "args": {"key": "down", "keys": None},
        "human_readable_justification": "The next line."}]}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    rbufsize = 1 << 20

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        arrived = time.monotonic_ns()
        turn = sum(message["role"] == "user" for message in json.loads(body)["messages"])
        answer = json.dumps({"id": "c1", "object": "chat.completion", "created": 0, "model": "gpt-5", "choices": [
            {"index": 0, "finish_reason": "stop", "logprobs": None,
             "message": {"role": "assistant", "content": json.dumps(plan_for(turn)), "refusal": None}}],
            "usage": {"prompt_tokens": 5000, "completion_tokens": 60, "total_tokens": 5060}}).encode()
        if "X-Peer" not in self.headers and len(LOG) < TURNS:
            (pathlib.Path(sys.argv[1]) / f"{turn:02}.json").write_bytes(body)
        answered = time.monotonic_ns()
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
                         b"X-Arrived: %d\r\nX-Answered: %d\r\n\r\n" % (len(answer), arrived, answered) + answer)
        if "X-Peer" not in self.headers:
            LOG.append([arrived, answered])


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
    json.dump(LOG, sys.stdout)


if __name__ == "__main__":
    main()
