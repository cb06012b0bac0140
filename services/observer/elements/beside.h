// Elements by their place beside another one, the anchor: `field right of "Name"`, `button "Edit" in row "Smith"`.
// Pure; any thread. Desktop pixels.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "services/observer/elements/ui_visibility.h"
#include "services/observer/locate/located_target.h"

namespace da::observer {

// True for right of, left of, below and above: the nearest element counts, and an index counts from the anchor.
bool is_direction(v1::Relation relation);

// How far the element is from the anchor in the direction; nullopt if it is elsewhere. 0 for the other relations.
std::optional<int> distance_from(const Rect& anchor, const Rect& element, v1::Relation relation);

// The candidates that are in the target's relation to an anchor, best first. `fitting` are the visible elements that
// fit the target without its relation.
std::vector<v1::Candidate> beside(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target,
                                  v1::Actionable actionable, std::span<const v1::Candidate> anchors,
                                  std::vector<v1::Candidate> fitting);

// The one of `places` that is the `index`-th nearest in the direction (0: the nearest); nullopt if there is none.
std::optional<std::size_t> nearest_place(const Rect& anchor, const std::vector<Rect>& places, v1::Relation relation,
                                         std::uint32_t index);

}  // namespace da::observer
