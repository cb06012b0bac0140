"""What a stranger on the network gets from the ports of a service. Runs with Debian's Python.

    wires.py call HOST PORT                        a call without TLS; prints its status code
    wires.py call HOST PORT PEERS                  a call by TLS without a certificate of the caller
    wires.py send HOST PORT SECONDS BYTES          sends these bytes, in hexadecimal; prints what it got for them until the
                                                   connection ended, or within this time, and whether it ended
    wires.py read HOST PORT                        reads the bus without CURVE; prints "open", and, once its standard
                                                   input ends, the number of messages that it got
    wires.py read HOST PORT PEERS fresh|IDENTITY   reads it with new keys, or with those of this role
    wires.py sniff INTERFACE TEXT...               records what passes; prints "open", and, once its standard input
                                                   ends, a JSON object: the first bytes of each direction of each
                                                   connection, the texts that were seen, and the number of packets that
                                                   were lost

IDENTITY and PEERS are TOML files of da-console init.
"""

import json
import pathlib
import select
import socket
import struct
import sys
import time
import tomllib

ACT = "/da.v1.Actuator/Act"
SOL_PACKET, PACKET_STATISTICS, EVERY_PROTOCOL = 263, 6, 3
FIRST_BYTES = 64


def toml(file):
    return tomllib.loads(pathlib.Path(file).read_text())


def input_has_ended():
    return select.select([sys.stdin], [], [], 0)[0]


def call(host, port, peers=None):
    import grpc
    options = [("grpc.ssl_target_name_override", "actuator.desktopassist.internal")]
    address = f"{host}:{port}"
    channel = (grpc.secure_channel(address, grpc.ssl_channel_credentials(toml(peers)["ca"].encode()), options) if peers
               else grpc.insecure_channel(address))
    answer = channel.unary_stream(ACT)(b"", timeout=20)
    try:
        list(answer)
    except grpc.RpcError:
        pass
    print(answer.code().name)


def send(host, port, seconds, sent):
    end = time.monotonic() + float(seconds)
    got, ended = b"", False
    with socket.create_connection((host, int(port)), 5) as caller:
        caller.sendall(bytes.fromhex(sent))
        while not ended and (left := end - time.monotonic()) > 0:
            caller.settimeout(left)
            try:
                new = caller.recv(4096)
            except TimeoutError:
                break
            except ConnectionError:
                new = b""
            got, ended = got + new, not new
    print(json.dumps([got.hex(), ended]))


def read(host, port, peers=None, identity=None):
    import zmq
    reader = zmq.Context().socket(zmq.SUB)
    if peers:
        own = {} if identity == "fresh" else toml(identity)
        if not own:
            own["curve_public"], own["curve_secret"] = (key.decode() for key in zmq.curve_keypair())
        (server,) = [peer["curve_public"] for peer in toml(peers)["peer"] if peer["role"] == "actuator"]
        reader.curve_serverkey = server.encode()
        reader.curve_publickey, reader.curve_secretkey = own["curve_public"].encode(), own["curve_secret"].encode()
    reader.subscribe(b"")
    reader.connect(f"tcp://{host}:{port}")
    print("open", flush=True)
    count = 0
    while not input_has_ended():
        if reader.poll(100):
            reader.recv_multipart()
            count += 1
    print(count)


def payload_of(packet):
    """The connection's direction and the bytes of an IPv4 packet; None for the kernel's own packets."""
    if packet[12:14] != b"\x08\x00" or packet[23] == socket.IPPROTO_IGMP:
        return None
    source, target = (socket.inet_ntoa(packet[at:at + 4]) for at in (26, 30))
    segment = 14 + (packet[14] & 15) * 4
    end = 14 + int.from_bytes(packet[16:18], "big")
    if packet[23] != socket.IPPROTO_TCP:
        return f"{source} {target} protocol {packet[23]}", packet[segment:end]
    ports = struct.unpack("!HH", packet[segment:segment + 4])
    payload = packet[segment + (packet[segment + 12] >> 4) * 4:end]
    return f"{source}:{ports[0]} {target}:{ports[1]}", payload


def sniff(interface, *texts):
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERY_PROTOCOL))
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 << 20)
    wire.bind((interface, 0))
    print("open", flush=True)
    streams = {}
    while not input_has_ended():
        if select.select([wire], [], [], 0.1)[0] and (passed := payload_of(wire.recv(1 << 17))) and passed[1]:
            streams.setdefault(passed[0], bytearray()).extend(passed[1])
    lost = struct.unpack("II", wire.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))[1]
    seen = [text for text in texts if any(text.encode(encoding) in stream for stream in streams.values()
                                          for encoding in ("utf-8", "utf-16-le"))]
    first = {direction: bytes(stream[:FIRST_BYTES]).hex() for direction, stream in streams.items()}
    print(json.dumps({"first": first, "seen": seen, "lost": lost}))


{"call": call, "send": send, "read": read, "sniff": sniff}[sys.argv[1]](*sys.argv[2:])
