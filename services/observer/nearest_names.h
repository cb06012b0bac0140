// The names most like one that nothing has: a misspelling, a part of a word, some of the words. For the person or model
// who is told that nothing is called so; never a place to act on. Pure but for add_nearest; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "services/observer/sight.h"
#include "services/observer/target.h"
#include "services/observer/ui_visibility.h"

namespace da::observer {

inline constexpr std::size_t kMostNearest = 3;

// 0..1 regardless of case; 1 is the same name, below 0.4 they have nothing in common. Of long names only the beginning
// counts.
double name_likeness(std::string_view name, std::string_view wanted);

// Best first, each name once; at most kMostNearest.
std::vector<v1::Candidate> nearest_names(const v1::UiTree& tree, const Scene& scene, const Target& target);

// Adds them to a reply without candidates. A tree that cannot be read adds nothing.
void add_nearest(Sight& sight, const v1::LocateRequest& request, v1::LocateReply& reply);

}  // namespace da::observer
