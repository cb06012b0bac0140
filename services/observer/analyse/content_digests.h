// Digests of parts of the frame. Remembers the tiles of each part, so that a part whose tiles did not change costs no
// hash of its pixels. One thread at a time.
#pragma once

#include <list>
#include <string>

#include "services/observer/frames/frame_store.h"

namespace da::observer {

class ContentDigests {
 public:
  // Hexadecimal. Equal for equal pixels at the same offset in their region, wherever on the screen. `part`, in pixels
  // of the frame, must lie inside of it.
  std::string of(const FrameStore& store, const Rect& part, Point offset);

 private:
  struct Known {
    Rect part;
    Point offset;
    std::string tiles;  // Hashes of all tiles that the part touches.
    std::string digest;
  };

  std::list<Known> known_;  // Last used first.
};

}  // namespace da::observer
