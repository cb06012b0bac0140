// Which elements of a UI tree a target may mean, and how likely each is. Pure; any thread. Desktop pixels.
//
// Only what a person can see counts: elements that show and whose place lies inside their window. A label beside or
// above an unnamed field names that field. Elements of the focused window win where names tie; those that a window in
// front hides lose.
#pragma once

#include <span>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "lib/base/geometry.h"
#include "services/observer/target.h"

namespace da::observer {

// What the elements are judged in.
struct Scene {
  std::span<const v1::Window* const> windows;  // Front to back.
  Rect desktop;
};

// Best first; at most kMaxCandidates. Their bounds are the visible part.
std::vector<v1::Candidate> match_ui(const v1::UiTree& tree, const Scene& scene, const Target& target,
                                    v1::Actionable actionable);

// True where an element of that name is in the tree, but a person cannot see it.
bool is_hidden_there(const v1::UiTree& tree, const Scene& scene, const Target& target);

bool has_state(const v1::UiNode& node, v1::UiState state);

inline constexpr std::size_t kMaxCandidates = 20;

}  // namespace da::observer
