#include "services/observer/elements/beside.h"

#include <algorithm>
#include <utility>

#include "services/observer/elements/actionable.h"
#include "services/observer/elements/ui_roles.h"
#include "services/observer/elements/usable.h"
#include "services/observer/frames/wire.h"

namespace da::observer {
namespace {

constexpr int kOverlap = 4;      // Pixels that two neighbours may overlap.
constexpr int kPerPixelOff = 4;  // Pixels off the line count a quarter of pixels along it.

int shared(int a_begin, int a_end, int b_begin, int b_end) {
  return std::min(a_end, b_end) - std::max(a_begin, b_begin);
}

// They share at least half of the lesser height.
bool on_one_line(const Rect& a, const Rect& b) {
  return 2 * shared(a.y, a.bottom(), b.y, b.bottom()) >= std::min(a.height, b.height);
}

bool in_one_column(const Rect& a, const Rect& b) {
  return 2 * shared(a.x, a.right(), b.x, b.right()) >= std::min(a.width, b.width);
}

std::optional<int> along(int gap, int off) {
  if (gap < -kOverlap) return std::nullopt;
  return std::max(gap, 0) + off / kPerPixelOff;
}

Rect bounds_of(const v1::Candidate& candidate) { return rect_from_wire(candidate.bounds()); }

bool is_same(const v1::Candidate& a, const v1::Candidate& b) {
  return a.node().element_id() == b.node().element_id() && a.bounds().x() == b.bounds().x() &&
         a.bounds().y() == b.bounds().y();
}

// The row of a list or table around a node, or nullopt.
std::optional<std::size_t> row_around(const UiAncestry& ancestry, std::size_t node) {
  for (std::optional<std::size_t> at = node; at; at = ancestry.parent(*at)) {
    if (one_of(ancestry.role(*at), {"table row", "list item", "tree item"})) return at;
  }
  return std::nullopt;
}

std::optional<std::size_t> scroller_around(const UiAncestry& ancestry, std::size_t node) {
  auto at = ancestry.parent(node);
  while (at && !one_of(ancestry.role(*at), {"scroll pane", "viewport", "table", "tree", "tree table", "list",
                                            "list box", "document web", "document frame"})) {
    at = ancestry.parent(*at);
  }
  return at;
}

class Relations {
 public:
  Relations(const v1::UiTree& tree, const Scene& scene) : tree_(tree), elements_(tree, scene) {}

  std::optional<std::size_t> index_of(const v1::UiNode& node) const {
    const auto found = std::ranges::find(tree_.nodes(), node.element_id(), &v1::UiNode::element_id);
    return found == tree_.nodes().end() ? std::nullopt
                                        : std::optional(static_cast<std::size_t>(found - tree_.nodes().begin()));
  }

  bool is_usable(const v1::Candidate& candidate) const {
    const auto i = index_of(candidate.node());
    return i && elements_.is_usable(*i);
  }

  // Uses the tree where it has rows or containers, otherwise the places.
  std::optional<int> distance(const v1::Candidate& anchor, const v1::Candidate& element, v1::Relation relation) const {
    if (is_same(anchor, element)) return std::nullopt;
    const auto a = index_of(anchor.node());
    const auto e = index_of(element.node());
    if (a && e && relation == v1::RELATION_INSIDE && elements_.ancestry().is_within(*e, *a)) return 0;
    if (a && e && relation == v1::RELATION_IN_ROW) {
      const auto row = row_around(elements_.ancestry(), *a);
      if (row && elements_.ancestry().is_within(*e, *row)) return 0;
      // The element belongs to another row, maybe of a table beside this one.
      const auto other = row_around(elements_.ancestry(), *e);
      if (row && other && !elements_.ancestry().is_within(*row, *other)) return std::nullopt;
    }
    if (anchor.node().window_id() != element.node().window_id()) return std::nullopt;
    const bool hidden = has_state(anchor.node(), v1::UI_STATE_SCROLLED_OUT);
    if (hidden != has_state(element.node(), v1::UI_STATE_SCROLLED_OUT)) return std::nullopt;
    // The places of what is scrolled out mean something only within what scrolls.
    if (hidden && (!a || !e || scroller_around(elements_.ancestry(), *a) != scroller_around(elements_.ancestry(), *e)))
      return std::nullopt;
    return distance_from(bounds_of(anchor), bounds_of(element), relation);
  }

