#include "services/observer/locate/names_by_sight.h"

#include <algorithm>
#include <iterator>

#include "lib/contract/element_query.h"
#include "services/observer/elements/beside.h"
#include "services/observer/elements/ui_ancestry.h"
#include "services/observer/frames/wire.h"
#include "services/observer/locate/unread_places.h"
#include "services/observer/text/text_match.h"

namespace da::observer {
namespace {

constexpr double kWholeName = 0.95;  // name_score() of equal names, ignoring case and decoration.

bool is_whole_name(const std::string& name, const LocatedTarget& target) {
  return name_score(name, target.literal) >= kWholeName || name_score(name, target.name) >= kWholeName;
}

bool is_whole_read_name(const std::string& read, const LocatedTarget& target) {
  return read_name_score(read, target.literal) >= kWholeName || read_name_score(read, target.name) >= kWholeName;
}

}  // namespace

bool has_elements(const v1::UiTree& tree, const v1::Window& window) {
  return std::ranges::count(tree.nodes(), window.window_id(), &v1::UiNode::window_id) > 2;
}

bool is_drawn(const v1::UiTree& tree, const v1::Window& window) {
  return !window.minimized() && !has_elements(tree, window) && !is_awaited(tree, window);
}

const v1::Window* drawn_window(const v1::UiTree& tree, std::span<const v1::Window* const> windows,
                               const LocatedTarget& target) {
  const auto may_be = [&](const v1::Window* each) {
    return is_wanted_window(target, each) && may_read_text(target, *each);
  };
  auto found = std::ranges::find_if(windows, [&](const auto* each) { return each->focused() && may_be(each); });
  if (found == windows.end() && !target.window.empty()) found = std::ranges::find_if(windows, may_be);
  return found == windows.end() || !is_drawn(tree, **found) ? nullptr : *found;
}

std::string hidden_part(const Scene& scene, const v1::Window& window) {
  constexpr int kFrame = 8;  // Of a maximised window, some window managers put the frame outside.
  if (const Layer* const cover = Visibility(scene).cover_of_part(window); cover != nullptr)
    return in_words(*cover) + " covers a part of its window";
  const Rect bounds = rect_from_wire(window.bounds());
  const Rect inside{bounds.x + kFrame, bounds.y + kFrame, bounds.width - 2 * kFrame, bounds.height - 2 * kFrame};
  return intersection(inside, scene.desktop) == inside ? "" : "a part of its window is outside of the desktop";
}

bool name_may_be_drawn(const v1::UiTree& tree, std::span<const v1::Window* const> windows, const LocatedTarget& target,
                       std::span<const v1::Candidate> candidates) {
  if (candidates.empty() || target.name.empty() || target.index != 0) return false;
  const v1::Candidate& best = candidates.front();
  if (is_whole_name(best.text(), target) || is_whole_name(best.node().name(), target)) return false;
  return std::ranges::any_of(windows, [&](const v1::Window* window) {
    return !window->minimized() && is_wanted_window(target, window) && !has_elements(tree, *window);
  });
}

void add_drawn_name(const v1::UiTree& tree, const Scene& scene, const LocatedTarget& target,
                    std::span<const v1::Candidate> read, std::vector<v1::Candidate>& candidates) {
  const Visibility seen(scene);
  for (const v1::Candidate& each : read) {
    if (!is_whole_read_name(each.text(), target)) continue;
    const v1::Window* const window = seen.window_at(rect_from_wire(each.bounds()).center());
    if (window == nullptr || !is_wanted_window(target, window) || !may_read_text(target, *window)) continue;
    if (has_elements(tree, *window)) continue;
    v1::Candidate drawn = each;
    drawn.set_score(candidates.front().score());
    drawn.set_phrase(contract::to_sentence({.name = each.text(), .window = window->title()}));
    candidates.insert(candidates.begin() + 1, std::move(drawn));
    return;
  }
}

std::vector<Rect> drawn_menus(const v1::UiTree& tree, const Scene& scene) {
  std::vector<Rect> areas;
  const Visibility seen(scene);
  const auto menus = seen.open_menus();
  if (menus.empty()) return areas;
  const UiAncestry ancestry(tree);
  std::vector<Point> entries;
  for (std::size_t i = 0; i < static_cast<std::size_t>(tree.nodes_size()); ++i) {
    const Rect visible = ancestry.popup_of(i) ? seen.visible(tree.nodes(static_cast<int>(i))) : Rect{};
    if (!visible.empty()) entries.push_back(visible.center());
  }
  for (const Layer& menu : menus) {
    const bool told = std::ranges::any_of(entries, [&](Point entry) { return menu.contains(entry); });
    if (!told) areas.insert(areas.end(), menu.parts.begin(), menu.parts.end());
  }
  return areas;
}

void keep_whole_names(const LocatedTarget& target, std::vector<v1::Candidate>& read) {
  std::erase_if(read, [&](const v1::Candidate& each) { return !is_whole_read_name(each.text(), target); });
}

void keep_beside(std::span<const Rect> anchors, const LocatedTarget& target, std::vector<v1::Candidate>& read) {
  constexpr double kAlike = 0.015;
  if (read.empty()) return;
  const double least = read.front().score() - kAlike;
  std::erase_if(read, [&](const v1::Candidate& each) { return each.score() < least; });
  std::vector<Rect> places;
  for (const v1::Candidate& each : read) places.push_back(rect_from_wire(each.bounds()));
  std::vector<Rect> wanted;
  for (const Rect& anchor : anchors) {
    if (is_direction(target.relation)) {
      if (const auto nearest = nearest_place(anchor, places, target.relation, target.index))
        wanted.push_back(places[*nearest]);
      continue;
    }
    std::ranges::copy_if(places, std::back_inserter(wanted), [&](const Rect& place) {
      return place != anchor && distance_from(anchor, place, target.relation).has_value();
    });
  }
  std::erase_if(read, [&](const v1::Candidate& each) {
    return std::ranges::find(wanted, rect_from_wire(each.bounds())) == wanted.end();
  });
}

std::string drop_beside_covers(const Scene& scene, const LocatedTarget& target,
                               std::vector<v1::Candidate>& candidates) {
  constexpr double kWholeText = 0.88;  // text_match.cpp rates a whole line 0.9, and a part of one 0.85 at most.
  const Visibility seen(scene);
  const bool counted = target.index != 0 || is_direction(target.relation);
  std::string cover;
  const auto is_beside_cover = [&](const v1::Candidate& each) {
    if (each.source() != v1::Candidate::SOURCE_OCR || (!counted && each.score() >= kWholeText)) return false;
    const Layer* const beside = seen.cover_beside(rect_from_wire(each.bounds()).center());
    if (beside != nullptr) cover = in_words(*beside);
    return beside != nullptr;
  };
  if (counted && std::ranges::any_of(candidates, is_beside_cover))
    candidates.clear();  // The numbers of those in other windows would change, too.
  else
    std::erase_if(candidates, is_beside_cover);
  if (cover.empty() || !candidates.empty()) return "";
  return (counted ? "is counted among the texts that show, and " : "shows only as a part of another text, and ") +
         cover + " covers a part of the window, where it may be";
}

}  // namespace da::observer
