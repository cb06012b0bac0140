"""Reads an application's tree with libatspi from the root, object by object. Prints milliseconds and nodes of the first
and the second reading. Usage: atspi_recursion.py PID"""
import ctypes
import sys
import time

atspi = ctypes.CDLL("libatspi.so.0")
gobject = ctypes.CDLL("libgobject-2.0.so.0")
glib = ctypes.CDLL("libglib-2.0.so.0")
pointer = ctypes.c_void_p


def function(library, name, result, *arguments):
    call = getattr(library, name)
    call.restype, call.argtypes = result, arguments
    return call


desktop_of = function(atspi, "atspi_get_desktop", pointer, ctypes.c_int)
child_count = function(atspi, "atspi_accessible_get_child_count", ctypes.c_int, pointer, pointer)
child_at = function(atspi, "atspi_accessible_get_child_at_index", pointer, pointer, ctypes.c_int, pointer)
process_id = function(atspi, "atspi_accessible_get_process_id", ctypes.c_uint, pointer, pointer)
name_of = function(atspi, "atspi_accessible_get_name", pointer, pointer, pointer)
role_of = function(atspi, "atspi_accessible_get_role_name", pointer, pointer, pointer)
states_of = function(atspi, "atspi_accessible_get_state_set", pointer, pointer)
component_of = function(atspi, "atspi_accessible_get_component_iface", pointer, pointer)
extents_of = function(atspi, "atspi_component_get_extents", pointer, pointer, ctypes.c_int, pointer)
unref = function(gobject, "g_object_unref", None, pointer)
free = function(glib, "g_free", None, pointer)
SCREEN = 0


def read(node):
    free(name_of(node, None))
    free(role_of(node, None))
    states = states_of(node)
    if states:
        unref(states)
    component = component_of(node)
    if component:
        free(extents_of(component, SCREEN, None))
        unref(component)
    nodes = 1
    for index in range(child_count(node, None)):
        child = child_at(node, index, None)
        if child:
            nodes += read(child)
            unref(child)
    return nodes


atspi.atspi_init()
desktop = desktop_of(0)
for index in range(child_count(desktop, None)):
    application = child_at(desktop, index, None)
    if application and process_id(application, None) == int(sys.argv[1]):
        for _ in range(2):
            begun = time.perf_counter()
            nodes = read(application)
            print((time.perf_counter() - begun) * 1e3, nodes, end=" ")
print()
