// A name that an application draws without telling it: beside an element whose longer name contains the wanted one, a
// window without elements may show the wanted name itself. Pure; any thread.
#pragma once

#include <span>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "services/observer/elements/ui_visibility.h"
#include "services/observer/locate/located_target.h"

namespace da::observer {

// Whether the UI tree describes the window. Terminals and games tell at most their frame.
bool has_elements(const v1::UiTree& tree, const v1::Window& window);

// Whether only the picture tells what is in the window: it has no elements, and will have none.
bool is_drawn(const v1::UiTree& tree, const v1::Window& window);

// Returns the window in which the target's field is looked for by sight: the focused one, or else the first whose title
// contains the one that the target names. Returns null if no window fits, or if it has elements.
const v1::Window* drawn_window(const v1::UiTree& tree, std::span<const v1::Window* const> windows,
                               const LocatedTarget& target);

// Why the picture does not show the whole window, in words: `the window "Mail" covers a part of its window`; empty if
// it does. What does not show may be the field that is meant, and changes the numbers of the others.
std::string hidden_part(const Scene& scene, const v1::Window& window);

// Whether the best candidate is an element whose name only contains the wanted one, while a window without elements
// shows. Then the screen is worth reading.
bool name_may_be_drawn(const v1::UiTree& tree, std::span<const v1::Window* const> windows, const LocatedTarget& target,
                       std::span<const v1::Candidate> candidates);

// Adds to the candidates the first of `read` that is the wanted name itself on a window without elements, with the
// score of the best, which makes the target ambiguous; its phrase names its window.
void add_drawn_name(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target,
                    std::span<const v1::Candidate> read, std::vector<v1::Candidate>& candidates);

// The areas of open menus of which the tree has no elements: some toolkits do not tell their context menus.
std::vector<Rect> drawn_menus(const v1::UiTree& tree, const Scene& scene);

// Drops those of `read` that are not the wanted name itself.
void keep_whole_names(const LocatedTarget& target, std::vector<v1::Candidate>& read);

// Keeps those of `read` that have the place which the target's relation wants, beside one of the anchors: all in a row
// or inside, and in a direction the nearest. Desktop pixels.
void keep_beside(std::span<const Rect> anchors, const LocatedTarget& target, std::vector<v1::Candidate>& read);

// Drops text where something covers another part of its window, below which the text that is meant may be: text of
// which the name is only a part ("Send" in "Send now"), and all text if the target gives a number or a direction.
// Returns why, in words, if it has dropped all candidates; else "".
std::string drop_beside_covers(const Scene& scene, const LocatedTarget& target, std::vector<v1::Candidate>& candidates);

}  // namespace da::observer
