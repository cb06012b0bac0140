// Describes what was found of a target, as the evidence that rules judge and staleness compares. Runs under the
// desktop's lock.
#pragma once

#include <vector>

#include "da/v1/verdict.pb.h"
#include "services/actuator/privacy/screen_mask.h"
#include "services/actuator/target/action_target.h"
#include "services/actuator/target/element_registry.h"

namespace da::actuator {

// Masks nothing, because the actuator only compares it.
v1::Evidence evidence_of(const ActionTarget& target, ElementRegistry& elements);

// The evidence that may leave the actuator, with the files that the program that gets the keys, and those under the
// pointer, have at hand (Applications::open_files). Names and titles stay, because rules judge by them. Fails only if
// the desktop fails.
Result<v1::Evidence> masked_evidence(Desktop& desktop, ScreenMask& mask, ElementRegistry& elements, const Clock& clock,
                                     ActionTarget target);

// The process that owns a window and is the nearest ancestor of this one: the terminal in which the console of an
// embedded run was called. 0: none.
std::uint32_t starter_of_run(const std::vector<WindowInfo>& windows, const std::vector<std::uint32_t>& ancestors);

}  // namespace da::actuator
