#include "services/observer/reading_order.h"

#include <algorithm>
#include <iterator>

namespace da::observer {
namespace {

// A row is what has its middle beside its uppermost element.
void sort_siblings(std::vector<std::size_t>& nodes, std::span<const Rect> bounds) {
  const auto middle = [&](std::size_t node) { return bounds[node].center().y; };
  std::ranges::stable_sort(nodes, {}, middle);
  for (auto row = nodes.begin(); row != nodes.end();) {
    const int bottom = std::max(bounds[*row].bottom(), middle(*row) + 1);
    const auto end = std::find_if(row, nodes.end(), [&](std::size_t node) { return middle(node) >= bottom; });
    std::stable_sort(row, end, [&](std::size_t a, std::size_t b) { return bounds[a].x < bounds[b].x; });
    row = end;
  }
}

}  // namespace

std::vector<std::size_t> reading_order(const UiAncestry& ancestry, std::span<const Rect> bounds) {
  std::vector<std::vector<std::size_t>> children(bounds.size());
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const auto parent = ancestry.parent(i);
    (parent ? children[*parent] : roots).push_back(i);
  }
  sort_siblings(roots, bounds);
  // A stack of its own: how deep a tree is says the application.
  std::vector<std::size_t> next(roots.rbegin(), roots.rend());
  std::vector<std::size_t> places(bounds.size());
  for (std::size_t place = 0; !next.empty(); ++place) {
    const std::size_t node = next.back();
    next.pop_back();
    places[node] = place;
    sort_siblings(children[node], bounds);
    std::copy(children[node].rbegin(), children[node].rend(), std::back_inserter(next));
  }
  return places;
}

}  // namespace da::observer
