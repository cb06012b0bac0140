"""Holds COUNT silent connections to one address open, and replaces those that the server ends. Prints "open" once COUNT
were opened, and ends with its standard input. With ADDRESSES, they come from so many addresses of 127.0.0.0/8; with
SECONDS, each is closed after that time by itself, 0 meaning never; with a word more, each sends a byte, as a handshake
begins, and is not silent.

    flood.py HOST PORT COUNT [ADDRESSES [SECONDS [begin]]]
"""

import collections
import contextlib
import itertools
import resource
import select
import socket
import sys
import time

AT_ONCE = 500
PAUSE = 0.02  # Seconds between two rounds.
IP_BIND_ADDRESS_NO_PORT = 24


def connect(address, source):
    caller = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    caller.setblocking(False)
    if source:
        caller.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        caller.bind((source, 0))
    caller.connect_ex(address)
    return caller


def is_open(caller):
    try:
        return caller.recv(64) != b""  # ZeroMQ sends a greeting.
    except BlockingIOError:
        return True
    except OSError:
        return False


def begin_handshake(caller):
    with contextlib.suppress(OSError):
        caller.send(b"\x16")


def main():
    address, count = (sys.argv[1], int(sys.argv[2])), int(sys.argv[3])
    addresses = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    seconds = float(sys.argv[5]) if len(sys.argv) > 5 else 0
    begins = len(sys.argv) > 6
    sources = itertools.cycle([f"127.200.{i // 200}.{i % 200 + 1}" for i in range(addresses)] or [None])
    born = collections.deque()  # Descriptors and when they were opened, the oldest first.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    callers, opened, events = {}, 0, select.epoll()
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        for descriptor, ready in events.poll(0, count):
            if ready & select.EPOLLOUT and begins:
                begin_handshake(callers[descriptor])
                events.modify(descriptor, select.EPOLLIN)
            elif not is_open(callers[descriptor]):
                callers.pop(descriptor).close()
        while seconds > 0 and born and time.monotonic() - born[0][1] > seconds:
            caller = born.popleft()[0]
            if callers.get(caller.fileno()) is caller:
                callers.pop(caller.fileno()).close()
        new = min(AT_ONCE, count - len(callers))
        for _ in range(new):
            caller = connect(address, next(sources))
            callers[caller.fileno()] = caller
            if seconds > 0:
                born.append((caller, time.monotonic()))
            events.register(caller, select.EPOLLIN | (select.EPOLLOUT if begins else 0))
        if opened < count <= opened + new:
            print("open", flush=True)
        opened += new


main()
