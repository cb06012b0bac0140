"""A fake screen saver on D-Bus that is always active. Runs until it is killed."""

from gi.repository import Gio, GLib

INTERFACE = """<node><interface name="org.freedesktop.ScreenSaver">
  <method name="GetActive"><arg type="b" direction="out"/></method>
  <signal name="ActiveChanged"><arg type="b"/></signal>
</interface></node>"""


def answer(_connection, _sender, _path, _interface, _method, _arguments, invocation):
    invocation.return_value(GLib.Variant("(b)", (True,)))


bus = Gio.bus_get_sync(Gio.BusType.SESSION)
bus.register_object("/org/freedesktop/ScreenSaver", Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0], answer)
Gio.bus_own_name_on_connection(bus, "org.freedesktop.ScreenSaver", Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
