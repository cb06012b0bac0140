"""Clicks galculator's buttons by name, with dogtail or only AT-SPI and XTEST. Prints the seconds of each click.

  dogtail_clicks.py dogtail|bare NAME...

"dogtail" finds the button below the application and clicks it, as usual in its scripts. "bare" walks the tree with
libatspi and sends the click with XTEST: no waiting, no checks, no records. Runs with Debian's Python.
"""
import json
import sys
import time


def dogtail_clicks(names):
    from dogtail.config import config
    config.logDebugToFile = config.logDebugToStdOut = False
    config.checkForA11y = False
    from dogtail.tree import root
    application = root.application("galculator")
    for name in names:
        begun = time.monotonic()
        application.child(name=name, roleName="toggle button", retry=False).click()
        yield time.monotonic() - begun


def bare_clicks(names):
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi

    def find(node, name):
        if node.get_name() == name and node.get_role_name() == "toggle button":
            return node
        for i in range(node.get_child_count()):
            found = find(node.get_child_at_index(i), name)
            if found:
                return found
        return None

    desktop = Atspi.get_desktop(0)
    applications = [desktop.get_child_at_index(i) for i in range(desktop.get_child_count())]
    application = next(each for each in applications if each and each.get_name() == "galculator")
    for name in names:
        begun = time.monotonic()
        place = find(application, name).get_extents(Atspi.CoordType.SCREEN)
        Atspi.generate_mouse_event(place.x + place.width // 2, place.y + place.height // 2, "b1c")
        yield time.monotonic() - begun


clicks = {"dogtail": dogtail_clicks, "bare": bare_clicks}[sys.argv[1]]
print(json.dumps(list(clicks(sys.argv[2:]))))
