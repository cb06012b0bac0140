#include "services/observer/text/reading_order.h"

#include <iterator>

namespace da::observer {

std::vector<std::size_t> reading_order(const UiAncestry& ancestry, std::span<const Rect> bounds) {
  std::vector<std::vector<std::size_t>> children(bounds.size());
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const auto parent = ancestry.parent(i);
    (parent ? children[*parent] : roots).push_back(i);
  }
  const auto bounds_of = [&](std::size_t node) { return bounds[node]; };
  sort_by_rows(roots, bounds_of);
  // No recursion: an application may send a tree of any depth.
  std::vector<std::size_t> next(roots.rbegin(), roots.rend());
  std::vector<std::size_t> places(bounds.size());
  for (std::size_t place = 0; !next.empty(); ++place) {
    const std::size_t node = next.back();
    next.pop_back();
    places[node] = place;
    sort_by_rows(children[node], bounds_of);
    std::copy(children[node].rbegin(), children[node].rend(), std::back_inserter(next));
  }
  return places;
}

}  // namespace da::observer
