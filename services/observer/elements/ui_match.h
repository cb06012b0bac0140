// Scores the elements of a UI tree that a target may mean. Pure; any thread. Desktop pixels.
//
// Only visible elements inside their window count. For a click or typing, elements that are scrolled out of view count
// too, with a lower score. A label beside or above an unnamed field names that field. Among equal names, elements of
// the focused window win, and elements under another window lose.
#pragma once

#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "services/observer/elements/ui_visibility.h"
#include "services/observer/locate/located_target.h"

namespace da::observer {

// Best first, with the visible part as bounds; at most kMaxCandidates if the target has no index.
std::vector<v1::Candidate> match_ui(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target,
                                    v1::Actionable actionable);

// The visible elements that the target's anchor means; several if they have the same name.
std::vector<v1::Candidate> anchors_of(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target);

// True if the element's name does not match, so that only its text can contain the target.
bool found_in_text(const v1::Candidate& candidate, const LocatedTarget& target);

// True if the tree has an element of that name that is not visible.
bool is_present_but_hidden(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target);

// What would get a click at the element's center, in words; empty if the element itself does. A window or dialog that
// is not clicked counts as covered only if all four corners are. Entries of open menus and lists are above all windows.
std::string cover_of(const v1::UiTree& tree, const Scene& scene, const v1::Candidate& candidate,
                     v1::Actionable actionable);

// True if the name of `best` only contains the wanted one, while an element with the whole name is in a part of its
// window that is outside of the desktop: that one is meant.
bool is_named_outside(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target,
                      const v1::Candidate& best, v1::Actionable actionable);

// The open menu that keeps a click from the element, because a click elsewhere only closes the menu, in words; empty if
// there is none.
std::string menu_before(const v1::UiTree& tree, const Scene& scene, const v1::Candidate& candidate,
                        v1::Actionable actionable);

// The modal dialog that keeps a click or text from the element, with its buttons, in words; empty if there is none.
std::string blocker_of(const v1::UiTree& tree, const Scene& scene, const v1::Candidate& candidate,
                       v1::Actionable actionable);

inline constexpr std::size_t kMaxCandidates = 20;

}  // namespace da::observer
