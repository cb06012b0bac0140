#include "services/observer/ui_match.h"

#include <algorithm>
#include <array>
#include <string_view>

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
constexpr double kNamedByLabel = 0.97;  // Factors on the name's score.
constexpr double kNamedByRole = 0.6;
constexpr double kNamedByContent = 0.5;
constexpr double kWorst = 0.2;

class Matcher {
 public:
  Matcher(const Scene& scene, const Target& target, v1::Actionable actionable)
      : seen_(scene), target_(target), actionable_(actionable) {}

  // What a person can see of the element.
  Rect visible(const v1::UiNode& node) const { return seen_.visible(node); }

  double score(const v1::UiNode& node, const Rect& bounds, std::string_view label) const {
    const double by_name = name_points(node, label);
    if (by_name == 0) return 0;
    double points = by_name;
    if (const v1::Window* const window = seen_.window_of(node)) {
      if (!window->focused()) points -= kUnfocusedWindow;
      if (!pops_up(node.role()) && seen_.is_covered(window, bounds.center())) points -= kCovered;
    }
    if (actionable_ == v1::ACTIONABLE_EDITABLE && !has_state(node, v1::UI_STATE_EDITABLE)) points -= kTakesNoText;
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
    if (actionable_ == v1::ACTIONABLE_UNSPECIFIED) {
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

}  // namespace

std::vector<v1::Candidate> match_ui(const v1::UiTree& tree, const Scene& scene, const Target& target,
                                    v1::Actionable actionable) {
  const Matcher matcher(scene, target, actionable);
  std::vector<VisibleNode> visible;
  for (const auto& node : tree.nodes()) {
    const Rect bounds = matcher.visible(node);
    if (!bounds.empty()) visible.push_back({&node, bounds});
  }
  const auto labels = labels_of_fields(visible);
  std::vector<v1::Candidate> candidates;
  for (std::size_t i = 0; i < visible.size(); ++i) {
    const double score = matcher.score(*visible[i].node, visible[i].bounds, labels[i]);
    if (score < kWorst) continue;
    v1::Candidate candidate;
    candidate.set_source(v1::Candidate::SOURCE_UI_TREE);
    candidate.set_score(score);
    *candidate.mutable_bounds() = rect_to_wire(visible[i].bounds);
    candidate.set_text(visible[i].node->name().empty() ? std::string(labels[i]) : visible[i].node->name());
    *candidate.mutable_node() = *visible[i].node;
    candidates.push_back(std::move(candidate));
  }
  // Stable: parents come before their children in the tree, and of two equal ones the inner is the better place.
  std::reverse(candidates.begin(), candidates.end());
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.score() > b.score(); });
  if (candidates.size() > kMaxCandidates) candidates.resize(kMaxCandidates);
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
  const Visibility seen(scene);
  const v1::Window* const own = seen.window_of(candidate.node());
  if (own == nullptr) return nullptr;
  const Rect area = rect_from_wire(candidate.bounds());
  const v1::Window* const cover = seen.cover_of(own, area.center());
  if (cover == nullptr || is_on_top(tree, candidate.node())) return nullptr;
  const bool window = one_of(candidate.node().role(), {"frame", "window", "dialog", "alert", "file chooser"});
  if (actionable != v1::ACTIONABLE_UNSPECIFIED || !window) return cover;
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
