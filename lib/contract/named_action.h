// Describes an action by the names of its window and element, for people: `click toggle button "7" in galculator`.
// Names come from other programs, so each is quoted and escaped. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::contract {

// `push button "Save"`; only the role for an element without a name; "element" without a role.
std::string name_element(const v1::UiNode& element);
// `galculator`, the program, or the quoted title if the program is unknown. Empty if both are unknown.
std::string name_window(const v1::Window& window);
// `push button "Save" in mousepad`.
std::string name_target(const v1::UiNode& element, const v1::Window& window);

// Uses the evidence, not the planner's words. Falls back to describe(action) for an action without element or place.
std::string describe(const v1::Action& action, const v1::Evidence& evidence);

// Uses the proposer's own words: untrusted.
std::string describe(const v1::Step& step);

}  // namespace da::contract
