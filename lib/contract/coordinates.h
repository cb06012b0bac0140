// The coordinate contract: maps between pixels of an image and pixels of the virtual desktop in it. Pure; any thread.
//
// Image pixel (0,0) shows the desktop's top left corner, whose coordinates may be negative. An image that was scaled
// down for a model shows a block of desktop pixels in each of its pixels: a point maps to the middle of its block, a
// box (zoom) to all blocks of its pixels. DPI scales of monitors do not matter: both sides are physical pixels.
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

// kOutOfRange: the point is outside the image. kInvalidArgument: the contract is empty.
Result<Point> map_to_desktop(const v1::CoordinateContract& contract, Point image);
// The image pixel that shows a desktop pixel. kOutOfRange: the point is outside the desktop.
Result<Point> map_to_image(const v1::CoordinateContract& contract, Point desktop);

// Maps every field of the action that the catalogue marks as a coordinate. Errors name tool, field and limit.
Result<v1::Action> map_to_desktop(const v1::CoordinateContract& contract, const v1::Action& image_action);
// The inverse: restores the image action, unless the image is larger than the desktop.
Result<v1::Action> map_to_image(const v1::CoordinateContract& contract, const v1::Action& desktop_action);

}  // namespace da::contract
