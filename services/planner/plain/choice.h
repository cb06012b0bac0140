// Choosing an item of a drop-down list: open the list, click the item, see that the list shows it. One thread, the
// task's.
#pragma once

#include <string>

#include "lib/base/result.h"
#include "services/planner/plain/goal.h"
#include "services/planner/plain/proposal.h"
#include "services/planner/sight.h"

namespace da::planner::plain {

class Choice {
 public:
  // Nothing where the list shows the item already.
  Proposed open_list(const Select& select, Sight& sight, Milliseconds wait);
  Proposed pick_item(const Select& select, Sight& sight, Milliseconds wait) const;
  // kFailedPrecondition where the list shows something else. One that does not tell is believed.
  Result<void> verify(const Select& select, Sight& sight) const;

 private:
  std::string list_id_;
  std::string list_name_;  // Before anything was chosen.  // The element.
  bool done_ = false;      // The item was there before.
};

}  // namespace da::planner::plain
