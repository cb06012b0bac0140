#include "services/observer/target_choice.h"

#include <algorithm>
#include <utility>

#include "lib/base/text.h"
#include "services/observer/ui_match.h"
#include "services/observer/wire.h"

namespace da::observer {
namespace {

// Scores of elements that are called the same differ by less where they stand in windows of the same rank.
constexpr double kSameName = 0.015;

Rect place_of(const v1::Candidate& candidate) { return rect_from_wire(candidate.bounds()); }

// A button and its label, a row and its cell: one thing to a person.
bool one_in_the_other(const Rect& a, const Rect& b) { return a.contains(b.center()) || b.contains(a.center()); }

// Rows from the top, each from the left. Things of one row overlap in height.
void sort_as_one_reads(std::vector<v1::Candidate>& candidates) {
  std::ranges::stable_sort(candidates, {}, [](const v1::Candidate& each) { return place_of(each).center().y; });
  for (auto row = candidates.begin(); row != candidates.end();) {
    const int bottom = place_of(*row).bottom();
    const auto end = std::find_if(row, candidates.end(),
                                  [&](const v1::Candidate& each) { return place_of(each).center().y >= bottom; });
    std::stable_sort(row, end, [](const auto& a, const auto& b) { return place_of(a).x < place_of(b).x; });
    row = end;
  }
}

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

Result<Target> target_of(const v1::LocateRequest& request) {
  Target target = parse_target(request.target());
  if (!request.role().empty()) {
    const auto role = role_named(request.role());
    if (!role)
      return Error{Code::kInvalidArgument, "no kind of element is called " + quote_foreign(request.role(), 60)};
    target = {
        .literal = std::string(trim(request.target())), .name = std::string(trim(request.target())), .role = *role};
    target.only_role = true;
  }
  target.index = request.index();
  target.window = request.window();
  if (target.literal.empty() && !target.only_role) {
    return Error{Code::kInvalidArgument, "Locate needs a target: a name, text or description"};
  }
  return target;
}

bool is_wanted_window(const Target& target, const v1::Window* window) {
  return target.window.empty() || (window != nullptr && contains_ignoring_case(window->title(), target.window));
}

void keep_in_window(const Target& target, std::span<const v1::Window* const> windows,
                    std::vector<v1::Candidate>& candidates) {
  if (target.window.empty()) return;
  std::erase_if(candidates, [&](const v1::Candidate& candidate) {
    const auto at = std::ranges::find_if(windows, [&](const v1::Window* window) {
      return !window->minimized() && rect_from_wire(window->bounds()).contains(place_of(candidate).center());
    });
    return at == windows.end() || !is_wanted_window(target, *at);
  });
}

std::string keep_numbered(const Target& target, std::vector<v1::Candidate>& candidates) {
  if (target.index == 0 || candidates.empty()) return {};
  const double least = candidates.front().score() - kSameName;
  std::vector<v1::Candidate> same;
  for (v1::Candidate& candidate : candidates) {
    const bool known = std::ranges::any_of(
        same, [&](const v1::Candidate& each) { return one_in_the_other(place_of(each), place_of(candidate)); });
    if (candidate.score() >= least && !known) same.push_back(std::move(candidate));
  }
  candidates.clear();
  if (target.index > same.size()) {
    return "is not there: only " + std::to_string(same.size()) + (same.size() == 1 ? " shows" : " show");
  }
  sort_as_one_reads(same);
  candidates.push_back(std::move(same[target.index - 1]));
  return {};
}

std::string why_not(const v1::UiTree& tree, const Scene& scene, const Target& target) {
  if (!target.window.empty()) {
    const bool open =
        std::ranges::any_of(scene.windows, [&](const v1::Window* window) { return is_wanted_window(target, window); });
    if (!open) return "is nowhere: no window's title contains " + quote_foreign(target.window, 80);
    Target anywhere = target;
    anywhere.window.clear();
    const auto found = match_ui(tree, scene, anywhere, v1::ACTIONABLE_UNSPECIFIED);
    if (!found.empty()) return "is not in that window, but shows elsewhere";
  }
  if (target.only_role && !target.name.empty()) {
    Target of_any_kind = target;
    of_any_kind.only_role = false;
    of_any_kind.role = RoleWish::kAny;
    const auto found = match_ui(tree, scene, of_any_kind, v1::ACTIONABLE_UNSPECIFIED);
    if (!found.empty()) return "is not there, but something of that name is: " + kinds_of(found);
  }
  return {};
}

}  // namespace da::observer
