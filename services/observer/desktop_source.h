// The observer's way to a desktop: what it may ask the actuator, and nothing else. actuator_client_rpc.h implements it;
// tests put a desktop of their own behind it. Any thread, one call at a time.
#pragma once

#include <functional>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/result.h"

namespace da::observer {

class DesktopSource {
 public:
  virtual ~DesktopSource() = default;
  using TakeChunk = std::function<Result<void>(const v1::FrameChunk&)>;

  // Waits for the quiet time at the actuator, then hands over the frame's chunks in order. An error of `take` ends it.
  virtual Result<void> frames(const v1::FramesRequest& request, const TakeChunk& take) = 0;
  virtual Result<v1::UiTree> read_ui_tree(const v1::UiTreeRequest& request) = 0;
  virtual Result<v1::UiNode> read_element(const v1::ElementRequest& request) = 0;
  virtual Result<v1::TextPlacesReply> read_text_places(const v1::TextPlacesRequest& request) = 0;
};

}  // namespace da::observer
