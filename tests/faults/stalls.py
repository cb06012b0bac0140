"""Notices when the machine stands still (another program stops all others, a virtual machine is paused): deadlines of
seconds pass then without anybody's fault, and what failed in that time says nothing.
"""

import threading
import time

TICK_S = 0.1
# A loaded machine lets a thread wait for less than this.
STANDSTILL_S = 1.5


class StallWatch:
    def __init__(self):
        self._stalls = []
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        before = time.monotonic()
        while True:
            time.sleep(TICK_S)
            now = time.monotonic()
            if now - before > STANDSTILL_S:
                self._stalls.append(now)
            before = now

    def since(self, moment):
        """Whether it stood still then or later."""
        return any(stall >= moment for stall in self._stalls)

    def count(self):
        return len(self._stalls)
