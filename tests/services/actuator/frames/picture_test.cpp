#include "services/actuator/frames/picture.h"

#include <gtest/gtest.h>
#include <spng.h>

#include "services/actuator/desktop/fake/fake_desktop.h"

namespace da::actuator {
namespace {

struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bytes;
  std::vector<int> at(int x, int y) const {
    const auto from = static_cast<std::size_t>((y * width + x) * 3);
    return {bytes[from], bytes[from + 1], bytes[from + 2]};
  }
};

Picture decode(const std::string& png) {
  Picture picture;
  spng_ctx* context = spng_ctx_new(0);
  spng_set_png_buffer(context, png.data(), png.size());
  spng_ihdr header{};
  EXPECT_EQ(spng_get_ihdr(context, &header), 0);
  picture.width = static_cast<int>(header.width);
  picture.height = static_cast<int>(header.height);
  picture.bytes.resize(static_cast<std::size_t>(header.width) * header.height * 3);
  EXPECT_EQ(spng_decode_image(context, picture.bytes.data(), picture.bytes.size(), SPNG_FMT_RGB8, 0), 0);
  spng_ctx_free(context);
  return picture;
}

const std::vector<int> kRed{255, 0, 0};
const std::vector<int> kBlue{0, 0x50, 255};
const std::vector<int> kBlack{0, 0, 0};
const std::vector<int> kGround{0x40, 0x48, 0x50};  // The fake desktop's background.

class PictureTest : public testing::Test {
 protected:
  Picture take(const ActionTarget& target) {
    const auto png = take_picture(*desktop_, mask_, target, clock_);
    EXPECT_TRUE(png) << png.error().message;
    EXPECT_LE(png->size(), kLargestPictureBytes);
    return decode(*png);
  }
  std::shared_ptr<fake::FakeWorld> world_ = std::make_shared<fake::FakeWorld>();
  std::unique_ptr<Desktop> desktop_ = open_fake_desktop(world_);
  ScreenMask mask_;
  ManualClock clock_;
};

TEST_F(PictureTest, BoxOutlinesPointWithoutCoveringIt) {
  ActionTarget target;
  target.point = Point{640, 400};
  const Picture picture = take(target);
  EXPECT_EQ(picture.width, kPictureWidth);
  EXPECT_EQ(picture.height, kPictureHeight);
  for (const auto& [x, y] : {std::pair(170, 100), std::pair(150, 100), std::pair(160, 110), std::pair(160, 90)}) {
    EXPECT_EQ(picture.at(x, y), kRed) << x << "," << y;
  }
  for (int y = 91; y <= 109; ++y) {
    for (int x = 151; x <= 169; ++x) EXPECT_EQ(picture.at(x, y), kGround) << x << "," << y;
  }
}

// Regression: a crosshair covered the button in question.
TEST_F(PictureTest, SmallElementUnderThePointIsOutlinedWithoutCoveringIt) {
  ActionTarget target;
  target.point = Point{640, 400};
  target.element = Element{.bounds = {610, 390, 80, 30}};
  const Picture picture = take(target);  // Its top left corner is at 480,300.
  for (int y = 90; y < 120; ++y) {
    for (int x = 130; x < 210; ++x) ASSERT_EQ(picture.at(x, y), kGround) << x << "," << y;
  }
  EXPECT_EQ(picture.at(129, 100), kRed);
  EXPECT_EQ(picture.at(210, 100), kRed);
  EXPECT_EQ(picture.at(150, 89), kRed);
  EXPECT_EQ(picture.at(150, 120), kRed);
}

TEST_F(PictureTest, PointInALargeElementIsOutlinedToo) {
  ActionTarget target;
  target.point = Point{640, 400};
  target.element = Element{.bounds = {500, 320, 280, 160}};
  const Picture picture = take(target);  // Its top left corner is at 480,300.
  EXPECT_EQ(picture.at(19, 100), kRed) << "the element";
  EXPECT_EQ(picture.at(150, 100), kRed) << "the point";
  EXPECT_EQ(picture.at(160, 100), kGround);
}

// Regression: the picture of a drag showed only its start.
TEST_F(PictureTest, BothEndsOfADragAreInItsPicture) {
  ActionTarget target;
  target.point = Point{300, 400};
  target.drop_point = Point{700, 410};
  target.drop_element = Element{.bounds = {680, 400, 60, 20}};
  const Picture picture = take(target);
  const int left = (291 + 740) / 2 - (449 + 48) / 2;  // Both ends with their margins.
  ASSERT_EQ(picture.width, 449 + 48);
  EXPECT_EQ(picture.at(300 - left - 10, 100), kRed) << "where it begins";
  int blue = 0;
  for (int y = 0; y < picture.height; ++y) blue += picture.at(679 - left, y) == kBlue ? 1 : 0;
  EXPECT_EQ(blue, 22) << "where it ends";
}

TEST_F(PictureTest, PictureAtTheEdgeStaysOnTheDesktop) {
  ActionTarget target;
  target.point = Point{0, 799};
  const Picture picture = take(target);
  EXPECT_EQ(picture.width, kPictureWidth);
  EXPECT_EQ(picture.at(10, 199), kRed);
  EXPECT_EQ(picture.at(0, 189), kRed);
}

TEST_F(PictureTest, FocusedElementIsOutlined) {
  ActionTarget target;
  target.focused = Element{.bounds = {600, 390, 80, 20}};
  const Picture picture = take(target);  // Its top left corner is at 480,300.
  EXPECT_EQ(picture.at(119, 95), kRed);
  EXPECT_EQ(picture.at(200, 95), kRed);
  EXPECT_EQ(picture.at(150, 89), kRed);
  EXPECT_EQ(picture.at(150, 100), kGround);
}

TEST_F(PictureTest, ALargeElementIsShownWholeAtHalfTheSize) {
  ActionTarget target;
  target.focused = Element{.bounds = {100, 100, 900, 500}};
  const Picture picture = take(target);  // Its top left corner is at 76,76.
  EXPECT_EQ(picture.width, (900 + 2 * 24) / 2);
  EXPECT_EQ(picture.height, (500 + 2 * 24) / 2);
  EXPECT_EQ(picture.at(11, 100), kRed);
  EXPECT_EQ(picture.at(12 + 450, 100), kRed);
  EXPECT_EQ(picture.at(200, 100), kGround);
}

TEST_F(PictureTest, MasksAreApplied) {
  mask_ = ScreenMask(*Masks::parse("[[mask]]\nrect = [600, 390, 80, 20]", "m"), {});
  ActionTarget target;
  target.point = Point{640, 360};
  const Picture picture = take(target);  // Its top left corner is at 480,260.
  EXPECT_EQ(picture.at(120, 130), kBlack);
  EXPECT_EQ(picture.at(199, 149), kBlack);
  EXPECT_EQ(picture.at(119, 130), kGround);
  EXPECT_EQ(picture.at(120, 150), kGround);
}

TEST_F(PictureTest, ASmallDesktopIsShownWhole) {
  desktop_ = open_fake_desktop(std::make_shared<fake::FakeWorld>(Rect{-50, 0, 100, 60}));
  ActionTarget target;
  target.point = Point{0, 30};
  const Picture picture = take(target);
  EXPECT_EQ(picture.width, 100);
  EXPECT_EQ(picture.height, 60);
  EXPECT_EQ(picture.at(60, 30), kRed);
  EXPECT_EQ(picture.at(50, 30), kGround);
}

}  // namespace
}  // namespace da::actuator
