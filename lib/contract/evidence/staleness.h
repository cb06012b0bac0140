// Whether an action still does what it would have done when it was judged. The actuator checks it between Prepare and
// the act, the policy between an approval and its grant: docs/EVIDENCE.md, "When a target is stale". Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::contract {

// When the earlier evidence was collected.
enum class SeenAt {
  // Milliseconds ago. Places and looks must be equal, also where a drag ends and on top of a clicked element.
  kPrepare,
  // Minutes ago, by a person. A control may have moved; states that a passing pointer does not change count too.
  kApproval,
};

// Why the action must not run with the evidence `now`; nullopt if it still means the same. The text has no titles and
// names, which a mask may hide from the reader; other foreign text is escaped.
std::optional<std::string> staleness(const v1::Action& action, const v1::Evidence& before, const v1::Evidence& now,
                                     SeenAt seen_at);

// Compares the window number together with its process, because numbers are reused.
bool same_window(const v1::Window& a, const v1::Window& b);

// Same object, role and name. States do not matter: a click may check the control or focus it.
bool same_control(const v1::UiNode& a, const v1::UiNode& b);

}  // namespace da::contract
