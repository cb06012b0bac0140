// Converts an application's coordinates to desktop pixels.
//
// On a scaled screen toolkits report logical pixels (GDK_SCALE, QT_SCALE_FACTOR, --force-device-scale-factor), GTK4
// reports each window's own coordinates, and some report the place of a moment ago. So the conversion is measured: the
// place of a window as its application reports it against the X server's. Pure; any thread.
#pragma once

#include <optional>

#include "services/actuator/desktop/place_map.h"
#include "services/actuator/desktop/x11/windows/window_properties.h"

namespace da::actuator::x11 {

bool same_scale(double a, double b);

// Desktop pixels per reported pixel, if one number explains width and height; else nullopt.
std::optional<double> scale_between(const Rect& reported, const Rect& pixels);

// Uses the window's rectangle (with or without frames or its shadow) that has the reported size at some scale; the
// reported place may be wrong. nullopt: none has.
std::optional<PlaceMap> measure(const Rect& reported, const DescribedWindow& window);

// Accepts a reported rectangle that differs a little from the window's: a tree that is late after a small change of the
// size, or another idea of what belongs to the window. `scale`: the application's.
std::optional<PlaceMap> measure_roughly(const Rect& reported, const DescribedWindow& window, double scale);

}  // namespace da::actuator::x11
