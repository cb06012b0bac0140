"""Captures the display with PIL's ImageGrab. Prints milliseconds of each capture: wall time and own CPU time."""
import time

from PIL import ImageGrab

ROUNDS = 20
for _ in range(3):
    image = ImageGrab.grab()
wall, cpu = time.perf_counter(), time.process_time()
for _ in range(ROUNDS):
    image = ImageGrab.grab()
print((time.perf_counter() - wall) * 1e3 / ROUNDS, (time.process_time() - cpu) * 1e3 / ROUNDS)
