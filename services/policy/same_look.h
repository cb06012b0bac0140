// Whether the target of a click or a drag still looks like what a person approved. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "da/v1/verdict.pb.h"

namespace da::policy {

// nullopt where it does; else what differs, in words for people. Content must be at its place. A control with a name
// may have moved: what is seen of it both times is compared, with the tolerance for controls (lib/contract/likeness.h);
// one whose size changed has its label elsewhere, and is known by its name alone.
std::optional<std::string> looks_differ(const v1::Evidence& approved, const v1::Evidence& now);

}  // namespace da::policy
