// Finds a target in the pixels of the last frame: text that OCR reads, and the boxes of fields. Reads only what changed
// since the last call. Not thread-safe: the frame cache's lock guards it.
#pragma once

#include <vector>

#include "da/v1/observer_rpc.pb.h"
#include "lib/base/result.h"
#include "services/observer/elements/ui_visibility.h"
#include "services/observer/frames/frame_cache.h"
#include "services/observer/locate/located_target.h"
#include "services/observer/text/screen_text.h"

namespace da::observer {

class Sight {
 public:
  Sight(FrameCache& frames, ScreenText::Reader reader)
      : frames_(frames), window_text_(reader), screen_text_(std::move(reader)) {}

  // All return the candidates best first. `area` is in desktop pixels.
  Result<std::vector<v1::Candidate>> read_area(Rect area, const LocatedTarget& target);
  // Reads the focused window, and everything if that has no good match.
  Result<std::vector<v1::Candidate>> read_screen(const LocatedTarget& target);
  Result<std::vector<v1::Candidate>> read_all(const LocatedTarget& target);
  // Finds the boxes of fields in a window that exposes no elements: beside the target's anchor or name, or by number.
  Result<std::vector<v1::Candidate>> find_fields(const LocatedTarget& target, const Scene& scene,
                                                 const v1::Window& window);
  // The boxes of fields that show in such a window, in reading order.
  std::vector<Rect> fields_of(const v1::Window& window, const Scene& scene) const;

 private:
  FrameCache& frames_;
  ScreenText window_text_;
  ScreenText screen_text_;
};

}  // namespace da::observer
