// What was found of a target, as the evidence that rules judge and staleness compares. Nothing is masked here: the
// caller masks the target before evidence leaves the actuator. Runs under the desktop's lock.
#pragma once

#include <set>
#include <string>

#include "da/v1/verdict.pb.h"
#include "services/actuator/target/action_target.h"
#include "services/actuator/target/element_registry.h"

namespace da::actuator {

v1::Evidence evidence_of(const ActionTarget& target, ElementRegistry& elements);

// Returns what the program that gets the keys, and those under the pointer, have at hand (Applications::open_files).
std::set<std::string> open_files_of(const ActionTarget& target, Desktop& desktop);

// The process that owns a window and is the nearest ancestor of this one: the terminal in which the console of an
// embedded run was called. 0: none.
std::uint32_t starter_of_run(const std::vector<WindowInfo>& windows, const std::vector<std::uint32_t>& ancestors);

}  // namespace da::actuator
