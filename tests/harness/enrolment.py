"""Enrols a person with a generator of one-time codes that is not ours (RFC 6238)."""

import base64
import hashlib
import hmac
import re
import struct
import subprocess
import time

from console import BIN, ConsoleTest


def code(secret, steps_from_now=0):
    step = int(time.time()) // 30 + steps_from_now
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", step), hashlib.sha1).digest()
    at = digest[-1] & 0xF
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


class EnrollTest(ConsoleTest):
    def enroll(self, *arguments, typed=code):
        """Runs enroll and returns its exit code, its output and the secret that it showed."""
        process = subprocess.Popen([str(BIN / "da-console"), "enroll", *arguments], env=self.sandbox.environment,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        shown = ""
        while "shows now" not in shown:
            character = process.stdout.read(1)
            if not character:
                break
            shown += character
        secret = (re.findall(r"secret=([A-Z2-7]+)&", shown) or [""])[0]
        rest, _ = process.communicate(typed(secret) + "\n" if secret else "", timeout=20)
        return process.returncode, shown + rest, secret
