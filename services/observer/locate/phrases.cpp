#include "services/observer/locate/phrases.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "lib/base/text.h"
#include "lib/contract/evidence/roles.h"
#include "services/observer/elements/actionable.h"
#include "services/observer/elements/nameable.h"
#include "services/observer/elements/ui_labels.h"
#include "services/observer/elements/ui_match.h"
#include "services/observer/elements/ui_roles.h"
#include "services/observer/frames/wire.h"
#include "services/observer/locate/located_target.h"
#include "services/observer/locate/target_choice.h"

namespace da::observer {
namespace {

using contract::ElementQuery;

constexpr std::size_t kLongestName = 200;
constexpr std::size_t kLongestTitle = 80;
constexpr std::size_t kMostSearches = 400;

std::string folded(std::string_view name) { return fold_case(plain_name(name)); }

// A sentence reads these words before or after a name as nothing but a noun.
bool is_noun(std::string_view role) { return one_of(role, {"window", "icon", "dialog"}); }

std::string kind_of(const v1::UiNode& node) {
  const bool known = std::ranges::find(contract::kRoles, node.role()) != contract::kRoles.end();
  return known && !is_noun(node.role()) ? node.role() : "";
}

// A name that can stand in a sentence's quotes.
bool is_plain(const std::string& name) {
  return name.size() <= kLongestName && !trim(name).empty() &&
         std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

// Empty if a sentence cannot name the window.
std::string title_for_phrase(const v1::Window& window) {
  return window.title().size() <= kLongestTitle && is_plain(window.title()) ? window.title() : "";
}

v1::LocateRequest request_of(const ElementQuery& query) {
  v1::LocateRequest request;
  if (!query.name.empty()) request.set_target("\"" + query.name + "\"");
  request.set_role(query.role);
  request.set_window(query.window);
  return request;
}

}  // namespace

Phrases::Phrases(const v1::UiTree& tree, const Scene& scene, v1::Actionable actionable)
    : tree_(tree), scene_(scene), actionable_(actionable) {
  for (const v1::UiNode& node : tree.nodes()) {
    if (!node.name().empty()) names_.push_back(folded(node.name()));
  }
  const Visibility seen(scene);
  std::vector<VisibleNode> visible;
  for (const v1::UiNode& node : tree.nodes()) {
    if (const Rect bounds = seen.visible(node); !bounds.empty()) visible.push_back({&node, bounds});
  }
  for (const std::string_view label : labels_of_fields(visible)) {
    if (!label.empty()) names_.push_back(folded(label));
  }
}

bool Phrases::is_only_one(const std::string& name) const {
  const std::string wanted = folded(name);
  return !wanted.empty() && std::ranges::count_if(names_, [&](const std::string& each) {
                              return each.find(wanted) != std::string::npos;
                            }) == 1;
}

const Phrases::Meaning& Phrases::meaning_of(const ElementQuery& query) {
  const auto [known, is_new] = known_.try_emplace(contract::to_text(query));
  if (!is_new || known_.size() > kMostSearches) return known->second;
  Meaning& meaning = known->second;
  auto target = target_of(request_of(query));
  if (!target) return meaning;
  target->index = 1;  // Otherwise match_ui returns only the best.
  auto found = match_ui(tree_, scene_, *target, actionable_);
  if (!found.empty() && !is_ambiguous(found)) meaning.only = found.front().node().element_id();
  for (const v1::Candidate& each : counted(std::move(found))) meaning.counted.push_back(each.node().element_id());
  return meaning;
}

std::string Phrases::of(const v1::UiNode& node, const std::string& name) {
  const bool named = is_plain(name);
  if (!name.empty() && !named) return {};
  const std::string kind = !named && has_state(node, v1::UI_STATE_EDITABLE) ? "field" : kind_of(node);
  const v1::Window* const window = Visibility(scene_).window_of(node);
  const std::string title = window != nullptr ? title_for_phrase(*window) : "";
  if (named && node.name() == name && is_only_one(name)) return contract::to_sentence({.name = name});
  std::vector<ElementQuery> tries;
  if (named) {
    tries.push_back({.name = name});
    if (!kind.empty()) tries.push_back({.name = name, .role = kind});
    if (!title.empty()) tries.push_back({.name = name, .window = title});
    if (!title.empty() && !kind.empty()) tries.push_back({.name = name, .role = kind, .window = title});
  } else if (!kind.empty() && !title.empty()) {
    tries.push_back({.role = kind, .window = title});
  }
  for (const ElementQuery& query : tries) {
    if (meaning_of(query).only == node.element_id()) return contract::to_sentence(query);
  }
  for (ElementQuery& query : tries) {
    const auto& counted = meaning_of(query).counted;
    const auto found = std::ranges::find(counted, node.element_id());
    if (found == counted.end()) continue;
    query.index = static_cast<std::uint32_t>(found - counted.begin()) + 1;
    if (query.index <= contract::kMaxElementIndex) return contract::to_sentence(query);
  }
  return {};
}

v1::UiTree list_with_phrases(const v1::UiTree& tree, const Scene& scene) {
  v1::UiTree list = nameable(tree, scene, Listed::kAll);
  Phrases phrases(tree, scene, v1::ACTIONABLE_ENABLED);
  std::unordered_map<std::string_view, const v1::UiNode*> originals;
  for (const v1::UiNode& node : tree.nodes()) originals.emplace(node.element_id(), &node);
  for (v1::UiNode& node : *list.mutable_nodes()) {
    const bool reachable = node.hidden().empty() || has_state(node, v1::UI_STATE_SCROLLED_OUT);
    if (reachable) node.set_phrase(phrases.of(*originals.at(node.element_id()), node.name()));
  }
  return list;
}

v1::UiNode drawn_field(const v1::Window& window, const Rect& bounds, std::uint32_t number) {
  v1::UiNode node;
  node.set_window_id(window.window_id());
  node.set_role("entry");
  *node.mutable_bounds() = rect_to_wire(bounds);
  for (const v1::UiState state : {v1::UI_STATE_SHOWING, v1::UI_STATE_ENABLED, v1::UI_STATE_EDITABLE})
    node.add_states(state);
  if (number <= contract::kMaxElementIndex)
    node.set_phrase(contract::to_sentence({.role = "field", .index = number, .window = title_for_phrase(window)}));
  return node;
}

namespace {

// `2nd "Delete"`, for text that was read from the screen: its number among the texts that fit as well.
void add_number(std::span<const v1::Candidate> same, const std::string& window, v1::Candidate& candidate) {
  const auto is_there = [&](const v1::Candidate& each) { return one_is_inside_other(each, candidate); };
  const auto found = std::ranges::find_if(same, is_there);
  if (found == same.end() || !is_plain(candidate.text())) return;
  const auto index = static_cast<std::uint32_t>(found - same.begin()) + 1;
  if (index > contract::kMaxElementIndex) return;
  candidate.set_phrase(contract::to_sentence({.name = candidate.text(), .index = index, .window = window}));
}

}  // namespace

void add_phrases(const v1::UiTree& tree, const Scene& scene, const v1::LocateRequest& request, v1::LocateReply& reply) {
  constexpr int kMost = 6;
  const v1::Actionable actionable = request.actionable();
  const auto same = counted({reply.candidates().begin(), reply.candidates().end()});
  Phrases phrases(tree, scene, actionable);
  for (int i = 0; i < std::min(reply.candidates_size(), kMost); ++i) {
    v1::Candidate& candidate = *reply.mutable_candidates(i);
    if (candidate.source() == v1::Candidate::SOURCE_UI_TREE) {
      candidate.set_phrase(phrases.of(candidate.node(), candidate.text()));
    } else if (candidate.source() == v1::Candidate::SOURCE_OCR && candidate.phrase().empty()) {
      add_number(same, request.window(), candidate);
    }
  }
}

}  // namespace da::observer
