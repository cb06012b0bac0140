"""A window of 20 coloured patches, one of which is to be clicked when it becomes red. Prints the patches' places on the
screen as JSON, then waits for lines on stdin: with N, it reddens the patch N times at random moments and prints, as
JSON, the milliseconds from each drawing to the click (null: none came in 5 s); with an end of file it ends.

  python3 patches.py SEED
"""
import json
import random
import select
import sys
import time

from Xlib import X, display

COLUMNS, ROWS, WIDTH, HEIGHT, GAP = 5, 4, 200, 120, 20
REDDENED = 7
PATIENCE_S = 5.0


class Patches:
    def __init__(self):
        self.display = display.Display()
        screen = self.display.screen()
        self.window = screen.root.create_window(
            20, 20, COLUMNS * (WIDTH + GAP) + GAP, ROWS * (HEIGHT + GAP) + GAP, 0, screen.root_depth,
            background_pixel=screen.white_pixel, event_mask=X.ExposureMask | X.ButtonPressMask)
        self.window.set_wm_name("Patches")
        self.pen = self.window.create_gc()
        self.window.map()
        self.next_event(PATIENCE_S, X.Expose)
        self.draw_all()

    def place(self, index):
        return (GAP + index % COLUMNS * (WIDTH + GAP), GAP + index // COLUMNS * (HEIGHT + GAP), WIDTH, HEIGHT)

    def fill(self, index, colour):
        self.pen.change(foreground=colour)
        self.window.fill_rectangle(self.pen, *self.place(index))

    def draw_all(self):
        for index in range(COLUMNS * ROWS):
            self.fill(index, 0x2040A0 + index * 0x0304)
        self.display.sync()

    def next_event(self, seconds, kind):
        """The next event of this kind, or None."""
        until = time.monotonic() + seconds
        while True:
            while self.display.pending_events():
                event = self.display.next_event()
                if event.type == X.Expose and kind != X.Expose:
                    self.draw_all()
                if event.type == kind:
                    return event
            left = until - time.monotonic()
            if left <= 0:
                return None
            select.select([self.display], [], [], left)

    def places_on_screen(self):
        at = self.window.translate_coords(self.display.screen().root, 0, 0)
        return [[x - at.x, y - at.y, width, height] for x, y, width, height in map(self.place, range(COLUMNS * ROWS))]

    def click_after_redness(self):
        self.next_event(0, X.ButtonPress)  # Forget an older one.
        self.fill(REDDENED, 0xFF0000)
        drawn = time.monotonic()
        self.display.flush()
        clicked = self.next_event(PATIENCE_S, X.ButtonPress)
        taken = (time.monotonic() - drawn) * 1e3
        self.draw_all()
        return taken if clicked else None


def main():
    moments = random.Random(int(sys.argv[1]))
    patches = Patches()
    time.sleep(0.5)  # The window manager may move it.
    print(json.dumps({"patches": patches.places_on_screen(), "reddened": REDDENED}), flush=True)
    for line in sys.stdin:
        taken = []
        for _ in range(int(line)):
            time.sleep(moments.uniform(0.25, 0.45))
            taken.append(patches.click_after_redness())
        print(json.dumps(taken), flush=True)


if __name__ == "__main__":
    main()
