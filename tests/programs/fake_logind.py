"""A fake logind for signals that the real one cannot be made to send: fake_logind.py KIND. Runs until it is killed.

    auto DISPLAY   the caller is in no session, like a service of the user's manager; the user's display session is on
                   DISPLAY and locked
    malformed      the session "1" is unlocked; PropertiesChanged then has a LockedHint of the wrong type (twice) and
                   two wrong signatures
    invalidated    the session "1" changes its lock state; PropertiesChanged invalidates LockedHint without a value
"""

import sys

from gi.repository import Gio, GLib

INTERFACES = """<node>
<interface name="org.freedesktop.login1.Manager">
  <method name="GetSession"><arg type="s" direction="in"/><arg type="o" direction="out"/></method></interface>
<interface name="org.freedesktop.login1.Session">
  <property name="LockedHint" type="b" access="read"/><property name="Type" type="s" access="read"/>
  <property name="Display" type="s" access="read"/></interface></node>"""
ROOT, SESSION = "/org/freedesktop/login1", "/org/freedesktop/login1/session/_31"
kind, display = (sys.argv[1:] + [":0"])[:2]
locked = kind == "auto"


def answer(_connection, _sender, _path, _interface, _method, arguments, invocation):
    if arguments.unpack()[0] == ("auto" if kind == "auto" else "1"):
        invocation.return_value(GLib.Variant("(o)", (SESSION,)))
    else:
        invocation.return_dbus_error("org.freedesktop.login1.NoSuchSession", "no such session")


def value(_connection, _sender, _path, _interface, name):
    return {"LockedHint": GLib.Variant("b", locked), "Type": GLib.Variant("s", "x11"),
            "Display": GLib.Variant("s", display)}[name]


def tell(signature, *body):
    bus.emit_signal(None, SESSION, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                    GLib.Variant(signature, body))


def on_asked(line, _condition):
    """Each line on stdin makes it send the next signals."""
    global locked
    if not line.readline():
        loop.quit()
        return False
    session = "org.freedesktop.login1.Session"
    if kind == "malformed":
        tell("(sa{sv}as)", session, {"LockedHint": GLib.Variant("s", "yes")}, [])
        tell("(sa{sv}as)", session, {"Idle": GLib.Variant("(bb)", (True, True)), "LockedHint": GLib.Variant("u", 1)}, [])
        tell("(s)", session)
        tell("(sas)", session, ["LockedHint"])
    if kind == "invalidated":
        locked = not locked
        tell("(sa{sv}as)", session, {}, ["IdleHint", "LockedHint"])
    print("told", flush=True)
    return True


bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
manager, session_interface = Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces
bus.register_object(ROOT, manager, answer)
bus.register_object(SESSION, session_interface, None, value)
Gio.bus_own_name_on_connection(bus, "org.freedesktop.login1", Gio.BusNameOwnerFlags.NONE,
                               lambda *_: print("ready", flush=True), None)
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, on_asked)
loop.run()
