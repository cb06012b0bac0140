// An action by the names of what it acts on, for people: `click toggle button "7" in galculator`. Names are foreign
// text: each is quoted and escaped. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::contract {

// `push button "Save"`; without a name the role alone, without a role "element".
std::string name_element(const v1::UiNode& element);
// `galculator`, the program; the quoted title where it is not known. Empty for a window with neither.
std::string name_window(const v1::Window& window);
// `push button "Save" in mousepad`.
std::string name_target(const v1::UiNode& element, const v1::Window& window);

// What the evidence says, not the planner. As describe() for an action that has no element or place.
std::string describe(const v1::Action& action, const v1::Evidence& evidence);

// What the proposer says: untrusted.
std::string describe(const v1::Step& step);

}  // namespace da::contract
