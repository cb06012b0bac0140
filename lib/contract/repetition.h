// Whether a step may be submitted again, by its outcome. docs/SPEC.md has the same table for people. Any thread.
#pragma once

#include <string_view>

#include "da/v1/outcome.pb.h"
#include "da/v1/planner_rpc.pb.h"

namespace da::contract {

enum class Repetition {
  kAtOnce,     // Nothing was sent to the desktop.
  kAfterLook,  // It may have had an effect, or a part of it: look at the desktop, and decide anew.
  kNever,      // Nobody knows if it happened. Only a person can decide.
};

// A kind that this version does not know counts as KIND_UNKNOWN.
Repetition repetition_of(v1::Outcome::Kind kind);
Repetition repetition_of(const v1::CommandAnswer& answer);

// Whether something of the step may have reached the desktop.
inline bool was_begun(const v1::Outcome& outcome) { return repetition_of(outcome.kind()) != Repetition::kAtOnce; }

// "at_once", "after_look", "never".
std::string_view word_of(Repetition repetition);

}  // namespace da::contract
