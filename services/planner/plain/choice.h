// Selects an item of a drop-down list: opens the list, clicks the item, verifies. Only the task's thread calls.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/tools.pb.h"
#include "lib/base/result.h"
#include "services/planner/plain/language/goal.h"
#include "services/planner/proposer.h"
#include "services/planner/task/task_view.h"

namespace da::planner::plain {

// One step of the plain planner.
struct Proposal {
  v1::Action action;
  std::string note;                 // Shown to people; may be empty.
  bool awaits_target = false;       // If true, it replaces all remaining phases of the sentence.
  std::string target = {};          // The located target, as in Step.target.
  std::string keys_to_window = {};  // Same as in Step.
  std::string frame_id = {};        // Same as in Step.
  v1::RowName row = {};             // Same as in Step.
};

// nullopt if no step is needed.
using Proposed = Result<std::optional<Proposal>>;

class Choice {
 public:
  // nullopt if the list already shows the item.
  Proposed open_list(const Select& select, TaskView& view, Milliseconds wait);
  // Opens a list that one can also type into, which a click does not open. nullopt if the list is open.
  Proposed open_list_by_keys(const Select& select, TaskView& view) const;
  Proposed pick_item(const Select& select, TaskView& view, Milliseconds wait);
  // kFailedPrecondition if the list shows another item. Succeeds if the list exposes no selection.
  Result<Proof> verify(const Select& select, TaskView& view) const;

 private:
  Result<v1::Candidate> find_item(const Select& select, TaskView& view, Milliseconds wait) const;

  bool shows_wished(const std::vector<std::string>& shown, const std::string& item) const;

  std::string list_id_;    // Element id.
  std::string window_id_;  // The list's window.
  std::string list_name_;  // The list's name before the selection.
  std::string picked_;     // The name of the item that was clicked; empty: none was, or it has no name.
  std::vector<std::string> shown_before_;
  std::set<std::string> elsewhere_;  // Elements with the item's name that showed before the list was opened.
  bool done_ = false;                // The list already showed the item.
  bool by_keys_ = false;             // Whether a click may not open the list.
};

}  // namespace da::planner::plain
