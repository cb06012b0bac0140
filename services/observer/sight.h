// What the observer sees now: the newest frame, and UI trees on demand. Owns the frame store; everyone who looks shares
// it, so hold the lock of look_for() from refresh() until you are done with store(). refresh() may wait at the actuator
// for as long as it is told to; there is no other wait.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "services/observer/desktop_source.h"
#include "services/observer/frame_store.h"

namespace da::observer {

// For whom it looks: a task that is open at the policy.
struct Viewer {
  std::string task_id;  // Empty: the token's.
  std::string observation_token;
};

class Sight {
 public:
  explicit Sight(DesktopSource& source) : source_(source) {}

  // What follows, until the lock is gone, is for this viewer.
  std::unique_lock<std::mutex> look_for(Viewer viewer);

  // When a frame is asked for: once nothing changed for `quiet`, or for `idle` while the application with the keyboard
  // focus did nothing (0: only `quiet` counts), at most after `longest`.
  struct Wait {
    Milliseconds quiet{0};
    Milliseconds longest{0};
    Milliseconds idle{0};
  };
  // Brings the frame up to date. A frame that cannot be believed is dropped and asked for once more, whole. Afterwards
  // store() has a frame, or this was an error.
  Result<void> refresh(const Wait& wait);

  // Element ids are the viewer's task's.
  Result<v1::UiTree> read_ui_tree();
  // An element of that tree as it is now; kNotFound where it is gone.
  Result<v1::UiNode> read_element(const std::string& element_id);
  // Of an element of that tree: where the ranges of its text are. An empty place is one that it does not tell.
  Result<std::vector<Rect>> text_places(const std::string& element_id, const std::vector<v1::TextRange>& ranges);

  const FrameStore& store() const { return store_; }
  // Front to back.
  std::vector<const v1::Window*> windows() const;
  const v1::Window* focused_window() const;

 private:
  Result<void> pull(const Wait& wait);

  DesktopSource& source_;
  std::mutex mutex_;
  FrameStore store_;
  Viewer viewer_;
};

}  // namespace da::observer
