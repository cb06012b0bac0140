"""One gRPC call with a foreign client. Prints its status code and, in hexadecimal, the first message of the answer.

    call.py SERVICE METHOD HOST PORT IDENTITY PEERS [REQUEST]

SERVICE is a role, METHOD a full name such as da.v1.Observer/Observe, REQUEST a message in hexadecimal; IDENTITY and
PEERS are the TOML files of the caller's role from da-console init. Runs with Debian's Python.
"""

import sys

import grpc

from attackers import channels

service, method, host, port, identity, peers, *request = sys.argv[1:]
(channel,) = channels((host, int(port)), identity, peers, service, 1)
messages = channel.unary_stream(f"/{method}")(bytes.fromhex("".join(request)), timeout=20)
answer = b""
try:
    for message in messages:
        answer = answer or message
except grpc.RpcError:
    pass
print(messages.code().name, answer.hex())
