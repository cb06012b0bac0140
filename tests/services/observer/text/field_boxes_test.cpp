#include "services/observer/text/field_boxes.h"

#include <gtest/gtest.h>

#include <cstring>

namespace da::observer {
namespace {

constexpr std::uint32_t kGrey = 0xd9d9d9;
constexpr std::uint32_t kWhite = 0xffffff;
constexpr std::uint32_t kDark = 0x303030;

// A painted window.
class Painting {
 public:
  Painting(int width, int height, std::uint32_t colour)
      : width_(width), height_(height), pixels_(static_cast<std::size_t>(width * height), colour) {}

  Painting& fill(const Rect& area, std::uint32_t colour) {
    for (int y = area.y; y < area.bottom(); ++y) {
      for (int x = area.x; x < area.right(); ++x) pixels_[static_cast<std::size_t>(y * width_ + x)] = colour;
    }
    return *this;
  }
  // A box with a border of one pixel.
  Painting& box(const Rect& area, std::uint32_t inside, std::uint32_t border) {
    return fill({area.x - 1, area.y - 1, area.width + 2, area.height + 2}, border).fill(area, inside);
  }
  // Something like letters.
  Painting& text(Point at, int letters, std::uint32_t colour) {
    for (int i = 0; i < letters; ++i) fill({at.x + i * 8, at.y, 4, 9}, colour);
    return *this;
  }
  std::vector<Rect> fields() const {
    return field_boxes(
        {reinterpret_cast<const std::uint8_t*>(pixels_.data()), width_, height_, static_cast<std::size_t>(width_) * 4},
        {0, 0, width_, height_});
  }

 private:
  int width_;
  int height_;
  std::vector<std::uint32_t> pixels_;
};

TEST(FieldBoxes, FindsFieldsInReadingOrder) {
  const Rect left{20, 60, 150, 20};
  const Rect right{200, 61, 150, 20};
  const Rect below{20, 120, 150, 20};
  Painting window(500, 200, kGrey);
  window.box(below, kWhite, kDark).box(right, kWhite, kDark).box(left, kWhite, kDark);
  EXPECT_EQ(window.fields(), (std::vector{left, right, below}));
}

TEST(FieldBoxes, ATextAtTheLeftLeavesAField) {
  Painting window(500, 200, kGrey);
  const Rect field{20, 60, 150, 20};
  window.box(field, kWhite, kDark).text({24, 65}, 6, kDark);
  EXPECT_EQ(window.fields(), std::vector{field});
}

TEST(FieldBoxes, AButtonIsNoField) {
  Painting window(500, 200, kGrey);
  window.box({20, 60, 100, 24}, kGrey, kDark).text({48, 67}, 6, kDark);
  window.box({200, 60, 52, 24}, kGrey, kDark).text({204, 67}, 6, kDark);  // Its text fills it.
  window.box({20, 120, 100, 24}, 0x3584e4, 0x3584e4).text({48, 127}, 6, kWhite);
  EXPECT_TRUE(window.fields().empty());
}

TEST(FieldBoxes, ADarkThemeHasFieldsToo) {
  Painting window(500, 200, kDark);
  const Rect field{20, 60, 150, 20};
  window.box(field, 0x252525, 0x606060);
  EXPECT_EQ(window.fields(), std::vector{field});
}

TEST(FieldBoxes, PanelsAndTitleBarsAreNone) {
  Painting window(500, 300, kGrey);
  window.fill({0, 0, 500, 24}, 0x5580aa);
  const Rect field{40, 100, 150, 20};
  window.box({20, 60, 400, 200}, 0xeeeeee, kDark).box(field, kWhite, kDark);
  EXPECT_EQ(window.fields(), std::vector{field});
}

TEST(FieldBoxes, AFieldBesideAWordIsTheOneOnItsLine) {
  const std::vector<Rect> boxes{{160, 20, 200, 22}, {160, 80, 200, 22}};
  v1::Candidate word;
  word.set_text("Receiver");
  word.set_score(0.9);
  word.mutable_bounds()->set_x(20);
  word.mutable_bounds()->set_y(84);
  word.mutable_bounds()->set_width(60);
  word.mutable_bounds()->set_height(14);
  const auto found = fields_beside({&word, 1}, boxes, {.literal = "Receiver", .name = "Receiver"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].bounds().y(), 80);
  EXPECT_EQ(found[0].source(), v1::Candidate::SOURCE_PICTURE);
}

TEST(FieldBoxes, NumbersCountSingleLines) {
  const std::vector<Rect> boxes{{160, 20, 200, 22}, {160, 50, 200, 200}, {160, 280, 200, 22}};
  ASSERT_EQ(numbered_field(boxes, 2).size(), 1u);
  EXPECT_EQ(numbered_field(boxes, 2)[0].bounds().y(), 280);
  EXPECT_EQ(numbered_field(boxes, 0).size(), 2u);
  EXPECT_TRUE(numbered_field(boxes, 3).empty());
}

}  // namespace
}  // namespace da::observer
