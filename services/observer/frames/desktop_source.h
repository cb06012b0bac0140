// The requests that the observer may send to the actuator. actuator_client_rpc.h and the tests' fakes implement it.
// Any thread, one call at a time, except for await_change().
#pragma once

#include <functional>
#include <stop_token>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/result.h"

namespace da::observer {

class DesktopSource {
 public:
  virtual ~DesktopSource() = default;
  using TakeChunk = std::function<Result<void>(const v1::FrameChunk&)>;

  // The actuator waits for the quiet time, then `take` gets the frame's chunks in order. Its first error ends the call.
  virtual Result<void> frames(const v1::FramesRequest& request, const TakeChunk& take) = 0;
  virtual Result<v1::UiTree> read_ui_tree(const v1::UiTreeRequest& request) = 0;
  virtual Result<v1::UiNode> read_element(const v1::ElementRequest& request) = 0;
  virtual Result<v1::TextPlacesReply> read_text_places(const v1::TextPlacesRequest& request) = 0;
  // Blocks for as long as the request says. Any number of threads, beside the other calls.
  virtual Result<v1::AwaitChangeReply> await_change(const v1::AwaitChangeRequest& request,
                                                    const std::stop_token& stop) = 0;
};

}  // namespace da::observer
