// What the plain planner hands out: one step. Plain values; any thread.
#pragma once

#include <optional>
#include <string>

#include "da/v1/tools.pb.h"
#include "lib/base/result.h"

namespace da::planner::plain {

struct Proposal {
  v1::Action action;
  std::string note;            // For people; may be empty.
  bool awaits_target = false;  // Then it stands for all phases of the sentence that are left.
  std::string target = {};     // What was located, as Step.target.
};

// nullopt where nothing needs to be done.
using Proposed = Result<std::optional<Proposal>>;

}  // namespace da::planner::plain
