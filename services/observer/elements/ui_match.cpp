#include "services/observer/elements/ui_match.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "lib/base/text.h"
#include "services/observer/elements/actionable.h"
#include "services/observer/elements/beside.h"
#include "services/observer/elements/popup_parts.h"
#include "services/observer/elements/ui_ancestry.h"
#include "services/observer/elements/ui_labels.h"
#include "services/observer/elements/ui_roles.h"
#include "services/observer/frames/wire.h"

namespace da::observer {
namespace {

// Subtracted from a score.
constexpr double kUnfocusedWindow = 0.02;
constexpr double kCovered = 0.1;
constexpr double kPassiveRole = 0.06;  // A label, if the step clicks.
constexpr double kContainerRole = 0.12;
constexpr double kTakesNoText = 0.3;
constexpr double kDoesNotScroll = 0.3;
constexpr double kBesideOpenMenu = 0.05;  // While a menu is open, a click elsewhere only closes it.
constexpr double kScrolledOut = 0.08;
constexpr double kSameAnchor = 0.015;  // Scores of anchors with the same name differ by less.
// Factors on the name's score.
constexpr double kNamedByLabel = 0.97;
constexpr double kNamedByRole = 0.6;
constexpr double kNamedByContent = 0.5;
constexpr double kWholeName = 0.9;  // name_score() of a name that does not only contain the wanted one.
constexpr double kLeastElementScore = 0.2;
constexpr int kNamedButtons = 6;  // Most buttons listed for a dialog that is in the way.

class Matcher {
 public:
  Matcher(const Scene& scene, const LocatedTarget& target, v1::Actionable actionable)
      : seen_(scene), target_(target), actionable_(actionable) {}

  Rect visible(const v1::UiNode& node) const { return seen_.visible(node); }

  // `scrolls`: the element or one of its ancestors scrolls.
  double score(const v1::UiNode& node, const Rect& bounds, std::string_view label, bool scrolls = true) const {
    if (target_.only_role && !fits(target_.kind, node.role())) return 0;
    if (!is_wanted_window(target_, seen_.window_of(node))) return 0;
    const double by_name = name_points(node, label);
    if (by_name == 0) return 0;
    double points = by_name;
    if (const v1::Window* const window = seen_.window_of(node)) {
      if (!window->focused()) points -= kUnfocusedWindow;
      const bool blocked = !window->blocked_by().empty() && !only_needs_to_show(actionable_);
      if (blocked || (!pops_up(node.role()) && seen_.is_covered(window, bounds.center()))) points -= kCovered;
    }
    if (actionable_ == v1::ACTIONABLE_EDITABLE && !has_state(node, v1::UI_STATE_EDITABLE)) points -= kTakesNoText;
    if (actionable_ == v1::ACTIONABLE_SCROLLABLE && !scrolls) points -= kDoesNotScroll;
    if (actionable_ == v1::ACTIONABLE_ENABLED) {
      if (is_passive(node.role())) points -= kPassiveRole;
      if (is_container(node.role())) points -= kContainerRole;
    }
    return std::max(points, 0.0);
  }

 private:
  double name_points(const v1::UiNode& node, std::string_view label) const {
    const auto either = [&](std::string_view name) {
      const double literal = name_score(name, target_.literal);
      const double narrowed = fits(target_.kind, node.role()) ? name_score(name, target_.name) : 0;
      return std::max(literal, narrowed);
    };
    const v1::Window* const window = seen_.window_of(node);
    const bool repeats_goal = only_needs_to_show(actionable_) && window != nullptr && !may_read_text(target_, *window);
    // A shell may put the goal into its terminal's title.
    if (repeats_goal && is_window(node.role())) return 0;
    double points = std::max(either(node.name()), kNamedByLabel * either(label));
    points = std::max(points, kNamedByLabel * either(node.placeholder()));
    // The item that a drop-down list shows.
    if (node.role() == "combo box") points = std::max(points, either(node.text()));
    const bool only_role = target_.name.empty() && target_.kind.wish != RoleWish::kAny;
    if (only_role && fits(target_.kind, node.role())) points = std::max(points, kNamedByRole);
    const bool only_place = target_.name.empty() && target_.relation != v1::RELATION_UNSPECIFIED && !target_.only_role;
    if (only_place) points = std::max(points, kNamedByRole);
    // An editor that contains the text somewhere is a match to look at, but not to click on.
    if (only_needs_to_show(actionable_) && !repeats_goal) {
      points = std::max(points, kNamedByContent * name_score(node.text(), target_.literal));
    }
    return points;
  }

