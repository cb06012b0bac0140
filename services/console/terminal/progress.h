// One task as a person follows it: a line for each sentence once it is over, and in between what is waited for. Pure:
// time is given. One thread. All foreign text is escaped.
//
//   [3/12] click "Save" … done 0.4 s
//
// Of a model's task, a line for each plan: [turn 3] Open the menu … done 2.1 s
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
  // Facts of other tasks are not shown.
  Progress(std::string task_id, Colours colours) : task_id_(std::move(task_id)), colours_(colours) {}

  // Whole lines that are to be shown now, without their ends.
  std::vector<std::string> take(const bus::Fact& fact, MonoTime now);

  // What is under way, in at most so many columns; empty where nothing is.
  std::string status(MonoTime now, std::size_t columns) const;

 private:
  struct Part {
    std::string label;  // "[3/12] click \"Save\""
    std::uint32_t number = 0;
    MonoTime began{};
    std::string result;  // "left out"; empty: done.
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
