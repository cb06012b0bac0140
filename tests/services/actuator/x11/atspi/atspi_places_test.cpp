#include "services/actuator/desktop/x11/atspi/atspi_places.h"

#include <gmock/gmock.h>

#include "services/actuator/desktop/x11/atspi/atspi_windows.h"

namespace da::actuator::x11 {
namespace {

constexpr std::uint32_t kPid = 7;

// The window has a frame like openbox's: 1 pixel at the sides, 20 for the title and 5 at the bottom.
DescribedWindow window(const char* id, const char* title, const Rect& client) {
  DescribedWindow described;
  described.client = described.surface = client;
  described.info.id = id;
  described.info.pid = kPid;
  described.info.title = title;
  described.info.bounds = {client.x - 1, client.y - 20, client.width + 2, client.height + 25};
  return described;
}

AccessibleFrame frame(const char* name, const Rect& extents) {
  return {.pid = kPid, .name = name, .extents = extents, .showing = true};
}

AccessibleFrame active(AccessibleFrame frame) {
  frame.active = true;
  return frame;
}

DescribedWindow focused(DescribedWindow window) {
  window.info.focused = true;
  return window;
}

// Bug: on a screen with scale 2, a click on "Gamma" hit another button.
TEST(PlaceMap, ConvertsTheLogicalPixelsOfEachToolkit) {
  const DescribedWindow shown = window("0x1", "Scaled", {61, 100, 600, 400});
  // GTK3 with GDK_SCALE=2 reports the frame, too.
  const auto gtk3 = measure({30, 40, 301, 213}, shown);
  ASSERT_TRUE(gtk3);
  EXPECT_EQ(gtk3->scale, 2);
  EXPECT_EQ(gtk3->to_desktop({30, 81, 300, 62}), (Rect{60, 162, 600, 124}));
  // GTK4 reports each window's own coordinates.
  const auto gtk4 = measure({0, 0, 300, 200}, shown);
  ASSERT_TRUE(gtk4);
  EXPECT_EQ(gtk4->to_desktop({17, 5, 266, 73}), (Rect{95, 110, 532, 146}));
  // Qt with QT_SCALE_FACTOR=1.5.
  const auto qt = measure({31, 53, 300, 200}, window("0x1", "Scaled", {46, 80, 450, 300}));
  ASSERT_TRUE(qt);
  EXPECT_EQ(qt->scale, 1.5);
  EXPECT_EQ(qt->to_desktop({42, 76, 278, 25}), (Rect{62, 114, 418, 38}));
  EXPECT_EQ(qt->to_reported({271, 133}), (Point{181, 88}));
}

// Bug: under i3, which does not tell the extents of its frames, no place of GTK3 was known on a screen with scale 2.
TEST(PlaceMap, MeasuresAFrameThatTheWindowManagerDoesNotTell) {
  DescribedWindow tiled = window("0x1", "Tiled", {2, 22, 2556, 1576});
  tiled.info.bounds = tiled.client;
  EXPECT_FALSE(measure({0, 0, 1280, 800}, tiled));
  tiled.frame = {0, 0, 2560, 1600};
  const auto map = measure({0, 0, 1280, 800}, tiled);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->to_desktop({1, 11, 1278, 788}), (Rect{2, 22, 2556, 1576}));
}

TEST(PlaceMap, MeasuresFactorsOfAScreensResolution) {
  const auto map = measure({0, 0, 640, 480}, window("0x1", "", {10, 20, 733, 550}));  // 110 dots per inch.
  ASSERT_TRUE(map);
  EXPECT_NEAR(map->scale, 110.0 / 96, 0.002);
}

// Sizes of gnome-calculator without a compositor.
TEST(PlaceMap, MeasuresABorderThatGtk4DrawsItself) {
  EXPECT_EQ(measure({0, 0, 355, 498}, window("0x1", "", {777, 304, 365, 508})), (PlaceMap{782, 309, 1}));
  EXPECT_EQ(measure({0, 0, 355, 486}, window("0x1", "", {595, 69, 730, 992})), (PlaceMap{605, 79, 2}));
  EXPECT_EQ(measure({0, 0, 355, 365}, window("0x1", "", {100, 100, 365, 375})), (PlaceMap{105, 105, 1}));
}

TEST(PlaceMap, IsUnknownForAWindowOfAnotherShape) {
  EXPECT_FALSE(measure({0, 0, 300, 200}, window("0x1", "", {10, 20, 600, 300})));
  EXPECT_FALSE(measure({0, 0, 10, 5}, window("0x1", "", {10, 20, 20, 10})));
  EXPECT_FALSE(measure({5, 5, 300, 200}, window("0x1", "", {10, 20, 301, 201})));
}

TEST(PlaceMap, ToleratesASmallDifferenceAtTheKnownScale) {
  const DescribedWindow shown = window("0x1", "", {100, 100, 600, 400});
  EXPECT_EQ(measure_roughly({100, 90, 600, 430}, shown, 1), (PlaceMap{0, 0, 1}));
  EXPECT_EQ(measure_roughly({0, 0, 600, 430}, shown, 1), (PlaceMap{100, 100, 1}));
  EXPECT_EQ(measure_roughly({50, 50, 310, 190}, shown, 2), (PlaceMap{0, 0, 2}));
  EXPECT_FALSE(measure_roughly({50, 50, 310, 190}, shown, 1));
}

TEST(AccessibleFrames, FrameWithAnotherShapeThanItsWindowIsUnplaced) {
  const auto found = match_frames({frame("One", {0, 0, 300, 200})}, {window("0x1", "One", {100, 100, 600, 300})});
  EXPECT_EQ(found[0].window_id, "0x1");
  EXPECT_THAT(found[0].unplaced, testing::HasSubstr("300x200 pixels at 0,0"));
}

// Bug: a right click on "Alpha" hit the other window.
TEST(AccessibleFrames, EqualWindowsAreDistinguishedByTheFocus) {
  const Rect own{0, 0, 300, 200};
  const auto found =
      match_frames({frame("Twin", own), active(frame("Twin", own))},
                   {focused(window("0x1", "Twin", {50, 100, 300, 200})), window("0x2", "Twin", {500, 100, 300, 200})});
  EXPECT_EQ(found[0].window_id, "0x2");
  EXPECT_EQ(found[1].window_id, "0x1");
  EXPECT_TRUE(found[0].unplaced.empty() && found[1].unplaced.empty());
}

TEST(AccessibleFrames, FramesOfEqualWindowsWithoutTheFocusAreUnplaced) {
  const Rect own{0, 0, 300, 200};
  const auto found =
      match_frames({frame("Twin", own), frame("Twin", own), frame("Other", own)},
                   {window("0x1", "Twin", {50, 100, 300, 200}), window("0x2", "Twin", {500, 100, 300, 200}),
                    focused(window("0x3", "Other", {300, 300, 300, 200}))});
  EXPECT_EQ(found[0].window_id, "");
  EXPECT_EQ(found[1].window_id, "");
  EXPECT_THAT(found[0].unplaced, testing::HasSubstr("2 windows like \"Twin\""));
  EXPECT_EQ(found[2].window_id, "0x3");
}

TEST(AccessibleFrames, OnlyTheFocusedOneOfThreeEqualWindowsIsPlaced) {
  const Rect own{0, 0, 300, 200};
  const auto found =
      match_frames({frame("Twin", own), active(frame("Twin", own)), frame("Twin", own)},
                   {window("0x1", "Twin", {50, 100, 300, 200}), focused(window("0x2", "Twin", {500, 100, 300, 200})),
                    window("0x3", "Twin", {50, 400, 300, 200})});
  EXPECT_EQ(found[1].window_id, "0x2");
  EXPECT_FALSE(found[0].unplaced.empty());
  EXPECT_FALSE(found[2].unplaced.empty());
}

TEST(AccessibleFrames, EqualWindowsAreDistinguishedByPlaceAtAnyScale) {
  const auto found =
      match_frames({frame("Twin", {250, 40, 300, 200}), frame("Twin", {30, 40, 300, 200})},
                   {window("0x1", "Twin", {60, 81, 600, 400}), window("0x2", "Twin", {500, 80, 600, 400})});
  EXPECT_EQ(found[0].window_id, "0x2");
  EXPECT_EQ(found[1].window_id, "0x1");
}

TEST(AccessibleFrames, EqualWindowsKeepThePlacesOfAnEarlierRead) {
  AccessibleFrame known = frame("Twin", {0, 0, 300, 200});
  known.known_window = "0x2";
  const std::vector<DescribedWindow> windows{window("0x1", "Twin", {50, 100, 300, 200}),
                                             window("0x2", "Twin", {500, 100, 300, 200})};
  EXPECT_EQ(match_frames({frame("Twin", {0, 0, 300, 200}), known}, windows)[1].window_id, "0x2");
  // The focus has just moved, and the application may not have heard of it.
  known.active = true;
  const auto doubtful = match_frames({frame("Twin", {0, 0, 300, 200}), known}, {focused(windows[0]), windows[1]});
  EXPECT_FALSE(doubtful[0].unplaced.empty());
  EXPECT_FALSE(doubtful[1].unplaced.empty());
}

TEST(UnlistedFrames, ArePlacedByTheWindowThatTheServerShows) {
  const std::vector<DescribedWindow> menu{window("0x9", "", {340, 296, 204, 100})};
  EXPECT_EQ(map_of_unlisted(frame("", {170, 148, 102, 50}), menu, std::nullopt), (PlaceMap{0, 0, 2}));
  EXPECT_EQ(map_of_unlisted(frame("", {170, 148, 102, 60}), menu, PlaceMap{1, 0, 2}), (PlaceMap{1, 0, 2}));
  EXPECT_EQ(map_of_unlisted(frame("", {170, 148, 102, 60}), menu, std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace da::actuator::x11
