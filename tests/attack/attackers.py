"""Floods one port of a deployment with foreign clients: sockets, Python's ssl, grpcio, pyzmq. Prints "open" once the
flood runs, and ends with its standard input.

    attackers.py garbage|handshakes HOST PORT
    attackers.py streams|large|subscriptions HOST PORT IDENTITY PEERS
    attackers.py idle HOST PORT IDENTITY PEERS
    attackers.py stalled HOST PORT IDENTITY PEERS TOKEN

  garbage        connections that send random bytes
  handshakes     TLS without a certificate
  streams        the planner's certificate: 15 connections with 100 Submit streams each, some of which send garbage
  large          the planner's certificate: steps of 8 MB
  idle           the planner's certificate: as many connections as possible, without calls; then prints "open"
  stalled        the observer's certificate: 8 readers of frames that never read
  subscriptions  the console's CURVE keys: 300,000 subscriptions
IDENTITY and PEERS are a role's TOML files of da-console init; TOKEN is the observation token of an open task. Runs with
Debian's Python.
"""

import os
import select
import socket
import ssl
import sys
import tempfile
import time
import tomllib

AT_ONCE = 50
PAUSE = 0.05  # Seconds between two rounds.
CONNECTIONS, STREAMS, READERS = 15, 100, 8
LARGE = 8 << 20
# More connections than 256 descriptors allow, at the highest rate of handshakes that a server accepts from one address.
IDLE_ROUNDS, IDLE_AT_ONCE, HANDSHAKE = 6, 14, 5.2
SUBSCRIPTIONS = 300_000


def rounds():
    """Yields once for each round, until the standard input ends."""
    print("open", flush=True)
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        yield


def garbage(address):
    for _ in rounds():
        for _ in range(AT_ONCE):
            try:
                with socket.create_connection(address, 1) as caller:
                    caller.sendall(os.urandom(200))
            except OSError:
                pass


def handshakes(address):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    for _ in rounds():
        for _ in range(AT_ONCE // 5):
            try:
                with socket.create_connection(address, 1) as caller, context.wrap_socket(caller) as secured:
                    secured.settimeout(1)
                    secured.recv(1)
            except OSError:
                pass


def read(file):
    with open(file, "rb") as text:
        return tomllib.load(text)


def channels(address, identity, peers, server, count):
    import grpc
    own = read(identity)
    credentials = grpc.ssl_channel_credentials(read(peers)["ca"].encode(), own["private_key"].encode(),
                                               own["certificate"].encode())
    options = [("grpc.ssl_target_name_override", f"{server}.desktopassist.internal"),
               ("grpc.use_local_subchannel_pool", 1), ("grpc.max_send_message_length", -1)]
    return [grpc.secure_channel("%s:%d" % address, credentials, options) for _ in range(count)]


def submit(channel, requests):
    return channel.stream_stream("/da.v1.Policy/Submit")(requests)


def waiting(first):
    """The requests of a stream that sends at most one message and stays open."""
    if first:
        yield first
    while not select.select([sys.stdin], [], [], 1)[0]:
        pass


def streams(address, *files):
    opened = []
    for channel in channels(address, *files, "policy", CONNECTIONS):
        opened += [submit(channel, waiting(os.urandom(100) if number % 10 == 0 else b"")) for number in range(STREAMS)]
    for _ in rounds():
        pass


def large(address, *files):
    (channel,) = channels(address, *files, "policy", 1)
    for _ in rounds():
        try:
            list(submit(channel, iter([os.urandom(LARGE)])))
        except Exception:  # grpcio raises one if the server refuses the call.
            pass


def idle(address, identity, peers):
    """HTTP/2 connections without calls. The server would end too many handshakes at once."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(cadata=read(peers)["ca"])
    own = read(identity)
    with tempfile.NamedTemporaryFile("w") as pem:
        pem.write(own["private_key"] + own["certificate"])
        pem.flush()
        context.load_cert_chain(pem.name)
    context.set_alpn_protocols(["h2"])
    held = []
    for _ in range(IDLE_ROUNDS):
        for _ in range(IDLE_AT_ONCE):
            try:
                secured = context.wrap_socket(socket.create_connection(address, 2))
                secured.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
                held.append(secured)
            except OSError:
                pass
        time.sleep(HANDSHAKE)
    for _ in rounds():
        pass


def stalled(address, identity, peers, token):
    request = bytes([5 << 3 | 2, len(token)]) + token.encode()  # FramesRequest.observation_token
    readers = [channel.unary_stream("/da.v1.Actuator/Frames")(request)
               for channel in channels(address, identity, peers, "actuator", READERS)]
    for _ in rounds():
        pass
    del readers


def subscriptions(address, identity, peers):
    import zmq
    own = read(identity)
    (key,) = [peer["curve_public"] for peer in read(peers)["peer"] if peer["role"] == "policy"]
    reader = zmq.Context().socket(zmq.SUB)
    reader.curve_serverkey = key.encode()
    reader.curve_publickey, reader.curve_secretkey = own["curve_public"].encode(), own["curve_secret"].encode()
    reader.setsockopt(zmq.SNDHWM, 0)
    reader.connect("tcp://%s:%d" % address)
    for number in range(SUBSCRIPTIONS):
        reader.setsockopt(zmq.SUBSCRIBE, b"topic %d" % number)
    for _ in rounds():
        pass


if __name__ == "__main__":
    kind, host, port, *files = sys.argv[1:]
    {"garbage": garbage, "handshakes": handshakes, "streams": streams, "large": large, "idle": idle, "stalled": stalled,
     "subscriptions": subscriptions}[kind]((host, int(port)), *files)
