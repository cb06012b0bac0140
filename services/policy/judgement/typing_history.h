// Remembers what one task has typed, so that a step is judged together with the steps before it: "r", "m -rf" and " ~"
// are one command, and text after win+r starts a program.
//
// Text is kept by window and focused element; by window alone while the element is unknown. A click into
// the same field does not split its text. A run dialog that takes text after enter is still open. Any thread.
#pragma once

#include <array>
#include <deque>
#include <mutex>
#include <string>

#include "da/v1/outcome.pb.h"
#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"
#include "services/policy/judgement/caret_model.h"
#include "services/policy/judgement/run_dialog.h"

namespace da::policy {

// One log of strokes (caret_model.h) for each meaning of ctrl+a. They differ only after compaction.
using Strokes = std::array<std::string, kSelectAll.size()>;

// Everything that the task typed before a step into the field that the step would type into.
struct EarlierTyping {
  std::string text;      // Characters, with '\b' for each backspace; only the end of a long text.
  Strokes strokes;       // The same with the keys that move the caret.
  RunDialog run_dialog;  // Open if a chord opened it and nothing has closed it since.
};

class TypingHistory {
 public:
  EarlierTyping before(const v1::Evidence& evidence) const;
  // Call it after each step that acted or may have acted.
  void add(const v1::Action& action, const v1::Evidence& evidence);

 private:
  struct Piece {
    std::string window_id;
    std::string element_id;
    Strokes strokes;
  };
  // Call these with the mutex held.
  void follow_run_dialog(const v1::Action& action, const std::string& window_id);
  void add_piece(Piece piece);

  mutable std::mutex mutex_;
  std::deque<Piece> pieces_;  // Oldest first.
  std::size_t bytes_ = 0;     // Sum over all pieces.
  RunDialog run_dialog_;
  std::string opened_from_;        // The foreground window when the dialog was opened.
  std::string run_dialog_window_;  // The task has typed into this other window since then; empty: into none.
};

// The part of an action that was carried out, according to its outcome: a cancelled step leaves a part of its text.
v1::Action carried_out(const v1::Action& action, const v1::Outcome& outcome);

}  // namespace da::policy
