"""Publishes hostile facts in the place of a service, whose keys it has: pyzmq, and messages encoded by hand.

    recording_hostile_publisher.py KIND ADDRESS IDENTITY TASK

Waits for a subscriber, prints "sent" when everything was sent, and ends with its standard input.

  garbage     the observer's: random bytes, cut messages, unknown topics, wrong numbers of frames
  sequences   the observer's: impossible sequence numbers, and another instance for each fact
  strangers   the observer's: facts of 20,000 tasks that do not exist
  large       the observer's: 24 facts (60 with DA_E2E_ALL) of 63 MB each, of the open task TASK
  tasks       the policy's: 10,000 open tasks, to each of which facts belong
  ids         the policy's: tasks whose ids are paths, control characters and long texts

Runs with Debian's Python.
"""

import os
import random
import sys
import time
import tomllib

import zmq

LARGE, LARGE_FACTS = 63 << 20, 60 if "DA_E2E_ALL" in os.environ else 24
IDS = ["../../up", "../x", "/tmp/abs", "..", ".", "a/b", "nul\0nul", "\x1b[2J\n", "\u202e\u200b", "%s%n", "~", "-rf", "x" * 100_000,
       "con.mcap", "\\..\\up"]


def varint(value):
    encoded = b""
    while value > 127:
        encoded += bytes([value & 127 | 128])
        value >>= 7
    return encoded + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def header(writer, sequence, task="", instance="hostile"):
    fields = field(3, writer) + field(4, instance) + field(5, sequence) + field(7, time.time_ns())
    return field(1, (field(1, task) if task else b"") + fields)


def log_line(sequence, text="hostile", **more):
    """A fact of the topic observer.log."""
    return header("observer", sequence, **more) + field(2, field(1, 1) + field(2, text))


def opened(sequence, task):
    """A fact of the topic policy.task."""
    return header("policy", sequence, task) + field(2, field(1, "hostile goal"))


def garbage(send, _):
    numbers = random.Random(1)
    topics = [b"observer.log", b"observer.image", b"observer.observation", b"observer.answer", b"observer.logs", b"policy.task"]
    good = log_line(1)
    for number in range(1, 3000):
        topic = numbers.choice(topics)
        send(topic, numbers.randbytes(numbers.randrange(300)))
        send(topic, good[:numbers.randrange(len(good))])
        send(topic, header("observer", number) + numbers.randbytes(40))
        send(topic, header("policy", number))
    send(b"observer.log")
    send(b"observer.log", good, good)
    send(b"observer." + b"x" * 100_000, good)


def sequences(send, _):
    impossible = [0, 1, (1 << 64) - 1, (1 << 64) - 2, 1 << 63, 5, 0, (1 << 64) - 1]
    for number in range(400):
        for sequence in impossible:
            send(b"observer.log", log_line(sequence, instance=f"hostile {number}"))


def strangers(send, _):
    for number in range(20_000):
        send(b"observer.log", log_line(number + 1, task=f"stranger {number}"))


def large(send, task):
    text = os.urandom(LARGE >> 10) * (1 << 10)
    for number in range(LARGE_FACTS):
        body = field(2, "0" * 32) + field(3, "image/png") + field(4, text)
        send(b"observer.image", header("observer", number + 1, task) + body)


def tasks(send, _):
    for number in range(10_000):
        send(b"policy.task", opened(number + 1, f"{number:08}-hostile"))
        send(b"policy.log", header("policy", number + 1, f"{number:08}-hostile") + field(2, field(2, "x" * 1000)))


def ids(send, _):
    for number, task in enumerate(IDS):
        send(b"policy.task", opened(number + 1, task))


def main():
    kind, address, identity, task = sys.argv[1:]
    with open(identity, "rb") as text:
        keys = tomllib.load(text)
    publisher = zmq.Context().socket(zmq.XPUB)
    publisher.setsockopt(zmq.XPUB_NODROP, 1)  # Waits for a slow subscriber, so that it receives everything.
    publisher.curve_server = True
    publisher.curve_publickey, publisher.curve_secretkey = keys["curve_public"].encode(), keys["curve_secret"].encode()
    deadline = time.monotonic() + 20
    while True:
        try:
            publisher.bind(address)
            break
        except zmq.ZMQError:  # The service still holds it.
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
    while publisher.recv() != b"\x01" + (b"policy.task" if kind in ("tasks", "ids") else b"observer.log"):
        pass
    time.sleep(1)  # The other topics.
    {"garbage": garbage, "sequences": sequences, "strangers": strangers, "large": large, "tasks": tasks,
     "ids": ids}[kind](lambda *frames: publisher.send_multipart(frames), task)
    print("sent", flush=True)
    sys.stdin.read()


main()
