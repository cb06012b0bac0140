"""The cost of observation for an application: its memory and CPU time before, during and after 50 observations.

Memory is the sum of the resident sets of the application's processes; CPU is in percent of one core.
"""

import contextlib
import dataclasses
import os
import pathlib
import threading
import time

LOOKS = 50
QUIET_S = 3      # Length of a measurement of the idle application.
SETTLE_S = 25    # Longest wait for an application that is still starting.
RUN_S = 240
MORE_MB, MORE_PERCENT, MORE_CPU = 20, 5, 5  # Allowed growth: MB or percent (the larger), and CPU percent.
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20
TICKS = os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass
class Harm:
    application: str
    before_mb: float = 0
    peak_mb: float = 0
    after_mb: float = 0
    before_cpu: float = 0
    during_cpu: float = 0
    after_cpu: float = 0
    seconds: float = 0      # Duration of the 50 observations.
    problem: str = ""

    @property
    def allowed_mb(self):
        return self.before_mb + max(MORE_MB, self.before_mb * MORE_PERCENT / 100)

    @property
    def good(self):
        return not self.problem and max(self.peak_mb, self.after_mb) <= self.allowed_mb \
            and self.after_cpu <= self.before_cpu + MORE_CPU

    def row(self):
        numbers = (f"{self.before_mb:.0f}", f"{self.peak_mb:.0f}", f"{self.after_mb:.0f}",
                   f"{100 * (max(self.peak_mb, self.after_mb) / max(self.before_mb, 1) - 1):+.0f} %", f"{self.before_cpu:.0f} %",
                   f"{self.during_cpu:.0f} %", f"{self.after_cpu:.0f} %", f"{self.seconds:.0f} s")
        return [self.application, *numbers, self.problem or ("yes" if self.good else "NO")]


HEADER = ["application", "MB before", "MB peak", "MB after", "growth", "CPU before", "CPU during", "CPU after",
          f"{LOOKS} looks in", "within bounds"]


def processes(case):
    """Returns the application's processes: all in the sandbox that are not ours."""
    from console import processes_with
    return [pid for pid, command in processes_with(str(case.sandbox.root)).items() if "/da-" not in command]


def memory_mb(pids):
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            total += int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return total * PAGE_MB


def cpu_s(pids):
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
    return total / TICKS


def idle(case):
    """Returns memory (MB) and CPU (percent of a core) of the idle application."""
    pids = processes(case)
    used = cpu_s(pids)
    time.sleep(QUIET_S)  # The duration of the measurement.
    return memory_mb(pids), 100 * (cpu_s(pids) - used) / QUIET_S


def settled(case):
    """Measures until memory changes by less than 1 MB and the CPU is idle. Returns the last measurement."""
    deadline = time.monotonic() + SETTLE_S
    memory, cpu = idle(case)
    while time.monotonic() < deadline:
        last = memory
        memory, cpu = idle(case)
        if abs(memory - last) < 1 and cpu < MORE_CPU:
            break
    return memory, cpu


class Peak:
    """Measures the peak of the memory in a thread until stop()."""

    def __init__(self, case):
        self.case, self.mb, self.over = case, 0.0, threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        while not self.over.wait(0.25):
            self.mb = max(self.mb, memory_mb(processes(self.case)))

    def stop(self):
        self.over.set()
        self.thread.join()


def measure(app, setting):
    from .case import Case
    result = Harm(app.name)
    case = Case(setting)
    try:
        app.look.open(case)
        result.before_mb, result.before_cpu = settled(case)
        peak = Peak(case)
        used, started = cpu_s(processes(case)), time.monotonic()
        try:
            case.goal("; ".join([app.look.sentence] * LOOKS), "--max-steps", "1000", seconds=RUN_S)
        except AssertionError as error:
            result.problem = str(error)[:300]
        result.seconds = time.monotonic() - started
        result.during_cpu = 100 * (cpu_s(processes(case)) - used) / result.seconds
        peak.stop()
        result.peak_mb = peak.mb
        result.after_mb, result.after_cpu = idle(case)
    except AssertionError as error:
        result.problem = str(error)[:300]
    finally:
        case.close()
    return result
