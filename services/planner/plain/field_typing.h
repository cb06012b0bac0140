// Types a text into a named field instead of its content: gives the field the focus, selects its content, types, and
// reads the field back. Only the task's thread calls.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "da/v1/observation.pb.h"
#include "lib/base/result.h"
#include "services/planner/plain/choice.h"
#include "services/planner/plain/language/goal.h"
#include "services/planner/proposer.h"
#include "services/planner/task/task_view.h"

namespace da::planner::plain {

class FieldTyping {
 public:
  static constexpr std::uint32_t kPhases = 3;

  explicit FieldTyping(TaskView& view) : view_(view) {}

  // The screen may have changed since the last proposal.
  void begin_decision() { is_current_ = false; }

  // Proposes the first phase; nullopt if the field has the focus: it is not clicked then, so that its selection stays,
  // and the text replaces that.
  Proposed focus(const std::string& field, Milliseconds wait, const v1::Observation& latest);
  // Whether focus() found the field in the picture, without an element. Then the other phases have no meaning, and the
  // text goes to window().
  bool is_by_sight() const { return is_box_; }
  const std::string& window() const { return box_window_; }
  // Proposes the second phase; nullopt if there is no content to select.
  Proposed select_content(const std::string& field, const v1::Observation& latest);
  // The third phase is check_focus(), and then write(), after a rest unless the toolkit reports the focus. It fails
  // unless the field has the focus, so that no text goes elsewhere. A toolkit that reports no focus at all is believed
  // only if its window has the focus; verify() then reads the text back.
  Result<void> check_focus(const std::string& field, const v1::Observation& latest);
  bool reports_focus() const { return reports_focus_; }
  Proposed write(const std::string& text);

  // Checks the result of a phase's step: the field must have the typed text, where that can be known.
  Result<Proof> verify(const TypeText& type, std::uint32_t phase, EventKind outcome);

 private:
  Proposed keys(v1::Action action) const;
  Result<Proof> verify_content(const std::string& text);

  TaskView& view_;
  v1::UiNode field_;             // The field as last seen.
  std::set<std::string> typed_;  // Element ids of the fields that were typed into.
  bool is_current_ = false;      // field_ was seen in this decision.
  bool reports_focus_ = true;    // Otherwise its text is read back.
  bool is_box_ = false;
  std::string box_window_;  // Where the picture shows the field; an id.
};

}  // namespace da::planner::plain
