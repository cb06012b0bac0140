#include "services/actuator/picture.h"

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
const std::vector<int> kBlack{0, 0, 0};
const std::vector<int> kGround{0x40, 0x48, 0x50};  // The fake desktop's.

class PictureTest : public testing::Test {
 protected:
  Picture take(const Target& target) {
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

TEST_F(PictureTest, ACrosshairMarksThePointAndLeavesItFree) {
  Target target;
  target.point = Point{640, 400};
  const Picture picture = take(target);
  EXPECT_EQ(picture.width, kPictureWidth);
  EXPECT_EQ(picture.height, kPictureHeight);
  EXPECT_EQ(picture.at(160, 100), kGround);
  for (const auto& [x, y] : {std::pair(170, 100), std::pair(150, 100), std::pair(160, 110), std::pair(160, 90)}) {
    EXPECT_EQ(picture.at(x, y), kRed) << x << "," << y;
  }
}

TEST_F(PictureTest, AtTheEdgeItStaysOnTheDesktop) {
  Target target;
  target.point = Point{0, 799};
  const Picture picture = take(target);
  EXPECT_EQ(picture.width, kPictureWidth);
  EXPECT_EQ(picture.at(10, 199), kRed);
  EXPECT_EQ(picture.at(0, 189), kRed);
}

TEST_F(PictureTest, TheFocusedElementIsFramed) {
  Target target;
  target.focused = Element{.bounds = {600, 390, 80, 20}};
  const Picture picture = take(target);  // From 480,300 on.
  EXPECT_EQ(picture.at(119, 95), kRed);
  EXPECT_EQ(picture.at(200, 95), kRed);
  EXPECT_EQ(picture.at(150, 89), kRed);
  EXPECT_EQ(picture.at(150, 100), kGround);
}

TEST_F(PictureTest, ALargeElementIsShownWholeAtHalfTheSize) {
  Target target;
  target.focused = Element{.bounds = {100, 100, 900, 500}};
  const Picture picture = take(target);  // From 76,76 on.
  EXPECT_EQ(picture.width, (900 + 2 * 24) / 2);
  EXPECT_EQ(picture.height, (500 + 2 * 24) / 2);
  EXPECT_EQ(picture.at(11, 100), kRed);
  EXPECT_EQ(picture.at(12 + 450, 100), kRed);
  EXPECT_EQ(picture.at(200, 100), kGround);
}

TEST_F(PictureTest, MasksAreApplied) {
  mask_ = ScreenMask(*Masks::parse("[[mask]]\nrect = [600, 390, 80, 20]", "m"), {});
  Target target;
  target.point = Point{640, 360};
  const Picture picture = take(target);  // From 480,260 on.
  EXPECT_EQ(picture.at(120, 130), kBlack);
  EXPECT_EQ(picture.at(199, 149), kBlack);
  EXPECT_EQ(picture.at(119, 130), kGround);
  EXPECT_EQ(picture.at(120, 150), kGround);
}

TEST_F(PictureTest, ASmallDesktopIsShownWhole) {
  desktop_ = open_fake_desktop(std::make_shared<fake::FakeWorld>(Rect{-50, 0, 100, 60}));
  Target target;
  target.point = Point{0, 30};
  const Picture picture = take(target);
  EXPECT_EQ(picture.width, 100);
  EXPECT_EQ(picture.height, 60);
  EXPECT_EQ(picture.at(60, 30), kRed);
}

}  // namespace
}  // namespace da::actuator
