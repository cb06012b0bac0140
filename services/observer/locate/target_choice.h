// Parses the target of a Locate request and filters candidates by its kind, index and window. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "lib/base/result.h"
#include "services/observer/elements/ui_visibility.h"
#include "services/observer/locate/located_target.h"

namespace da::observer {

// kInvalidArgument if it has neither a name nor a kind, or an unknown kind.
Result<LocatedTarget> target_of(const v1::LocateRequest& request);

// Removes OCR candidates that do not show in one of the wanted windows, or only repeat the goal in its terminal.
void keep_in_window(const LocatedTarget& target, const Scene& scene, std::vector<v1::Candidate>& candidates);

// The best candidates, each place once, in the order in which an index counts them: those of the focused window first.
std::vector<v1::Candidate> counted(std::vector<v1::Candidate> candidates);

// If the target has an index, keeps only that one of the best candidates. Returns why there is none, else "".
std::string keep_at_index(const LocatedTarget& target, std::vector<v1::Candidate>& candidates);

// Says if the target exists in another window or with another kind; empty if it does not exist at all.
std::string explain_no_match(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target);

}  // namespace da::observer
