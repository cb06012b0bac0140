"""Holds COUNT silent connections to one address open, and replaces those that the server ends. Prints "open" once COUNT
were opened, and ends with its standard input.

    flood.py HOST PORT COUNT
"""

import resource
import select
import socket
import sys

AT_ONCE = 500
PAUSE = 0.02  # Seconds between two rounds.


def connect(address):
    caller = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    caller.setblocking(False)
    caller.connect_ex(address)
    return caller


def is_open(caller):
    try:
        return caller.recv(64) != b""  # ZeroMQ sends a greeting.
    except BlockingIOError:
        return True
    except OSError:
        return False


def main():
    address, count = (sys.argv[1], int(sys.argv[2])), int(sys.argv[3])
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    callers, opened, events = {}, 0, select.epoll()
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        for descriptor, _ in events.poll(0, count):
            if not is_open(callers[descriptor]):
                callers.pop(descriptor).close()
        new = min(AT_ONCE, count - len(callers))
        for _ in range(new):
            caller = connect(address)
            callers[caller.fileno()] = caller
            events.register(caller, select.EPOLLIN)
        if opened < count <= opened + new:
            print("open", flush=True)
        opened += new


main()