 private:
  const v1::UiTree& tree_;
  const UsableElements elements_;
};

// Of elements inside each other, such as a combo box and its text, one counts: the one that takes text for typing, else
// the first.
void add_nearest_one(std::vector<std::pair<int, v1::Candidate>>& found, std::uint32_t index, v1::Actionable actionable,
                     std::vector<v1::Candidate>& chosen) {
  std::ranges::stable_sort(found, {}, &std::pair<int, v1::Candidate>::first);
  std::vector<v1::Candidate> separate;
  for (auto& [distance, candidate] : found) {
    const auto around =
        std::ranges::find_if(separate, [&](const v1::Candidate& each) { return one_is_inside_other(each, candidate); });
    if (around == separate.end()) {
      separate.push_back(std::move(candidate));
    } else if (actionable == v1::ACTIONABLE_EDITABLE && has_state(candidate.node(), v1::UI_STATE_EDITABLE) &&
               !has_state(around->node(), v1::UI_STATE_EDITABLE)) {
      *around = std::move(candidate);
    }
  }
  const std::size_t wanted = index == 0 ? 0 : index - 1;
  if (wanted < separate.size()) chosen.push_back(std::move(separate[wanted]));
}

bool is_known(const std::vector<v1::Candidate>& chosen, const v1::Candidate& candidate) {
  return std::ranges::any_of(chosen, [&](const v1::Candidate& each) { return is_same(each, candidate); });
}

}  // namespace

bool is_direction(v1::Relation relation) {
  return relation == v1::RELATION_RIGHT_OF || relation == v1::RELATION_LEFT_OF || relation == v1::RELATION_BELOW ||
         relation == v1::RELATION_ABOVE;
}

std::optional<int> distance_from(const Rect& anchor, const Rect& element, v1::Relation relation) {
  const int off_line = std::abs(anchor.center().y - element.center().y);
  const int off_column = std::abs(anchor.x - element.x);
  switch (relation) {
    case v1::RELATION_RIGHT_OF:
      return on_one_line(anchor, element) ? along(element.x - anchor.right(), off_line) : std::nullopt;
    case v1::RELATION_LEFT_OF:
      return on_one_line(anchor, element) ? along(anchor.x - element.right(), off_line) : std::nullopt;
    case v1::RELATION_BELOW:
      return in_one_column(anchor, element) ? along(element.y - anchor.bottom(), off_column) : std::nullopt;
    case v1::RELATION_ABOVE:
      return in_one_column(anchor, element) ? along(anchor.y - element.bottom(), off_column) : std::nullopt;
    case v1::RELATION_IN_ROW: {
      const bool around = element.contains(anchor.center()) && element.area() > anchor.area();
      return on_one_line(anchor, element) && !around ? std::optional(0) : std::nullopt;
    }
    case v1::RELATION_INSIDE: {
      const bool inside = anchor.contains(element.center()) && element.area() < anchor.area();
      return inside ? std::optional(0) : std::nullopt;
    }
    default: return 0;
  }
}

std::optional<std::size_t> nearest_place(const Rect& anchor, const std::vector<Rect>& places, v1::Relation relation,
                                         std::uint32_t index) {
  std::vector<std::pair<int, std::size_t>> found;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (const auto distance = distance_from(anchor, places[i], relation)) found.emplace_back(*distance, i);
  }
  std::ranges::sort(found);
  const std::size_t wanted = index == 0 ? 0 : index - 1;
  return wanted < found.size() ? std::optional(found[wanted].second) : std::nullopt;
}

std::vector<v1::Candidate> beside(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target,
                                  v1::Actionable actionable, std::span<const v1::Candidate> anchors,
                                  std::vector<v1::Candidate> fitting) {
  if (anchors.empty()) return {};
  const Relations relations(tree, scene);
  if (actionable == v1::ACTIONABLE_EDITABLE) {
    std::erase_if(fitting, [](const v1::Candidate& each) { return !has_state(each.node(), v1::UI_STATE_EDITABLE); });
  } else if (target.name.empty() && !target.only_role) {
    std::erase_if(fitting, [&](const v1::Candidate& each) { return !relations.is_usable(each); });
  }
  std::ranges::stable_sort(fitting, std::greater(), &v1::Candidate::score);
  // A name that fits worse than another one does not count, however near it is.
  if (!target.name.empty() && !fitting.empty()) {
    const double least = fitting.front().score() - 0.1;
    std::erase_if(fitting, [&](const v1::Candidate& each) { return each.score() < least; });
  }
  std::vector<v1::Candidate> chosen;
  for (const v1::Candidate& anchor : anchors) {
    std::vector<std::pair<int, v1::Candidate>> found;
    for (const v1::Candidate& each : fitting) {
      if (const auto distance = relations.distance(anchor, each, target.relation)) found.emplace_back(*distance, each);
    }
    if (is_direction(target.relation)) {
      add_nearest_one(found, target.index, actionable, chosen);
      continue;
    }
    for (auto& [distance, candidate] : found) {
      if (is_known(chosen, candidate)) continue;
      if (target.relation == v1::RELATION_IN_ROW && candidate.node().element_id() != anchor.node().element_id()) {
        candidate.mutable_row()->set_element_id(anchor.node().element_id());
        candidate.mutable_row()->set_name(anchor.node().name());
        candidate.mutable_row()->set_wanted(target.anchor);
      }
      chosen.push_back(std::move(candidate));
    }
  }
  // With a place, a kind is as exact as a name.
  constexpr double kPlaced = 0.96;
  for (v1::Candidate& each : chosen) {
    if (target.name.empty()) each.set_score(kPlaced);
  }
  std::ranges::stable_sort(chosen, std::greater(), &v1::Candidate::score);
  return chosen;
}

}  // namespace da::observer
