"""Prints the middle of an element as "X,Y", as a plain AT-SPI client reads it: place_of.py APPLICATION ROLE NAME."""

import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

application, role, name = sys.argv[1:]


def find(node):
    if node.get_role_name() == role and (node.get_name() or "").strip() == name:
        return node
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        found = find(child) if child else None
        if found:
            return found
    return None


desktop = Atspi.get_desktop(0)
for number in range(desktop.get_child_count()):
    each = desktop.get_child_at_index(number)
    if each and (each.get_name() or "").lower() == application:
        item = find(each)
        if item:
            place = item.get_component_iface().get_extents(Atspi.CoordType.SCREEN)
            print(f"{place.x + place.width // 2},{place.y + place.height // 2}")
