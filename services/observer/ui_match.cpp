#include "services/observer/ui_match.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "services/observer/actionable.h"
#include "services/observer/target_choice.h"
#include "services/observer/ui_ancestry.h"
#include "services/observer/ui_labels.h"
#include "services/observer/ui_roles.h"
#include "services/observer/wire.h"

namespace da::observer {
namespace {

constexpr double kUnfocusedWindow = 0.02;  // What is taken off a score for each.
constexpr double kCovered = 0.1;
constexpr double kPassiveRole = 0.06;  // A label where something to click is wanted.
constexpr double kContainerRole = 0.12;
constexpr double kTakesNoText = 0.3;
constexpr double kDoesNotScroll = 0.3;
constexpr double kNamedByLabel = 0.97;  // Factors on the name's score.
constexpr double kNamedByRole = 0.6;
constexpr double kNamedByContent = 0.5;
constexpr double kBesideOpenMenu = 0.05;  // While a menu is open, a click elsewhere only closes it.
constexpr double kScrolledOut = 0.08;     // What shows is meant rather than what would have to be scrolled to.
constexpr double kWorst = 0.2;

class Matcher {
 public:
  Matcher(const Scene& scene, const Target& target, v1::Actionable actionable)
      : seen_(scene), target_(target), actionable_(actionable) {}

  // What a person can see of the element.
  Rect visible(const v1::UiNode& node) const { return seen_.visible(node); }

  // scrolls: it is in something that scrolls, or does so itself.
  double score(const v1::UiNode& node, const Rect& bounds, std::string_view label, bool scrolls = true) const {
    if (target_.only_role && !role_fits(target_.role, node.role())) return 0;
    if (!is_wanted_window(target_, seen_.window_of(node))) return 0;
    const double by_name = name_points(node, label);
    if (by_name == 0) return 0;
    double points = by_name;
    if (const v1::Window* const window = seen_.window_of(node)) {
      if (!window->focused()) points -= kUnfocusedWindow;
      if (!pops_up(node.role()) && seen_.is_covered(window, bounds.center())) points -= kCovered;
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
      const double narrowed = role_fits(target_.role, node.role()) ? name_score(name, target_.name) : 0;
      return std::max(literal, narrowed);
    };
    double points = std::max(either(node.name()), kNamedByLabel * either(label));
    const bool only_role = target_.name.empty() && target_.role != RoleWish::kAny;
    if (only_role && role_fits(target_.role, node.role())) points = std::max(points, kNamedByRole);
    // To see a text it may stand anywhere; to click on one, an editor that holds the word somewhere is no answer.
    if (need_only_show(actionable_)) {
      points = std::max(points, kNamedByContent * name_score(node.text(), target_.literal));
    }
    return points;
  }

