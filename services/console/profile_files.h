// Reads a rule profile and the pictures of its templates for sending to the planner, which alone checks them. Any
// thread.
#pragma once

#include <filesystem>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"

namespace da::console {

// Sends only pictures that the profile names ("filename", "template_filename"), from the folder templates/ beside it. A
// file that is missing is left out: the planner's error has its line and column. kInvalidArgument: the profile cannot
// be read, or all together is too large.
Result<v1::ProfileRun> read_profile_files(const std::filesystem::path& profile);

}  // namespace da::console
