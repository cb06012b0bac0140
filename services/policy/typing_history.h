// What a task has typed so far, so that a step is judged together with those before it: "r", "m -rf" and " ~" are one
// command, typed in three steps; and text after win+r starts a program.
//
// Kept for each task by window and focused element; where the element is not known, for the window. A click into
// another place of the same field does not part what was typed there. Any thread.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::policy {

// What was typed before a step, where that step would type.
struct EarlierTyping {
  std::string text;            // Characters, with '\b' for each backspace; the last ones where it is long.
  bool in_run_dialog = false;  // A chord opened a dialog that starts programs, and it was not left since.
  std::string command;         // Typed since then.
};

class TypingHistory {
 public:
  EarlierTyping before(const std::string& task_id, const v1::Evidence& evidence) const;
  // After a step that acted, or that may have.
  void add(const std::string& task_id, const v1::Action& action, const v1::Evidence& evidence);
  void forget(const std::string& task_id);

 private:
  struct Piece {
    std::string window_id;
    std::string element_id;
    std::string text;
  };
  struct Task {
    std::deque<Piece> pieces;  // In the order they were typed.
    bool in_run_dialog = false;
    std::string command;
  };

  mutable std::mutex mutex_;
  std::map<std::string, Task> tasks_;
};

// The characters that an action types, whatever tool it uses: single keys count, and '\b' stands for a backspace.
std::string typed_by(const v1::Action& action);

// What stands in a field once the backspaces have done their work.
std::string without_erased(const std::string& typed);

}  // namespace da::policy
