"""PIL's ImageGrab of the whole display: milliseconds for each, wall and CPU of this process."""
import time

from PIL import ImageGrab

ROUNDS = 20
for _ in range(3):
    image = ImageGrab.grab()
wall, cpu = time.perf_counter(), time.process_time()
for _ in range(ROUNDS):
    image = ImageGrab.grab()
print((time.perf_counter() - wall) * 1e3 / ROUNDS, (time.process_time() - cpu) * 1e3 / ROUNDS)
