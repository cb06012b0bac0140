#include "services/console/report/page/target_marks.h"

#include <gtest/gtest.h>

#include <random>

#include "services/console/report/page/image_size.h"

namespace da::console {
namespace {

v1::Rect rect(int x, int y, unsigned width, unsigned height) {
  v1::Rect rect;
  rect.set_x(x);
  rect.set_y(y);
  rect.set_width(width);
  rect.set_height(height);
  return rect;
}

// A desktop of two monitors, the left one with negative coordinates, at half its size.
v1::CoordinateContract half_size() {
  v1::CoordinateContract contract;
  *contract.mutable_desktop() = rect(-1000, 0, 2000, 800);
  contract.set_image_width(1000);
  contract.set_image_height(400);
  return contract;
}

void expect_area(const std::optional<ImageArea>& area, double x, double y, double width, double height) {
  ASSERT_TRUE(area);
  EXPECT_DOUBLE_EQ(area->x, x);
  EXPECT_DOUBLE_EQ(area->y, y);
  EXPECT_DOUBLE_EQ(area->width, width);
  EXPECT_DOUBLE_EQ(area->height, height);
}

TEST(AreaInImage, IsScaledFromTheDesktopsCorner) {
  expect_area(area_in_image(half_size(), rect(-500, 100, 80, 20)), 250, 50, 40, 10);
}

TEST(AreaInImage, IsCutAtTheImage) {
  expect_area(area_in_image(half_size(), rect(900, 700, 500, 500)), 950, 350, 50, 50);
  EXPECT_FALSE(area_in_image(half_size(), rect(1000, 0, 10, 10)));
  EXPECT_FALSE(area_in_image(half_size(), rect(0, 0, 0, 10)));
  EXPECT_FALSE(area_in_image({}, rect(0, 0, 10, 10)));
}

TEST(AreaInImage, StaysInTheImageForAnyValues) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> any(std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
  const auto any_rect = [&] {
    return rect(any(random), any(random), static_cast<unsigned>(any(random)), static_cast<unsigned>(any(random)));
  };
  for (int i = 0; i < 10'000; ++i) {
    v1::CoordinateContract contract;
    *contract.mutable_desktop() = any_rect();
    contract.set_image_width(static_cast<unsigned>(any(random)));
    contract.set_image_height(static_cast<unsigned>(any(random)));
    const auto area = area_in_image(contract, any_rect());
    if (!area) continue;
    EXPECT_GE(area->x, 0);
    EXPECT_GE(area->y, 0);
    EXPECT_LE(area->x + area->width, contract.image_width() + 1e-3);
    EXPECT_LE(area->y + area->height, contract.image_height() + 1e-3);
  }
}

TEST(TargetMarks, AnElementIsMarkedByItsVisiblePart) {
  StoryStep step;
  v1::StepJudged& judged = step.judgements.emplace_back();
  judged.mutable_step()->mutable_action()->mutable_mouse();
  v1::Evidence& evidence = *judged.mutable_evidence();
  *evidence.mutable_target_element()->mutable_bounds() = rect(0, 0, 100, 900);
  *evidence.mutable_target_element()->mutable_visible() = rect(0, 0, 100, 50);
  evidence.mutable_target_point()->set_x(20);
  evidence.mutable_target_point()->set_y(10);
  const auto marks = target_marks(step, half_size());
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].kind, TargetMark::Kind::kTarget);
  expect_area(marks[0].area, 500, 0, 50, 25);
  EXPECT_EQ(marks[1].kind, TargetMark::Kind::kPoint);
}

TEST(TargetMarks, KeysAreMarkedByTheFocus) {
  StoryStep step;
  v1::StepJudged& judged = step.judgements.emplace_back();
  judged.mutable_step()->mutable_action()->mutable_write();
  *judged.mutable_evidence()->mutable_foreground()->mutable_bounds() = rect(0, 0, 400, 400);
  auto marks = target_marks(step, half_size());
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].kind, TargetMark::Kind::kWindow);
  *judged.mutable_evidence()->mutable_focused_element()->mutable_bounds() = rect(10, 10, 50, 20);
  marks = target_marks(step, half_size());
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].kind, TargetMark::Kind::kFocus);
}

TEST(TargetMarks, AStepThatWasNotJudgedIsMarkedByItsOwnPlace) {
  StoryStep step;
  step.step.mutable_action()->mutable_mouse()->set_x(-1000);
  const auto marks = target_marks(step, half_size());
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].kind, TargetMark::Kind::kPoint);
}

TEST(ImageSizeOf, IsReadFromTheHeader) {
  const std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\5\0\0\0\3\x20\x08\x02\0\0\0", 29);
  const auto size = image_size(png);
  ASSERT_TRUE(size);
  EXPECT_EQ(size->width, 1280u);
  EXPECT_EQ(size->height, 800u);
  const std::string jpeg("\xff\xd8\xff\xe0\0\4ab\xff\xc0\0\x11\x08\3\x20\5\0", 17);
  const auto jpeg_size = image_size(jpeg);
  ASSERT_TRUE(jpeg_size);
  EXPECT_STREQ(jpeg_size->media_type, "image/jpeg");
  EXPECT_EQ(jpeg_size->width, 1280u);
  EXPECT_EQ(jpeg_size->height, 800u);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_FALSE(image_size(png.substr(0, i))) << i;
  for (std::size_t i = 0; i < jpeg.size(); ++i) EXPECT_FALSE(image_size(jpeg.substr(0, i))) << i;
  EXPECT_FALSE(image_size("GIF89a"));
}

}  // namespace
}  // namespace da::console
