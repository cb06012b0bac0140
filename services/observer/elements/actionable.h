// Decides if the best candidate can be acted on, and explains why not. Pure; any thread.
#pragma once

#include <span>
#include <string>

#include "da/v1/observer_rpc.pb.h"

namespace da::observer {

// True if the step will not click or type, so that a match in an element's text is enough.
inline bool only_needs_to_show(v1::Actionable actionable) {
  return actionable == v1::ACTIONABLE_UNSPECIFIED || actionable == v1::ACTIONABLE_SCROLLABLE;
}

// True if the best score (within 0.005) occurs at two different places.
bool is_ambiguous(std::span<const v1::Candidate> candidates);

// True if the center of one is inside the other: a button and its label, a row and its cell.
bool one_is_inside_other(const v1::Candidate& a, const v1::Candidate& b);

// True if both are the same element (or the same text) with the same bounds.
bool same_place(const v1::Candidate& a, const v1::Candidate& b);

// Why the candidate cannot be acted on, such as "shows, but is not enabled"; empty if it can.
// `before` is the best candidate of the previous look, null at the first look.
std::string missing_condition(const v1::Candidate& candidate, const v1::Candidate* before, v1::Actionable actionable);

}  // namespace da::observer
