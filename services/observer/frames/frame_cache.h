// The newest frame, and UI trees on demand. Owns the FrameStore, which all calls share: hold the lock of look_for()
// from refresh() until the last use of store(). Only refresh() waits with the lock held, at the actuator, for as long
// as `Wait` says.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "services/observer/frames/desktop_source.h"
#include "services/observer/frames/frame_store.h"

namespace da::observer {

// A task that is open at the policy.
struct Viewer {
  std::string task_id;  // Empty: the task of the token.
  std::string observation_token;
};

class FrameCache {
 public:
  explicit FrameCache(DesktopSource& source) : source_(source) {}

  // While the lock is held, all calls are made for this viewer.
  std::unique_lock<std::mutex> look_for(Viewer viewer);

  // The actuator captures a frame once nothing changed for `quiet`, or nothing changed for `idle` while the focused
  // application did no work (0: only `quiet` counts), but at the latest after `longest`.
  struct Wait {
    Milliseconds quiet{0};
    Milliseconds longest{0};
    Milliseconds idle{0};
  };
  // Updates store(). An invalid frame (kDataLoss) is dropped, and a key frame is requested once.
  Result<void> refresh(const Wait& wait);

  // Element ids are valid in the viewer's task.
  Result<v1::UiTree> read_ui_tree();
  // The current state of one element of that tree; kNotFound if it is gone.
  Result<v1::UiNode> read_element(const std::string& element_id);
  // One area for each range of the element's text; empty where the application does not report it.
  Result<std::vector<Rect>> text_places(const std::string& element_id, const std::vector<v1::TextRange>& ranges);

  // Does not need the lock, so that other calls go on meanwhile. kCancelled after a stop.
  Result<v1::AwaitChangeReply> await_change(const v1::AwaitChangeRequest& request, const std::stop_token& stop) {
    return source_.await_change(request, stop);
  }

  const FrameStore& store() const { return store_; }
  // Front to back.
  std::vector<const v1::Window*> windows() const;
  const v1::Window* focused_window() const;
  // Front to back; empty if the frame does not tell them.
  std::vector<const v1::ClickArea*> click_areas() const;

 private:
  Result<void> pull(const Wait& wait);

  DesktopSource& source_;
  std::mutex mutex_;
  FrameStore store_;
  Viewer viewer_;
};

}  // namespace da::observer