  const Visibility seen_;
  const Target& target_;
  const v1::Actionable actionable_;
};

bool is_on_top(const v1::UiTree& tree, const v1::UiNode& node) {
  if (!pops_up(node.role())) return false;
  const auto found = std::ranges::find(tree.nodes(), node.element_id(), &v1::UiNode::element_id);
  if (found == tree.nodes().end()) return true;
  const UiAncestry ancestry(tree);
  const auto role_of = [&](std::size_t index) -> std::string_view {
    return tree.nodes(static_cast<int>(index)).role();
  };
  const auto parent = ancestry.parent(static_cast<std::size_t>(found - tree.nodes().begin()));
  if (node.role() == "menu") return !parent || role_of(*parent) != "menu bar";
  if (node.role() != "list item") return true;
  for (auto above = parent; above; above = ancestry.parent(*above)) {
    if (one_of(role_of(*above), {"combo box", "menu", "popup menu"})) return true;
  }
  return false;
}

bool is_scroller(const v1::UiNode& node) {
  return has_state(node, v1::UI_STATE_MULTI_LINE) ||
         one_of(node.role(), {"scroll pane", "viewport", "table", "tree", "tree table", "list", "list box", "terminal",
                              "document web", "document frame", "document text", "document spreadsheet"});
}

// For each node whether it scrolls, or is in something that does.
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

}  // namespace

std::vector<v1::Candidate> match_ui(const v1::UiTree& tree, const Scene& scene, const Target& target,
                                    v1::Actionable actionable) {
  const Matcher matcher(scene, target, actionable);
  std::vector<VisibleNode> visible;
  std::vector<std::size_t> indices;  // Of each in the tree.
  for (int i = 0; i < tree.nodes_size(); ++i) {
    const Rect bounds = matcher.visible(tree.nodes(i));
    if (bounds.empty()) continue;
    visible.push_back({&tree.nodes(i), bounds});
    indices.push_back(static_cast<std::size_t>(i));
  }
  const UiAncestry ancestry(tree);
  std::vector<bool> scrolled;  // Left empty where it does not matter.
  if (actionable == v1::ACTIONABLE_SCROLLABLE) scrolled = scrolled_nodes(tree, ancestry);
  std::vector<bool> in_menu;  // Of each that is visible.
  for (const std::size_t index : indices) in_menu.push_back(ancestry.popup_of(index).has_value());
  const bool menu_is_open = !need_only_show(actionable) && std::ranges::find(in_menu, true) != in_menu.end();
  const auto labels = labels_of_fields(visible);
  std::vector<v1::Candidate> candidates;
  for (std::size_t i = 0; i < visible.size(); ++i) {
    const bool scrolls = scrolled.empty() || scrolled[indices[i]];
    double score = matcher.score(*visible[i].node, visible[i].bounds, labels[i], scrolls);
    if (menu_is_open && !in_menu[i]) score -= kBesideOpenMenu;
    if (score < kWorst) continue;
    candidates.push_back(make_candidate(*visible[i].node, visible[i].bounds, score, labels[i]));
  }
  // What is to be seen must show; what is to be clicked can be scrolled to.
  for (const auto& node : tree.nodes()) {
    if (need_only_show(actionable) || !has_state(node, v1::UI_STATE_SCROLLED_OUT)) continue;
    const Rect bounds = rect_from_wire(node.bounds());
    const double score = matcher.score(node, bounds, {}) - kScrolledOut;
    if (score >= kWorst) candidates.push_back(make_candidate(node, bounds, score, {}));
  }
  // Stable: parents come before their children in the tree, and of two equal ones the inner is the better place.
  std::reverse(candidates.begin(), candidates.end());
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.score() > b.score(); });
  // The one that is wanted may be any of those that are called so.
  if (candidates.size() > kMaxCandidates && target.index == 0) candidates.resize(kMaxCandidates);
  return candidates;
}

bool found_in_text(const v1::Candidate& candidate, const Target& target) {
  const std::string& name = candidate.text();
  return candidate.source() == v1::Candidate::SOURCE_UI_TREE && name_score(name, target.literal) == 0 &&
         name_score(name, target.name) == 0;
}

const v1::Window* cover_of(const v1::UiTree& tree, const Scene& scene, const v1::Candidate& candidate,
                           v1::Actionable actionable) {
  if (candidate.source() != v1::Candidate::SOURCE_UI_TREE) return nullptr;
  if (has_state(candidate.node(), v1::UI_STATE_SCROLLED_OUT)) return nullptr;
  const Visibility seen(scene);
  const v1::Window* const own = seen.window_of(candidate.node());
  if (own == nullptr) return nullptr;
  const Rect area = rect_from_wire(candidate.bounds());
  const v1::Window* const cover = seen.cover_of(own, area.center());
  if (cover == nullptr || is_on_top(tree, candidate.node())) return nullptr;
  const bool window = one_of(candidate.node().role(), {"frame", "window", "dialog", "alert", "file chooser"});
  if (!need_only_show(actionable) || !window) return cover;
  const std::array corners{Point{area.x, area.y}, Point{area.right() - 1, area.y}, Point{area.x, area.bottom() - 1},
                           Point{area.right() - 1, area.bottom() - 1}};
  return std::ranges::all_of(corners, [&](Point corner) { return seen.is_covered(own, corner); }) ? cover : nullptr;
}

bool is_hidden_there(const v1::UiTree& tree, const Scene& scene, const Target& target) {
  const Matcher matcher(scene, target, v1::ACTIONABLE_UNSPECIFIED);
  return std::any_of(tree.nodes().begin(), tree.nodes().end(), [&](const v1::UiNode& node) {
    return matcher.visible(node).empty() && matcher.score(node, {}, {}) >= 0.5;
  });
}

}  // namespace da::observer
