"""MCAP files of other writers: without chunks, with definitions outside of them, without parts of the summary.

Messages of such files were printed as none, with exit code 0. The files are written byte by byte, as the specification
(https://mcap.dev/spec) allows them.
"""

import json
import struct
import unittest
import zlib

from console import DONE, FAILED, ConsoleTest

MAGIC = b"\x89MCAP0\r\n"
MESSAGES = 3
FIRST_NS = 1000


def text(value):
    return struct.pack("<I", len(value)) + value.encode()


def record(op, content):
    return bytes([op]) + struct.pack("<Q", len(content)) + content


def message(number, channel=1, data=b'{"x":1}'):
    return record(5, struct.pack("<HIQQ", channel, number, FIRST_NS + number, FIRST_NS + number) + data)


SCHEMA = record(3, struct.pack("<H", 1) + text("T") + text("jsonschema") + struct.pack("<I", 2) + b"{}")
CHANNEL = record(4, struct.pack("<HH", 1, 1) + text("/a") + text("json") + struct.pack("<I", 0))
CHANNEL_WITHOUT_SCHEMA = record(4, struct.pack("<HH", 1, 0) + text("/a") + text("json") + struct.pack("<I", 0))
DEFINITIONS = SCHEMA + CHANNEL
ALL = b"".join(message(number) for number in range(MESSAGES))
BEGIN = MAGIC + record(1, text("") + text("another writer"))


def chunk(records, compression="", first=FIRST_NS, last=FIRST_NS + MESSAGES - 1):
    return record(6, struct.pack("<QQQI", first, last, len(records), zlib.crc32(records)) + text(compression)
                  + struct.pack("<Q", len(records)) + records)


def chunk_index(data, at, size):
    return record(8, struct.pack("<QQQQ", FIRST_NS, FIRST_NS + MESSAGES - 1, at, len(data)) + struct.pack("<I", 0)
                  + struct.pack("<Q", 0) + text("") + struct.pack("<QQ", size, size))


def statistics(chunks, messages=MESSAGES):
    return record(11, struct.pack("<QHIIIIQQ", messages, 1, 1, 0, 0, chunks, FIRST_NS, FIRST_NS + messages - 1)
                  + struct.pack("<I", 10) + struct.pack("<HQ", 1, messages))


def whole(data, summary=b"", with_checksum=False):
    body = BEGIN + data
    body += record(15, struct.pack("<I", zlib.crc32(body) if with_checksum else 0))
    footer = struct.pack("<QQI", len(body) if summary else 0, 0, 0)
    return body + summary + record(2, footer) + MAGIC


CHUNKED = chunk(DEFINITIONS + ALL)
INDEX = chunk_index(CHUNKED, len(BEGIN), len(DEFINITIONS + ALL))
BARE = chunk(ALL)
HALF_CHUNK = chunk(b"".join(message(n) for n in range(2)), last=FIRST_NS + 1)

VALID = {
    "chunked": whole(CHUNKED, DEFINITIONS + INDEX + statistics(1)),
    "unchunked": whole(DEFINITIONS + ALL, DEFINITIONS + statistics(0), with_checksum=True),
    "unchunked, no summary": whole(DEFINITIONS + ALL),
    "unchunked, statistics only": whole(DEFINITIONS + ALL, statistics(0)),
    "unchunked, definitions only": whole(DEFINITIONS + ALL, DEFINITIONS),
    "no schema": whole(CHANNEL_WITHOUT_SCHEMA + ALL),
    "definitions before the chunk": whole(DEFINITIONS + BARE),
    "definitions before the chunk, indexed": whole(DEFINITIONS + BARE, DEFINITIONS + chunk_index(
        BARE, len(BEGIN + DEFINITIONS), len(ALL)) + statistics(1)),
    "schema before, channel in the chunk": whole(SCHEMA + chunk(CHANNEL + ALL)),
    "summary without definitions": whole(CHUNKED, INDEX + statistics(1)),
    "summary without index": whole(CHUNKED, DEFINITIONS + statistics(1)),
    "summary without statistics": whole(CHUNKED, DEFINITIONS + INDEX),
    "definitions in the summary only": whole(BARE, DEFINITIONS + chunk_index(
        BARE, len(BEGIN), len(ALL)) + statistics(1)),
    "a message after the chunk": whole(DEFINITIONS + HALF_CHUNK + message(2), DEFINITIONS + chunk_index(
        HALF_CHUNK, len(BEGIN + DEFINITIONS), 2 * len(message(0))) + statistics(1)),
    "private records between": whole(record(0x80, b"x") + DEFINITIONS + record(0x99, b"") + ALL),
}


