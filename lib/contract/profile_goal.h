// The goal of a task that runs a rule profile. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/planner_rpc.pb.h"

namespace da::contract {

// Limit for the text and the pictures together.
inline constexpr std::size_t kMaxProfileBytes = 7 << 20;

// `run the profile "mail.json" (DIGEST)`. The digest (BLAKE2b-128, hexadecimal) covers the whole ProfileRun, so that a
// task token, which names the goal, is of no use for another profile or another way to run it.
std::string profile_goal(const v1::ProfileRun& run);

}  // namespace da::contract
