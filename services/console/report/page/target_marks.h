// Where a step aimed, in pixels of its screenshot. Pure; any thread.
#pragma once

#include <optional>
#include <vector>

#include "da/v1/geometry.pb.h"
#include "da/v1/observation.pb.h"
#include "services/console/report/task_story.h"

namespace da::console {

struct ImageArea {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

// The part of the area that the image shows; nullopt if there is none. Accepts any values.
std::optional<ImageArea> area_in_image(const v1::CoordinateContract& contract, const v1::Rect& desktop);

struct TargetMark {
  enum class Kind {
    kTarget,  // The element, or the area around the point.
    kDrop,    // Where a drag ends.
    kFocus,   // The element that takes the keys.
    kWindow,  // The window, if its element is not known.
    kPoint,   // The place of a click; without size.
  };
  Kind kind;
  ImageArea area;
};

// Derived from the last judgement's evidence; without evidence, from the step's own coordinates.
std::vector<TargetMark> target_marks(const StoryStep& step, const v1::CoordinateContract& contract);

}  // namespace da::console