class ForeignFiles(ConsoleTest):
    def cat(self, content, *flags):
        file = self.sandbox.path("foreign.mcap")
        file.write_bytes(content)
        run = self.sandbox.run("recording", "cat", str(file), *flags)
        return run, [json.loads(line) for line in run.stdout]

    def test_valid_files_are_read_whatever_the_writer_left_out(self):
        for kind, content in VALID.items():
            with self.subTest(kind):
                run, lines = self.cat(content)
                self.assertEqual(DONE, run.process.returncode, run.said())
                self.assertEqual([("/a", {"x": 1}, str(FIRST_NS + n)) for n in range(MESSAGES)],
                                 [(each["topic"], each.get("message"), each.get("log_time_ns")) for each in lines])
                self.assertNotIn("not complete", run.said())

    def test_topics_and_times_choose_messages_outside_of_chunks(self):
        run, lines = self.cat(VALID["unchunked"], "--topic", "/a")
        self.assertEqual((DONE, MESSAGES), (run.process.returncode, len(lines)))
        run, lines = self.cat(VALID["unchunked"], "--from", "2000-01-01T00:00:00Z")
        self.assertEqual((DONE, 0), (run.process.returncode, len(lines)))

    def test_messages_of_an_undefined_channel_are_told(self):
        run, lines = self.cat(whole(DEFINITIONS + ALL + message(9, channel=7)))
        self.assertEqual(FAILED, run.process.returncode, run.said())
        self.assertEqual(MESSAGES, len(lines))
        self.assertIn("1 messages are left out", run.errors())

    def test_an_unknown_compression_is_told(self):
        for content in (whole(chunk(DEFINITIONS + ALL, "lz4")), whole(
                DEFINITIONS + ALL + chunk(ALL, "lz4"))):
            run, lines = self.cat(content)
            self.assertEqual(FAILED, run.process.returncode, run.said())
            self.assertIn("lz4", run.errors())
            self.assertIn(len(lines), (0, MESSAGES))

    def test_a_changed_message_outside_of_chunks_is_told(self):
        content = bytearray(whole(DEFINITIONS + ALL, with_checksum=True))
        content[content.rindex(b'"x"') + 1] ^= 1
        run, _ = self.cat(bytes(content))
        self.assertEqual(FAILED, run.process.returncode, run.said())
        self.assertIn("checksum", run.errors())

    def test_a_file_that_ends_early_is_read_up_to_there(self):
        content = VALID["unchunked"]
        run, lines = self.cat(content[:content.index(message(2)) + 5])
        self.assertEqual((DONE, MESSAGES - 1), (run.process.returncode, len(lines)), run.said())
        self.assertIn("not complete", run.errors())

    def test_messages_without_chunks_are_recovered_into_chunks(self):
        file, new = self.sandbox.path("foreign.mcap"), self.sandbox.path("new.mcap")
        file.write_bytes(VALID["unchunked"])
        run = self.sandbox.run("recording", "recover", str(file), "-o", str(new))
        self.assertEqual(DONE, run.process.returncode, run.said())
        run, lines = self.cat(new.read_bytes())
        self.assertEqual((DONE, MESSAGES), (run.process.returncode, len(lines)), run.said())

    def test_deeply_nested_json_is_a_problem_of_its_line(self):
        run, lines = self.cat(whole(DEFINITIONS + message(0, data=b"[" * 200_000 + b"]" * 200_000)))
        self.assertEqual(DONE, run.process.returncode, run.said())
        self.assertIn("problem", lines[0])


if __name__ == "__main__":
    unittest.main()
