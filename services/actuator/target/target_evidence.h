// What was found of a target, as the evidence that rules judge and staleness compares. Nothing is masked here: the
// caller masks the target before evidence leaves the actuator. Runs under the desktop's lock.
#pragma once

#include "da/v1/verdict.pb.h"
#include "services/actuator/target/action_target.h"
#include "services/actuator/target/element_registry.h"

namespace da::actuator {

v1::Evidence evidence_of(const ActionTarget& target, ElementRegistry& elements);

}  // namespace da::actuator
