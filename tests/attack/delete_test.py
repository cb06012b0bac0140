"""A file is to be deleted while a directory above it is exchanged with a link to another directory."""

import ctypes
import os
import random
import subprocess
import sys
import time
import unittest

from foreign import ForeignTest  # Makes tests/harness importable.
from console import ALL_CASES

TRIES = int(os.environ.get("DA_ATTACK_TRIES", "240"))
SECONDS = 60 if ALL_CASES else 20  # The tries end then at the latest.
AT_FDCWD, RENAME_EXCHANGE = -100, 2
DELETED = "KIND_CONFIRMED with a grant"
PAUSES = (0, 0, 0.0001, 0.001, 0.005)  # Seconds at most between two exchanges, one of these for each try.


def exchange_until_closed(directory, link, longest):
    """Exchanges the names until the standard input ends, and prints how often. Prints "open" after the first two
    exchanges. At the end `directory` is the directory again."""
    libc = ctypes.CDLL(None, use_errno=True)
    names = [AT_FDCWD, os.fsencode(directory), AT_FDCWD, os.fsencode(link), RENAME_EXCHANGE]
    os.set_blocking(0, False)
    count = 0
    while count < 2 or count % 2 or sys.stdin.buffer.read(1) is None:
        if libc.renameat2(*names) != 0:
            raise OSError(ctypes.get_errno(), "renameat2")
        count += 1
        if count == 2:
            print("open", flush=True)
        if longest:
            time.sleep(random.uniform(0, longest))
    print(count, flush=True)


class Exchanges:
    def __init__(self, directory, link):
        self.process = subprocess.Popen([sys.executable, __file__, "exchange", directory, link,
                                         str(random.choice(PAUSES))], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        if self.process.stdout.readline() != "open\n":
            raise AssertionError("the exchanges did not begin")

    def end(self):
        """Returns the number of exchanges."""
        count, _ = self.process.communicate(timeout=30)
        return int(count)


class AnotherFile(ForeignTest):
    def setUp(self):
        super().setUp()
        home = self.sandbox.home
        self.directory, self.link, self.other = home / "place", home / "link", home / "other"
        for parent in (self.directory, self.other):
            (parent / "inner").mkdir(parents=True)
        self.link.symlink_to(self.other)
        self.named, self.precious = self.directory / "inner/file", self.other / "inner/file"
        self.precious.write_text("precious")

    def delete(self, begin):
        """One try, with exchanges from before the submission or from the question on. Only the named file is approved.
        Returns the kind of the outcome, or the reason why there was no approval."""
        self.named.write_text("old")
        exchanges = Exchanges(self.directory, self.link) if begin == "submission" else None
        try:
            step = self.submit(self.token, file_delete={"path": str(self.named)})
            question = step.question()
            if question is None:
                return "not asked about"
            if question["evidence"]["canonical_path"] != str(self.named):
                self.assertEqual(str(self.precious), question["evidence"]["canonical_path"])
                step.deny()
                return "asked about the other file"
            exchanges = exchanges or (Exchanges(self.directory, self.link) if begin == "question" else None)
            self.assertEqual("OK", step.approve()["code"])
            outcome = step.outcome()
            return outcome["kind"] + (" with a grant" if outcome["grant_id"] else "")
        finally:
            step.reply()
            if exchanges:
                self.exchanged.append(exchanges.end())

    def test_the_other_file_is_never_deleted(self):
        self.start()
        self.token = self.new_task(limits={"steps": 100_000})
        self.exchanged, results = [], {}
        self.assertEqual(DELETED, self.delete(begin="never"))
        self.assertFalse(self.named.exists())
        ends = time.monotonic() + SECONDS
        for number in range(TRIES):
            result = self.delete(begin=("question", "submission")[number % 2])
            results[result] = results.get(result, 0) + 1
            self.assertEqual("precious", self.precious.read_text())
            self.assertEqual(result != DELETED, self.named.exists(), result)
            if time.monotonic() > ends:
                break
        print(f"{number + 1} tries, {sum(self.exchanged)} exchanges: {results}", flush=True)
        self.assertGreater(min(self.exchanged), 1)
        # Some approved deletions were granted and found the directory in place; others found the link only then.
        self.assertGreater(results.get(DELETED, 0), 0)
        self.assertGreater(results.get("KIND_REFUSED with a grant", 0), 0)
        # Without exchanges the named file is deleted.
        self.assertEqual(DELETED, self.delete(begin="never"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["exchange"]:
        exchange_until_closed(sys.argv[2], sys.argv[3], float(sys.argv[4]))
    else:
        unittest.main()
