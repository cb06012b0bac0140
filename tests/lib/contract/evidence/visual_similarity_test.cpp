#include "lib/contract/evidence/visual_similarity.h"

#include <gtest/gtest.h>

namespace da::contract {
namespace {

constexpr int kSide = 48;

// An image of brightness values to draw on.
class Canvas {
 public:
  explicit Canvas(int paper = 255) : look_(kSide * kSide, static_cast<char>(paper)) {}
  Canvas& fill(const Rect& area, int ink) {
    const Rect inside = intersection(area, {0, 0, kSide, kSide});
    for (int y = inside.y; y < inside.bottom(); ++y) {
      for (int x = inside.x; x < inside.right(); ++x) look_[at(x, y)] = static_cast<char>(ink);
    }
    return *this;
  }
  // Draws three lines of letters, different for each seed.
  Canvas& write(int seed, int ink = 0, int down = 0) {
    for (int i = 0; i < 3 * 6; ++i) {
      const int letter = (i + 1) * seed % 7;
      const Point corner{(i % 6) * 8 + 1, i / 6 * 16 + 2 + down};
      fill({corner.x, corner.y, 1, 11}, ink);
      fill({corner.x, corner.y + letter, 6, 1}, ink);
      fill({corner.x + letter % 6, corner.y + 4, 1, 7}, ink);
    }
    return *this;
  }
  Canvas& map(int from, int to) {
    for (char& pixel : look_) {
      if (static_cast<unsigned char>(pixel) == from) pixel = static_cast<char>(to);
    }
    return *this;
  }
  const std::string& look() const { return look_; }

 private:
  static std::size_t at(int x, int y) { return static_cast<std::size_t>(y) * kSide + static_cast<std::size_t>(x); }
  std::string look_;
};

bool alike(const Canvas& before, const Canvas& now, Surface surface = Surface::kContent) {
  const bool there = looks_alike(before.look(), now.look(), kSide, surface);
  EXPECT_TRUE(surface == Surface::kControl || there == looks_alike(now.look(), before.look(), kSide, surface));
  return there;
}

TEST(VisualSimilarity, CaretMayBlink) {
  EXPECT_TRUE(alike(Canvas().write(3), Canvas().write(3).fill({23, 14, 2, 22}, 0)));
  EXPECT_TRUE(alike(Canvas().write(3), Canvas().write(3).fill({16, 16, 8, 14}, 0)));
}

TEST(VisualSimilarity, DetectsOtherTextWithFewChangedPixels) {
  EXPECT_FALSE(alike(Canvas().write(3), Canvas().write(5)));
  EXPECT_FALSE(alike(Canvas().write(3), Canvas().write(3, 0, 4)));
  EXPECT_FALSE(alike(Canvas().write(3), Canvas()));
}

TEST(VisualSimilarity, ColoursMayChangeIfTextStays) {
  EXPECT_TRUE(alike(Canvas().write(3), Canvas().write(3).map(0, 139).map(255, 252)));  // Its window lost the focus.
  EXPECT_TRUE(alike(Canvas(240).write(3), Canvas(228).write(3)));                      // The pointer is above it.
}

TEST(VisualSimilarity, DetectsOtherBlankPage) { EXPECT_FALSE(alike(Canvas(255), Canvas(200))); }

TEST(VisualSimilarity, ControlMayBeSelectedIfItsLabelRemains) {
  const auto selected = Canvas().write(3).map(255, 110).map(0, 255);
  EXPECT_TRUE(alike(Canvas().write(3), selected, Surface::kControl));
  EXPECT_FALSE(alike(Canvas().write(3), selected));
  EXPECT_FALSE(alike(Canvas().write(3), Canvas(110), Surface::kControl));
}

TEST(VisualSimilarity, LooksThatCannotBeComparedAreNotAlike) {
  EXPECT_FALSE(looks_alike("abc", "ab", 1, Surface::kContent));
  EXPECT_FALSE(looks_alike("abc", "abd", 2, Surface::kContent));
  EXPECT_FALSE(looks_alike("abc", "abd", 0, Surface::kContent));
  EXPECT_FALSE(looks_alike("abc", "abd", -3, Surface::kControl));
  EXPECT_TRUE(looks_alike("", "", 0, Surface::kContent));
}

TEST(VisualSimilarity, OnlyNamedControlIsIdentifiedByName) {
  EXPECT_EQ(surface_of("push button", "Save"), Surface::kControl);
  EXPECT_EQ(surface_of("push button", ""), Surface::kContent);
  EXPECT_EQ(surface_of("text", "Document"), Surface::kContent);
  EXPECT_EQ(surface_of("", ""), Surface::kContent);
}

TEST(VisualSimilarity, ElementMayMoveByTwoPixels) {
  EXPECT_TRUE(same_place({10, 10}, {12, 8}));
  EXPECT_FALSE(same_place({10, 10}, {13, 10}));
  EXPECT_FALSE(same_place({-2147483647, 0}, {2147483647, 0}));
}

}  // namespace
}  // namespace da::contract
