// The progress of one task: a line for each finished sentence, and a status for the current one. Pure: callers pass the
// time. One thread. All foreign text is escaped.
//
//   [3/12] click "Save" … done 0.4 s
//
// A model's task has a line for each plan: [turn 3] Open the menu … done 2.1 s
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "da/v1/task.pb.h"
#include "lib/base/clock.h"
#include "lib/bus/subscriber.h"

namespace da::console {

enum class Colours { kNone, kAnsi };

class Progress {
 public:
  // Ignores other tasks.
  Progress(std::string task_id, Colours colours) : task_id_(std::move(task_id)), colours_(colours) {}

  // Returns the new lines, without line breaks.
  std::vector<std::string> take(const bus::Fact& fact, MonoTime now);

  // The current activity, in at most `columns` columns; empty if there is none.
  std::string status(MonoTime now, std::size_t columns) const;

 private:
  struct Part {
    std::string label;  // "[3/12] click \"Save\""
    std::uint32_t number = 0;
    MonoTime began{};
    std::string result;  // Such as "left out"; empty: done.
  };
  void take_state(const v1::TaskStateChanged& state, MonoTime now, std::vector<std::string>& lines);
  void begin(Part part, std::vector<std::string>& lines, MonoTime now);
  void end(const std::string& result, bool well, MonoTime now, std::vector<std::string>& lines);
  std::string coloured(const char* code, const std::string& text) const;

  const std::string task_id_;
  const Colours colours_;
  std::optional<Part> part_;
  std::uint32_t turn_ = 0;
  std::string waits_for_;
};

}  // namespace da::console
