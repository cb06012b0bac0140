#include "services/observer/locate/target_choice.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lib/base/text.h"
#include "services/observer/elements/actionable.h"
#include "services/observer/elements/beside.h"
#include "services/observer/elements/ui_match.h"
#include "services/observer/frames/wire.h"
#include "services/observer/text/reading_order.h"

namespace da::observer {
namespace {

// Scores of equal names differ by less if neither or both are in the focused window.
constexpr double kSameName = 0.015;
// And by less than this if only one of them is.
constexpr double kOtherWindow = 0.03;

Rect place_of(const v1::Candidate& candidate) { return rect_from_wire(candidate.bounds()); }

std::string kinds_of(std::span<const v1::Candidate> candidates) {
  std::vector<std::string> kinds;
  for (const v1::Candidate& candidate : candidates) {
    if (std::ranges::find(kinds, candidate.node().role()) == kinds.end()) kinds.push_back(candidate.node().role());
  }
  std::string text;
  for (const std::string& kind : kinds) text += (text.empty() ? "" : ", ") + escape_foreign(kind, 40);
  return text;
}

}  // namespace

namespace {

Result<Kind> wanted_kind(const std::string& words) {
  auto kind = kind_named(words);
  if (!kind) return Error{Code::kInvalidArgument, "unknown kind of element: " + quote_foreign(words, 60)};
  return *std::move(kind);
}

}  // namespace

Result<LocatedTarget> target_of(const v1::LocateRequest& request) {
  LocatedTarget target = parse_target(request.target());
  const std::string name = target.literal;
  if (!request.role().empty()) {
    target = {.literal = name, .name = name};
    ASSIGN_OR_RETURN(target.kind, wanted_kind(request.role()));
    target.only_role = true;
  }
  target.relation = request.relation();
  if (target.relation != v1::RELATION_UNSPECIFIED) {
    if (request.role().empty()) target = {.literal = name, .name = name, .relation = request.relation()};
    target.anchor = std::string(trim(request.anchor()));
    if (!request.anchor_role().empty()) {
      ASSIGN_OR_RETURN(target.anchor_kind, wanted_kind(request.anchor_role()));
    } else if (target.anchor.empty()) {
      return Error{Code::kInvalidArgument, "Locate needs the element that the relation refers to"};
    }
  }
  target.index = request.index();
  target.window = request.window();
  if (target.literal.empty() && !target.only_role && target.relation == v1::RELATION_UNSPECIFIED) {
    return Error{Code::kInvalidArgument, "Locate needs a target: a name, text or description"};
  }
  return target;
}

void keep_in_window(const LocatedTarget& target, const Scene& scene, std::vector<v1::Candidate>& candidates) {
  const Visibility seen(scene);
  std::erase_if(candidates, [&](const v1::Candidate& candidate) {
    const v1::Window* const window = seen.window_at(place_of(candidate).center());
    if (window == nullptr) return !target.window.empty();
    return !is_wanted_window(target, window) || !may_read_text(target, *window);
  });
}

std::vector<v1::Candidate> counted(std::vector<v1::Candidate> candidates) {
  if (candidates.empty()) return candidates;
  const double best = candidates.front().score();
  std::vector<v1::Candidate> all;
  // Those of the focused window come first, if it has any.
  for (const auto& [least, most] :
       {std::pair(best - kSameName, best), std::pair(best - kOtherWindow, best - kSameName)}) {
    std::vector<v1::Candidate> same;
    for (const v1::Candidate& candidate : candidates) {
      const auto is_there = [&](const v1::Candidate& each) { return one_is_inside_other(each, candidate); };
      const bool fits = candidate.score() >= least && (candidate.score() < most || most == best);
      if (fits && std::ranges::none_of(all, is_there) && std::ranges::none_of(same, is_there))
        same.push_back(candidate);
    }
    sort_by_rows(same, place_of);
    std::ranges::move(same, std::back_inserter(all));
  }
  return all;
}

std::string keep_at_index(const LocatedTarget& target, std::vector<v1::Candidate>& candidates) {
  // The nearest ones in a direction are counted from the anchor.
  if (target.index == 0 || candidates.empty() || is_direction(target.relation)) return {};
  auto same = counted(std::exchange(candidates, {}));
  if (target.index > same.size()) {
    return "has only " + std::to_string(same.size()) + (same.size() == 1 ? " match" : " matches") + " on the screen";
  }
  candidates.push_back(std::move(same[target.index - 1]));
  return {};
}

namespace {

std::string explain_no_relation(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target) {
  const std::string anchor = target.anchor.empty() ? "the element beside it" : quote_foreign(target.anchor, 80);
  const auto anchors = anchors_of(tree, scene, target);
  if (anchors.empty()) return "was not found: " + anchor + " is nowhere on the screen";
  if (has_state(anchors.front().node(), v1::UI_STATE_SCROLLED_OUT))
    return "was not found: " + anchor + " is scrolled out of sight, so scroll to it first";
  return "was not found: " + anchor + " shows, but nothing that fits is there";
}

}  // namespace

std::string explain_no_match(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target) {
  if (!target.window.empty()) {
    const bool open =
        std::ranges::any_of(scene.windows, [&](const v1::Window* window) { return is_wanted_window(target, window); });
    if (!open) return "was not found: no window title contains " + quote_foreign(target.window, 80);
    LocatedTarget anywhere = target;
    anywhere.window.clear();
    const auto found = match_ui(tree, scene, anywhere, v1::ACTIONABLE_UNSPECIFIED);
    if (!found.empty()) return "is not in that window, but shows elsewhere";
  }
  if (target.relation != v1::RELATION_UNSPECIFIED) return explain_no_relation(tree, scene, target);
  if (target.only_role && !target.name.empty()) {
    LocatedTarget of_any_kind = target;
    of_any_kind.only_role = false;
    of_any_kind.kind = {};
    const auto found = match_ui(tree, scene, of_any_kind, v1::ACTIONABLE_UNSPECIFIED);
    if (!found.empty()) return "is not there, but other elements have that name: " + kinds_of(found);
  }
  return {};
}

}  // namespace da::observer
