// Watches the screen in a thread of its own and notes what is drawn (RepeatedDrawing). The thread sleeps while nothing
// is drawn, and looks at most 20 times a second. On a desktop that does not report what is drawn, it notes nothing.
// Any thread. The screen and the clock must outlive it.
#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/proof/repeated_drawing.h"

namespace da::actuator {

class DrawingRecorder {
 public:
  DrawingRecorder(Screen& screen, const Clock& clock);

  // The areas that were drawn at two or more moments within [from, to], as far as it is known.
  std::vector<Rect> repeated_between(MonoTime from, MonoTime to) const;

 private:
  void record(DrawingWatch& watch, const std::stop_token& stop);

  const Clock& clock_;
  mutable std::mutex mutex_;
  RepeatedDrawing drawn_;
  std::unique_ptr<DrawingWatch> watch_;
  std::jthread thread_;  // Last, so that it ends before what it uses.
};

}  // namespace da::actuator
