// Suggests existing names for a target that does not exist: misspellings, parts of words, some of the words. They are
// for the error message, never a place to act on. Pure, except add_nearest; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "services/observer/elements/ui_visibility.h"
#include "services/observer/frames/frame_cache.h"
#include "services/observer/locate/located_target.h"

namespace da::observer {

inline constexpr std::size_t kMostNearest = 3;

// 0..1, ignoring case: 1 is the same name, below 0.4 is unrelated. Only the first 48 characters count.
double name_similarity(std::string_view name, std::string_view wanted);

// Best first, each name once; at most kMostNearest.
std::vector<v1::Candidate> nearest_names(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target);

// Adds suggestions to a reply without candidates, if the UI tree can be read.
void add_nearest(FrameCache& frames, const v1::LocateRequest& request, v1::LocateReply& reply);

}  // namespace da::observer
