// Which elements of a UI tree a target may mean, and how likely each is. Pure; any thread. Desktop pixels.
//
// Only what a person can see counts: elements that show and whose place lies inside their window. Where something is to
// be clicked or typed into, an element that is scrolled out of sight counts too, a little less. A label beside or
// above an unnamed field names that field. Elements of the focused window win where names tie; those that a window in
// front hides lose.
#pragma once

#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "services/observer/target.h"
#include "services/observer/ui_visibility.h"

namespace da::observer {

// Best first; at most kMaxCandidates. Their bounds are the visible part.
std::vector<v1::Candidate> match_ui(const v1::UiTree& tree, const Scene& scene, const Target& target,
                                    v1::Actionable actionable);

// Whether the element is called otherwise, and only its text may hold the target.
bool found_in_text(const v1::Candidate& candidate, const Target& target);

// True where an element of that name is in the tree, but a person cannot see it.
bool is_hidden_there(const v1::UiTree& tree, const Scene& scene, const Target& target);

// The window that is over the element's centre, where a click would go to; null where none is known to be. Of a window
// or dialog that need not be clicked, all that shows must be under others. Entries of open menus and lists are on top
// of all windows.
const v1::Window* cover_of(const v1::UiTree& tree, const Scene& scene, const v1::Candidate& candidate,
                           v1::Actionable actionable);

inline constexpr std::size_t kMaxCandidates = 20;

}  // namespace da::observer
