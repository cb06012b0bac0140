// Sorts the elements of a UI tree in reading order: siblings by rows, each followed by its children. Pure; any thread.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "lib/base/geometry.h"
#include "services/observer/elements/ui_ancestry.h"

namespace da::observer {

// Sorts by rows from the top, and within a row from the left. A row has all items with their center above the bottom of
// its uppermost item.
template <typename Item, typename BoundsOf>
void sort_by_rows(std::vector<Item>& items, BoundsOf bounds_of) {
  const auto middle = [&](const Item& item) { return bounds_of(item).center().y; };
  std::ranges::stable_sort(items, {}, middle);
  for (auto row = items.begin(); row != items.end();) {
    const int bottom = std::max(bounds_of(*row).bottom(), middle(*row) + 1);
    const auto end = std::find_if(row, items.end(), [&](const Item& item) { return middle(item) >= bottom; });
    std::stable_sort(row, end, [&](const Item& a, const Item& b) { return bounds_of(a).x < bounds_of(b).x; });
    row = end;
  }
}

// The position of each node in that order. `bounds` has one entry for each node.
std::vector<std::size_t> reading_order(const UiAncestry& ancestry, std::span<const Rect> bounds);

}  // namespace da::observer
