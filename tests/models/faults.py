"""Sends the answer of a script's entry: whole, or with a fault of the server or the network."""

import base64
import gzip
import zlib

from script import as_json

PAGE = b"<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n"
COMPRESS = {"gzip": gzip.compress, "deflate": zlib.compress}  # deflate is zlib's form: RFC 9110, 8.4.1.2


def body_of(answer, entry):
    if "raw" in entry:
        return entry["raw"].encode()
    if "raw_base64" in entry:
        return base64.b64decode(entry["raw_base64"])
    if "redirect" in entry or answer is None:
        return PAGE if "content_type" in entry else b""
    return as_json(answer.body)


def wait_for_goodbye(connection):
    """Reads and ignores everything until the client closes."""
    try:
        while connection.recv(4096):
            pass
    except OSError:
        pass


def send(handler, answer, entry, ended):
    """`answer` is None if the entry itself gives the body. `ended` is set when the server ends."""
    if entry.get("drop"):
        handler.close_connection = True
        return
    status = answer.status if answer is not None else entry.get("status", 307 if "redirect" in entry else 200)
    headers = dict(answer.headers if answer is not None else {})
    body = body_of(answer, entry)
    if "encoding" in entry:
        body = COMPRESS[entry["encoding"]](body)
        headers["Content-Encoding"] = entry["encoding"]
    if "redirect" in entry:
        headers["Location"] = entry["redirect"]
    headers["Content-Type"] = entry.get("content_type", "application/json")
    headers.update(entry.get("headers", {}))
    headers["Content-Length"] = str(len(body))
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    try:
        _send_body(handler, body, entry, ended)
    except OSError:
        # The client closed the connection, as some faults intend.
        handler.close_connection = True


def _send_body(handler, body, entry, ended):
    if entry.get("stall"):
        handler.wfile.flush()
        wait_for_goodbye(handler.connection)
        handler.close_connection = True
    elif entry.get("half"):
        handler.wfile.write(body[:len(body) // 2])
        handler.close_connection = True
    elif "slow" in entry:
        for at in range(len(body)):
            handler.wfile.write(body[at:at + 1])
            if ended.wait(entry["slow"] / len(body)):
                return
    else:
        handler.wfile.write(body)
