#include "lib/contract/coordinates.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace da::contract {
namespace {

v1::CoordinateContract frame(const Rect& desktop, unsigned width, unsigned height) {
  v1::CoordinateContract contract;
  *contract.mutable_desktop() = to_proto(desktop);
  contract.set_image_width(width);
  contract.set_image_height(height);
  return contract;
}

TEST(MapToDesktop, AddsANegativeOrigin) {
  EXPECT_EQ(map_to_desktop(frame({-1920, -200, 3840, 1080}, 3840, 1080), Point{0, 0}).value(), (Point{-1920, -200}));
  EXPECT_EQ(map_to_desktop(frame({-1920, -200, 3840, 1080}, 3840, 1080), Point{3839, 1079}).value(),
            (Point{1919, 879}));
}

TEST(MapToDesktop, MapsToMiddleOfBlockOfScaledImage) {
  EXPECT_EQ(map_to_desktop(frame({0, 0, 3840, 2160}, 1920, 1080), Point{0, 0}).value(), (Point{1, 1}));
  EXPECT_EQ(map_to_desktop(frame({0, 0, 300, 300}, 100, 100), Point{50, 99}).value(), (Point{151, 298}));
}

TEST(MapToDesktop, RefusesAPointOutsideTheImage) {
  for (const Point outside : {Point{-1, 0}, Point{0, -1}, Point{100, 0}, Point{0, 100}}) {
    const auto mapped = map_to_desktop(frame({0, 0, 200, 200}, 100, 100), outside);
    ASSERT_FALSE(mapped);
    EXPECT_EQ(mapped.error().code, Code::kOutOfRange);
  }
  EXPECT_FALSE(map_to_desktop(v1::CoordinateContract(), Point{0, 0}));
}

struct AnyFrame {
  Rect desktop;
  unsigned width;
  unsigned height;
};

AnyFrame any_frame() {
  const int desktop_width = *rc::gen::inRange(1, 12000);
  const int desktop_height = *rc::gen::inRange(1, 12000);
  return {{*rc::gen::inRange(-20000, 20000), *rc::gen::inRange(-20000, 20000), desktop_width, desktop_height},
          *rc::gen::inRange(1U, static_cast<unsigned>(desktop_width) + 1),
          *rc::gen::inRange(1U, static_cast<unsigned>(desktop_height) + 1)};
}

TEST(MapToDesktop, EveryImagePixelMapsToDesktopAndBack) {
  EXPECT_TRUE(rc::check([] {
    const AnyFrame any = any_frame();
    const auto contract = frame(any.desktop, any.width, any.height);
    const Point image{*rc::gen::inRange(0, static_cast<int>(any.width)),
                      *rc::gen::inRange(0, static_cast<int>(any.height))};
    const auto desktop = map_to_desktop(contract, image);
    RC_ASSERT(desktop.has_value());
    RC_ASSERT(any.desktop.contains(*desktop));
    RC_ASSERT(map_to_image(contract, *desktop).value() == image);
  }));
}

TEST(MapToDesktop, KeepsTheOrderOfPixels) {
  EXPECT_TRUE(rc::check([] {
    const AnyFrame any = any_frame();
    const auto contract = frame(any.desktop, any.width, any.height);
    const int left = *rc::gen::inRange(0, static_cast<int>(any.width));
    const int right = *rc::gen::inRange(left, static_cast<int>(any.width));
    RC_ASSERT(map_to_desktop(contract, Point{left, 0})->x <= map_to_desktop(contract, Point{right, 0})->x);
  }));
}

TEST(MapAction, MapsEveryCoordinateOfADrag) {
  v1::Action action;
  for (const int at : {10, 20, 30}) {
    auto* point = action.mutable_drag()->add_path();
    point->set_x(at);
    point->set_y(at + 1);
  }
  const auto mapped = map_to_desktop(frame({-100, 50, 1000, 1000}, 1000, 1000), action);
  ASSERT_TRUE(mapped) << mapped.error().message;
  EXPECT_EQ(mapped->drag().path(2).x(), -70);
  EXPECT_EQ(mapped->drag().path(2).y(), 81);
}

TEST(MapAction, ScalesWidthAndHeight) {
  v1::Action action;
  action.mutable_zoom()->set_width(100);
  action.mutable_zoom()->set_height(50);
  const auto mapped = map_to_desktop(frame({0, 0, 2000, 1000}, 1000, 500), action);
  ASSERT_TRUE(mapped);
  EXPECT_EQ(mapped->zoom().width(), 200U);
  EXPECT_EQ(mapped->zoom().height(), 100U);
}

// Regression: a box began in the middle of its first pixel and reached beyond the desktop.
TEST(MapAction, BoxCoversAllBlocksOfItsPixels) {
  v1::Action action;
  action.mutable_zoom()->set_x(999);
  action.mutable_zoom()->set_y(498);
  action.mutable_zoom()->set_width(1);
  action.mutable_zoom()->set_height(2);
  const auto mapped = map_to_desktop(frame({-10, 20, 2000, 1000}, 1000, 500), action);
  ASSERT_TRUE(mapped) << mapped.error().message;
  EXPECT_EQ(mapped->zoom().x(), -10 + 1998);
  EXPECT_EQ(mapped->zoom().y(), 20 + 996);
  EXPECT_EQ(mapped->zoom().width(), 2U);
  EXPECT_EQ(mapped->zoom().height(), 4U);
}

TEST(MapAction, BoxBeyondImageIsRefused) {
  v1::Action action;
  action.mutable_zoom()->set_x(700);
  action.mutable_zoom()->set_width(101);
  action.mutable_zoom()->set_height(1);
  const auto mapped = map_to_desktop(frame({0, 0, 800, 600}, 800, 600), action);
  ASSERT_FALSE(mapped);
  EXPECT_EQ(mapped.error().message, "zoom: x=700 and width=101 reach beyond the image's 800 pixels");
}

TEST(MapAction, MappingToImageInvertsMappingToDesktop) {
  const auto contract = frame({-1920, 30, 1920, 1080}, 1366, 768);
  for (int at = 0; at < 700; ++at) {
    v1::Action action;
    action.mutable_zoom()->set_x(at);
    action.mutable_zoom()->set_y(at);
    action.mutable_zoom()->set_width(static_cast<std::uint32_t>(1 + at % 600));
    action.mutable_zoom()->set_height(1);
    EXPECT_EQ(map_to_image(contract, map_to_desktop(contract, action).value())->DebugString(), action.DebugString());
    auto* point = action.mutable_drag()->add_path();
    point->set_x(at);
    point->set_y(at);
    EXPECT_EQ(map_to_image(contract, map_to_desktop(contract, action).value())->DebugString(), action.DebugString());
  }
}

TEST(MapAction, ErrorNamesToolPointAndImage) {
  v1::Action action;
  action.mutable_mouse()->set_x(1000);
  const auto mapped = map_to_desktop(frame({0, 0, 800, 600}, 800, 600), action);
  ASSERT_FALSE(mapped);
  EXPECT_EQ(mapped.error().message, "mouse: the point (1000,0) is outside the image of 800x600 pixels");
}

TEST(MapAction, LeavesToolWithoutCoordinatesUnchanged) {
  v1::Action action;
  action.mutable_write()->set_text("x");
  EXPECT_EQ(map_to_desktop(frame({5, 5, 10, 10}, 10, 10), action)->write().text(), "x");
}

}  // namespace
}  // namespace da::contract
