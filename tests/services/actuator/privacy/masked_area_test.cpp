#include "services/actuator/privacy/masked_area.h"

#include <gtest/gtest.h>

namespace da::actuator {
namespace {

WindowInfo window_at(const std::string& id, const Rect& bounds) {
  WindowInfo info;
  info.id = id;
  info.bounds = bounds;
  return info;
}

TEST(Place, AnAreaMovesWithItsWindow) {
  const AnchoredArea area{"a", Rect{10, 20, 30, 40}, Hides::kNamesToo};
  const std::vector<WindowInfo> windows{window_at("b", {0, 0, 1, 1}), window_at("a", {-100, 50, 300, 200})};
  EXPECT_EQ(place(area, windows), (MaskedArea{{-90, 70, 30, 40}, Hides::kNamesToo}));
  EXPECT_EQ(place({"a", std::nullopt}, windows), (MaskedArea{{-100, 50, 300, 200}}));
}

TEST(Place, AreaOfAMissingOrMinimizedWindowHasNoPlace) {
  std::vector<WindowInfo> windows{window_at("a", {0, 0, 10, 10})};
  EXPECT_EQ(place({"b", Rect{1, 1, 1, 1}}, windows), std::nullopt);
  windows.front().minimized = true;
  EXPECT_EQ(place({"a", Rect{1, 1, 1, 1}}, windows), std::nullopt);
}

TEST(BlackOut, ChangesOnlyCoveredPixels) {
  std::vector<std::uint8_t> pixels(4 * 3 * 4, 9);
  black_out(pixels.data(), 16, {-2, 10, 4, 3}, {{{-1, 11, 2, 1}}, {{100, 100, 5, 5}}, {{1, 12, 50, 50}}});
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 4; ++x) {
      const bool masked = (y == 1 && (x == 1 || x == 2)) || (y == 2 && x == 3);
      EXPECT_EQ(pixels[static_cast<std::size_t>(y * 16 + x * 4)], masked ? 0 : 9) << x << "," << y;
    }
  }
}

}  // namespace
}  // namespace da::actuator
