"""A proxy for tests: HTTP CONNECT (RFC 9110, 9.3.6) and SOCKS5 (RFC 1928, 1929) on one port, in the test's process.

    with Proxy(server_port, login="user:password") as proxy:
        ...                       # https_proxy = proxy.url; every host name leads to 127.0.0.1
    proxy.asked                   # ["models.test:443", ...]: accepted connections
    proxy.refused                 # number of refused connections

It records its requests, so that a test can check that a call used the proxy. Names need no DNS.
"""

import base64
import select
import socket
import socketserver
import struct
import threading

FORWARD_BYTES = 65536


def read_exactly(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise ConnectionError("the client went away")
        data += more
    return data


class Proxy(socketserver.ThreadingTCPServer):
    daemon_threads, allow_reuse_address = True, True

    def __init__(self, server_port, login="", status=0, hangs=False):
        """login: the required "user:password". status: the answer to CONNECT instead of a tunnel.
        hangs: accepts connections and never answers."""
        super().__init__(("127.0.0.1", 0), Tunnel)
        self.server_port_behind, self.login, self.status, self.hangs = server_port, login, status, hangs
        self.asked, self.refused, self.said = [], 0, []
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.thread.join()
        self.server_close()

    @property
    def address(self):
        return f"127.0.0.1:{self.server_address[1]}"

    @property
    def url(self):
        return f"http://{self.address}"

    def handle_error(self, request, client_address):
        pass  # Some tests let clients disconnect.


class Tunnel(socketserver.BaseRequestHandler):
    def handle(self):
        if self.server.hangs:
            self.server.asked.append("")
            while self.request.recv(FORWARD_BYTES):
                pass
            return
        first = self.request.recv(1, socket.MSG_PEEK)
        if (self.socks5() if first == b"\x05" else self.connect()):
            self.forward()
        else:
            self.server.refused += 1

    def connect(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += read_exactly(self.request, 1)
        self.server.said.append(head)
        lines = head.decode().split("\r\n")
        method, target, _ = lines[0].split(" ")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:] if line)}
        if method != "CONNECT":
            return self.answer("405 Method Not Allowed")
        wanted = "Basic " + base64.b64encode(self.server.login.encode()).decode()
        if self.server.login and headers.get("proxy-authorization", "") != wanted:
            return self.answer("407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="test"\r\n')
        if self.server.status:
            return self.answer(f"{self.server.status} Refused")
        self.server.asked.append(target)
        self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        return True

    def answer(self, status, headers=""):
        page = b"<html>the proxy's page</html>"
        self.request.sendall(f"HTTP/1.1 {status}\r\n{headers}Content-Type: text/html\r\nConnection: close\r\n"
                             f"Content-Length: {len(page)}\r\n\r\n".encode() + page)
        return False

    def socks5(self):
        _, count = read_exactly(self.request, 2)
        methods = read_exactly(self.request, count)
        method = 2 if self.server.login else 0
        if method not in methods:
            self.request.sendall(b"\x05\xff")
            return False
        self.request.sendall(bytes([5, method]))
        if method == 2 and not self.socks5_login():
            return False
        _, command, _, kind = read_exactly(self.request, 4)
        if kind == 3:
            host = read_exactly(self.request, read_exactly(self.request, 1)[0]).decode()
        else:
            host = socket.inet_ntop(*((socket.AF_INET, read_exactly(self.request, 4)) if kind == 1 else
                                      (socket.AF_INET6, read_exactly(self.request, 16))))
        (port,) = struct.unpack("!H", read_exactly(self.request, 2))
        self.request.sendall(b"\x05" + bytes([2 if self.server.status else 0]) + b"\x00\x01" + bytes(6))
        if self.server.status or command != 1:
            return False
        self.server.asked.append(f"{host}:{port}")
        return True

    def socks5_login(self):
        read_exactly(self.request, 1)
        user = read_exactly(self.request, read_exactly(self.request, 1)[0])
        password = read_exactly(self.request, read_exactly(self.request, 1)[0])
        right = user + b":" + password == self.server.login.encode()
        self.request.sendall(b"\x01\x00" if right else b"\x01\x01")
        return right

    def forward(self):
        with socket.create_connection(("127.0.0.1", self.server.server_port_behind)) as behind:
            other = {self.request: behind, behind: self.request}
            while True:
                for connection in select.select(list(other), [], [])[0]:
                    data = connection.recv(FORWARD_BYTES)
                    if not data:
                        return
                    other[connection].sendall(data)
