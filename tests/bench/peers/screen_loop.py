"""The loop of tests/bench/watch as a script would have it: PIL captures the screen, OpenCV looks at 20 regions, XTest
clicks (as pyautogui does on X11, without its pauses). Prints "ready", and runs until stdin ends.

  python3 screen_loop.py < a line of JSON: {"patches": [[x, y, w, h]...], "reddened": N, "interval_s": S}
"""
import json
import select
import sys
import time

import cv2
import numpy
from PIL import ImageGrab
from Xlib import X, display
from Xlib.ext import xtest


def main():
    wanted = json.loads(sys.stdin.readline())
    screen = display.Display()
    print("ready", flush=True)
    last_click = 0.0
    while True:
        begun = time.monotonic()
        frame = cv2.cvtColor(numpy.array(ImageGrab.grab()), cv2.COLOR_RGB2BGR)
        for index, (x, y, width, height) in enumerate(wanted["patches"]):
            blue, green, red, _ = cv2.mean(frame[y:y + height, x:x + width])
            is_red = red > 245 and green < 10 and blue < 10
            if index != wanted["reddened"] or not is_red or begun - last_click < wanted["interval_s"]:
                continue
            last_click = begun
            xtest.fake_input(screen, X.MotionNotify, x=x + width // 2, y=y + height // 2)
            xtest.fake_input(screen, X.ButtonPress, 1)
            xtest.fake_input(screen, X.ButtonRelease, 1)
            screen.sync()
        left = wanted["interval_s"] - (time.monotonic() - begun)
        if select.select([sys.stdin], [], [], max(0, left))[0] and not sys.stdin.readline():
            return


if __name__ == "__main__":
    main()
