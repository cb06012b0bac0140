// Whether the best candidate is worth acting on, and in words what is missing where it is not. Pure; any thread.
#pragma once

#include <span>
#include <string>

#include "da/v1/observer_rpc.pb.h"

namespace da::observer {

// Nothing is going to be clicked or typed into, so that text within an element will do.
inline bool need_only_show(v1::Actionable actionable) {
  return actionable == v1::ACTIONABLE_UNSPECIFIED || actionable == v1::ACTIONABLE_SCROLLABLE;
}

// True where the best two are as good and stand in different places.
bool is_ambiguous(std::span<const v1::Candidate> candidates);

// True where both are the same element (or the same text) at the same place.
bool same_place(const v1::Candidate& a, const v1::Candidate& b);

// What keeps the candidate from being acted on: "shows, but is not enabled". Empty where nothing does.
// `before` is the best candidate of the look before, null at the first look.
std::string what_is_missing(const v1::Candidate& candidate, const v1::Candidate* before, v1::Actionable actionable);

}  // namespace da::observer