  const Visibility seen_;
  const LocatedTarget& target_;
  const v1::Actionable actionable_;
};

bool is_on_top(const v1::UiTree& tree, const v1::UiNode& node) {
  if (!pops_up(node.role())) return false;
  const auto found = std::ranges::find(tree.nodes(), node.element_id(), &v1::UiNode::element_id);
  if (found == tree.nodes().end()) return true;
  const UiAncestry ancestry(tree);
  const auto parent = ancestry.parent(static_cast<std::size_t>(found - tree.nodes().begin()));
  if (node.role() == "menu") return !parent || ancestry.role(*parent) != "menu bar";
  if (node.role() != "list item") return true;
  for (auto above = parent; above; above = ancestry.parent(*above)) {
    if (one_of(ancestry.role(*above), {"combo box", "menu", "popup menu"})) return true;
  }
  return false;
}

// A click there opens another menu of the same bar.
bool is_in_menu_bar(const v1::UiTree& tree, const v1::UiNode& node) {
  const auto bar = std::ranges::find(tree.nodes(), node.parent_id(), &v1::UiNode::element_id);
  return bar != tree.nodes().end() && bar->role() == "menu bar";
}

bool is_part_of(const v1::UiTree& tree, const v1::UiNode& node, const Rect& popup, const v1::Window& own) {
  const auto found = std::ranges::find(tree.nodes(), node.element_id(), &v1::UiNode::element_id);
  if (found == tree.nodes().end()) return false;
  return is_part_of_popup(tree, UiAncestry(tree), static_cast<std::size_t>(found - tree.nodes().begin()), popup,
                          rect_from_wire(own.bounds()));
}

bool is_scroller(const v1::UiNode& node) {
  return has_state(node, v1::UI_STATE_MULTI_LINE) ||
         one_of(node.role(), {"scroll pane", "viewport", "table", "tree", "tree table", "list", "list box", "terminal",
                              "document web", "document frame", "document text", "document spreadsheet"});
}

// Returns for each node whether it or one of its ancestors scrolls.
std::vector<bool> scrolled_nodes(const v1::UiTree& tree, const UiAncestry& ancestry) {
  std::vector<bool> scrolled;
  for (std::size_t i = 0; i < static_cast<std::size_t>(tree.nodes_size()); ++i) {
    const auto parent = ancestry.parent(i);
    scrolled.push_back(is_scroller(tree.nodes(static_cast<int>(i))) || (parent && scrolled[*parent]));
  }
  return scrolled;
}

v1::Candidate make_candidate(const v1::UiNode& node, const Rect& bounds, double score, std::string_view label) {
  v1::Candidate candidate;
  candidate.set_source(v1::Candidate::SOURCE_UI_TREE);
  candidate.set_score(score);
  *candidate.mutable_bounds() = rect_to_wire(bounds);
  candidate.set_text(node.name().empty() ? std::string(label) : node.name());
  *candidate.mutable_node() = node;
  return candidate;
}

// `label`: a view into a node of the tree.
void set_row(const v1::UiTree& tree, std::string_view label, const LocatedTarget& target, v1::Candidate& candidate) {
  const auto names_it = [&](const v1::UiNode& node) { return !label.empty() && node.name().data() == label.data(); };
  const auto named_by = std::ranges::find_if(tree.nodes(), names_it);
  if (!candidate.node().name().empty() || named_by == tree.nodes().end()) return;
  candidate.mutable_row()->set_element_id(named_by->element_id());
  candidate.mutable_row()->set_name(named_by->name());
  candidate.mutable_row()->set_wanted(target.literal);
}

}  // namespace

std::vector<v1::Candidate> match_ui(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target,
                                    v1::Actionable actionable) {
  const Matcher matcher(scene, target, actionable);
  std::vector<VisibleNode> visible;
  std::vector<std::size_t> indices;  // Index in the tree of each of `visible`.
  for (int i = 0; i < tree.nodes_size(); ++i) {
    const Rect bounds = matcher.visible(tree.nodes(i));
    if (bounds.empty()) continue;
    visible.push_back({&tree.nodes(i), bounds});
    indices.push_back(static_cast<std::size_t>(i));
  }
  const UiAncestry ancestry(tree);
  std::vector<bool> scrolled;  // Empty if the step does not scroll.
  if (actionable == v1::ACTIONABLE_SCROLLABLE) scrolled = scrolled_nodes(tree, ancestry);
  std::vector<bool> in_menu;  // Parallel to `visible`.
  for (const std::size_t index : indices) in_menu.push_back(ancestry.popup_of(index).has_value());
  const bool menu_is_open = !only_needs_to_show(actionable) && std::ranges::find(in_menu, true) != in_menu.end();
  auto labels = labels_of_fields(visible);
  const auto row_labels = labels_in_rows(tree, ancestry);
  for (std::size_t i = 0; i < visible.size(); ++i) {
    if (labels[i].empty()) labels[i] = row_labels[indices[i]];
  }
  std::vector<v1::Candidate> candidates;
  for (std::size_t i = 0; i < visible.size(); ++i) {
    const bool scrolls = scrolled.empty() || scrolled[indices[i]];
    double score = matcher.score(*visible[i].node, visible[i].bounds, labels[i], scrolls);
    if (menu_is_open && !in_menu[i]) score -= kBesideOpenMenu;
    if (score < kLeastElementScore) continue;
    candidates.push_back(make_candidate(*visible[i].node, visible[i].bounds, score, labels[i]));
    set_row(tree, row_labels[indices[i]], target, candidates.back());
  }
  // The actuator can scroll an element into view before it clicks.
  for (std::size_t i = 0; i < row_labels.size(); ++i) {
    const v1::UiNode& node = tree.nodes(static_cast<int>(i));
    if (only_needs_to_show(actionable) || !has_state(node, v1::UI_STATE_SCROLLED_OUT)) continue;
    const Rect bounds = rect_from_wire(node.bounds());
    const double score = matcher.score(node, bounds, row_labels[i]) - kScrolledOut;
    if (score < kLeastElementScore) continue;
    candidates.push_back(make_candidate(node, bounds, score, row_labels[i]));
    set_row(tree, row_labels[i], target, candidates.back());
  }
  if (target.relation != v1::RELATION_UNSPECIFIED) {
    return beside(tree, scene, target, actionable, anchors_of(tree, scene, target), std::move(candidates));
  }
  // Children come after their parents in the tree. Among equal scores the child, which is the better place, wins.
  std::reverse(candidates.begin(), candidates.end());
  std::ranges::stable_sort(candidates, std::greater(), &v1::Candidate::score);
  // An index counts in reading order, so it needs all candidates.
  if (candidates.size() > kMaxCandidates && target.index == 0) candidates.resize(kMaxCandidates);
  return candidates;
}

std::vector<v1::Candidate> anchors_of(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target) {
  LocatedTarget wanted{.literal = target.anchor, .name = target.anchor, .kind = target.anchor_kind};
  wanted.only_role = target.anchor_kind.wish != RoleWish::kAny;
  wanted.window = target.window;
  auto anchors = match_ui(tree, scene, wanted, v1::ACTIONABLE_HOVERABLE);
  if (anchors.empty()) return anchors;
  const double least = anchors.front().score() - kSameAnchor;
  std::erase_if(anchors, [&](const v1::Candidate& each) { return each.score() < least; });
  // A field may have the name of its label: then the label is meant.
  const auto passive = [](const v1::Candidate& each) { return is_passive(each.node().role()); };
  if (is_direction(target.relation) && std::ranges::any_of(anchors, passive))
    std::erase_if(anchors, std::not_fn(passive));
  std::vector<v1::Candidate> separate;
  for (v1::Candidate& each : anchors) {
    const bool known =
        std::ranges::any_of(separate, [&](const v1::Candidate& one) { return one_is_inside_other(one, each); });
    if (!known) separate.push_back(std::move(each));
  }
  return separate;
}

bool found_in_text(const v1::Candidate& candidate, const LocatedTarget& target) {
  const std::string& name = candidate.text();
  return candidate.source() == v1::Candidate::SOURCE_UI_TREE && name_score(name, target.literal) == 0 &&
         name_score(name, target.name) == 0;
}

std::string cover_of(const v1::UiTree& tree, const Scene& scene, const v1::Candidate& candidate,
                     v1::Actionable actionable) {
  if (candidate.source() != v1::Candidate::SOURCE_UI_TREE) return {};
  if (has_state(candidate.node(), v1::UI_STATE_SCROLLED_OUT)) return {};
  const Visibility seen(scene);
  const v1::Window* const own = seen.window_of(candidate.node());
  if (own == nullptr) return {};
  const Rect area = rect_from_wire(candidate.bounds());
  if (!only_needs_to_show(actionable)) {
    const Layer* const popup = seen.popup_at(*own, area.center());
    if (popup != nullptr && !is_part_of(tree, candidate.node(), popup->bounds(), *own)) return in_words(*popup);
  }
  const Layer* const cover = seen.cover_of(own, area.center());
  if (cover == nullptr || is_on_top(tree, candidate.node())) return {};
  if (actionable != v1::ACTIONABLE_UNSPECIFIED || !is_window(candidate.node().role())) return in_words(*cover);
  const std::array corners{Point{area.x, area.y}, Point{area.right() - 1, area.y}, Point{area.x, area.bottom() - 1},
                           Point{area.right() - 1, area.bottom() - 1}};
  const bool all = std::ranges::all_of(corners, [&](Point corner) { return seen.is_covered(own, corner); });
  return all ? in_words(*cover) : "";
}

bool is_named_outside(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target,
                      const v1::Candidate& best, v1::Actionable actionable) {
  const auto has_whole_name = [&](const std::string& name) {
    return std::max(name_score(name, target.literal), name_score(name, target.name)) >= kWholeName;
  };
  if (only_needs_to_show(actionable) || has_whole_name(best.text())) return false;
  const Matcher matcher(scene, target, actionable);
  const Visibility seen(scene);
  return std::any_of(tree.nodes().begin(), tree.nodes().end(), [&](const v1::UiNode& node) {
    const v1::Window* const window = seen.window_of(node);
    if (window == nullptr || window->minimized() || !has_state(node, v1::UI_STATE_SHOWING)) return false;
    const Rect place = intersection(rect_from_wire(node.bounds()), rect_from_wire(window->bounds()));
    if (place.empty() || !intersection(place, scene.desktop).empty()) return false;
    return has_whole_name(node.name()) && matcher.score(node, place, {}) > best.score();
  });
}

std::string menu_before(const v1::UiTree& tree, const Scene& scene, const v1::Candidate& candidate,
                        v1::Actionable actionable) {
  if (only_needs_to_show(actionable)) return {};
  const auto menus = Visibility(scene).open_menus();
  const Point at = rect_from_wire(candidate.bounds()).center();
  if (menus.empty() || std::ranges::any_of(menus, [at](const Layer& menu) { return menu.contains(at); })) return {};
  const bool of_tree = candidate.source() == v1::Candidate::SOURCE_UI_TREE;
  if (of_tree && (is_on_top(tree, candidate.node()) || is_in_menu_bar(tree, candidate.node()))) return {};
  return in_words(menus.front());
}

std::string blocker_of(const v1::UiTree& tree, const Scene& scene, const v1::Candidate& candidate,
                       v1::Actionable actionable) {
  if (only_needs_to_show(actionable) || candidate.source() != v1::Candidate::SOURCE_UI_TREE) return {};
  const Visibility seen(scene);
  const v1::Window* const own = seen.window_of(candidate.node());
  if (own == nullptr || own->blocked_by().empty()) return {};
  const auto dialog = std::ranges::find(scene.windows, own->blocked_by(), &v1::Window::window_id);
  if (dialog == scene.windows.end()) return "a dialog";
  std::string buttons;
  int named = 0;
  for (const v1::UiNode& node : tree.nodes()) {
    if (node.window_id() != own->blocked_by() || node.name().empty() || named >= kNamedButtons) continue;
    if (!role_fits(RoleWish::kButton, node.role()) || seen.visible(node).empty()) continue;
    buttons += (named++ == 0 ? "" : ", ") + quote_foreign(node.name(), 40);
  }
  return "the dialog " + quote_foreign((*dialog)->title(), 80) + (buttons.empty() ? "" : " (buttons: " + buttons + ")");
}

bool is_present_but_hidden(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target) {
  const Matcher matcher(scene, target, v1::ACTIONABLE_UNSPECIFIED);
  return std::any_of(tree.nodes().begin(), tree.nodes().end(), [&](const v1::UiNode& node) {
    return matcher.visible(node).empty() && matcher.score(node, {}, {}) >= 0.5;
  });
}

}  // namespace da::observer
