// What a task has typed so far, so that a step is judged together with those before it: "r", "m -rf" and " ~" are one
// command, typed in three steps; and text after win+r starts a program.
//
// Kept for each task by window and focused element; where the element is not known, for the window. A click into
// another place of the same field does not part what was typed there. A run dialog that takes text again after enter,
// as one that found no such program does, is open still. Any thread.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"
#include "services/policy/field_text.h"
#include "services/policy/run_dialog.h"

namespace da::policy {

// As field_text.h writes them, for each thing that ctrl+a may do: the same until they are many, and then what is left
// of them is not.
using Strokes = std::array<std::string, kSelectAll.size()>;

// What was typed before a step, where that step would type.
struct EarlierTyping {
  std::string text;      // Characters, with '\b' for each backspace; the last ones where it is long.
  Strokes strokes;       // The same with the keys that move the caret.
  RunDialog run_dialog;  // Where a chord opened one and it was not left since.
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
    Strokes strokes;
  };
  struct Task {
    std::deque<Piece> pieces;  // In the order they were typed.
    std::size_t bytes = 0;     // Of all pieces.
    RunDialog run_dialog;
    std::string opened_from;        // The foreground window when the dialog was opened ...
    std::string run_dialog_window;  // ... and the other one that was typed into since; empty where it was the same.
  };
  static void follow_run_dialog(Task& task, const v1::Action& action, const std::string& window_id);
  static void add_piece(Task& task, Piece piece);

  mutable std::mutex mutex_;
  std::map<std::string, Task> tasks_;
};

// What of an action was carried out, as far as its outcome tells: a planner that cancels a step on its way leaves a
// part of the text behind.
v1::Action carried_out(const v1::Action& action, const v1::Outcome& outcome);

// The characters that an action types, whatever tool it uses: single keys count, and '\b' stands for a backspace.
std::string typed_by(const v1::Action& action);

// What stands in a field once the backspaces have done their work.
std::string without_erased(const std::string& typed);

}  // namespace da::policy
