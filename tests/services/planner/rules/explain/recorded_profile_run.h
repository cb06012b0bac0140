// A run of a profile on the fake desktop, recorded as the recorder does: the planner's facts, and the observer's
// answers. One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "da/v1/planner_rpc.pb.h"
#include "da/v1/task.pb.h"
#include "tests/services/planner/fake_policy.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner::rules {

class RecordedProfileRun {
 public:
  // A window "Form" with a field "Name" and a button "Save".
  RecordedProfileRun();

  FakeWorld world;
  FakePolicy policy{world};
  v1::ProfileRun profile;  // Runs for 5 seconds; run() sets its text.

  // Runs the text, and writes the recording. Each call to the observer takes 50 ms of the fake clock.
  v1::TaskResult run(const std::string& text, const std::filesystem::path& recording);
};

}  // namespace da::planner::rules
