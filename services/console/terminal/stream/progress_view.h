// Shows a task's progress on a terminal. One thread; another thread may hold the status line.
#pragma once

#include <string>

#include "services/console/terminal/stream/progress.h"
#include "services/console/terminal/stream/status_line.h"
#include "services/console/terminal/stream/stream_view.h"

namespace da::console {

class ProgressView final : public FactView {
 public:
  // `line` must outlive it.
  ProgressView(std::string task_id, Colours colours, StatusLine& line)
      : progress_(std::move(task_id), colours), line_(line) {}

  void show(const bus::Fact& fact, MonoTime now) override {
    for (const std::string& line : progress_.take(fact, now)) line_.print(line);
  }
  void tick(MonoTime now) override { line_.draw(progress_.status(now, StatusLine::columns())); }

  // True if stdout is a terminal that can erase a line.
  static bool can_draw();
  // kAnsi, unless NO_COLOR is set (https://no-color.org).
  static Colours wanted_colours();

 private:
  Progress progress_;
  StatusLine& line_;
};

}  // namespace da::console
