// The coordinate contract: from pixels of an image to pixels of the virtual desktop it shows. Pure; any thread.
//
// Image pixel (0,0) shows the desktop's top left corner, which may have negative coordinates. The image may be smaller
// than the desktop (it was scaled for a model); then each image pixel stands for a block, and maps to its middle. A box
// (zoom) maps to all blocks of its pixels. Monitors' DPI scale never enters: both sides are physical pixels.
#pragma once

#include "da/v1/geometry.pb.h"
#include "da/v1/observation.pb.h"
#include "da/v1/tools.pb.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"

namespace da::contract {

Point from_proto(const v1::Point& point);
Rect from_proto(const v1::Rect& rect);
v1::Point to_proto(Point point);
v1::Rect to_proto(const Rect& rect);

// kOutOfRange where the point is outside the image; kInvalidArgument where the contract is empty.
Result<Point> map_to_desktop(const v1::CoordinateContract& contract, Point image);
// The image pixel that shows a desktop pixel. kOutOfRange where it is outside the desktop.
Result<Point> map_to_image(const v1::CoordinateContract& contract, Point desktop);

// Maps every field of the action that the catalogue marks as a coordinate. Errors name tool, field and limit.
Result<v1::Action> map_to_desktop(const v1::CoordinateContract& contract, const v1::Action& image_action);
// And back: what was mapped comes back as it was, unless the image is larger than the desktop.
Result<v1::Action> map_to_image(const v1::CoordinateContract& contract, const v1::Action& desktop_action);

}  // namespace da::contract
