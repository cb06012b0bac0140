#include "services/console/profiles/place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/contract/coordinates.h"

namespace da::console {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Rect kDesktop{-100, 0, 1000, 800};

v1::Observation desktop_with(const std::vector<std::pair<std::string, Rect>>& windows) {
  v1::Observation seen;
  *seen.mutable_coordinates()->mutable_desktop() = contract::to_proto(kDesktop);
  for (const auto& [title, bounds] : windows) {
    auto& window = *seen.add_windows();
    window.set_title(title);
    *window.mutable_bounds() = contract::to_proto(bounds);
  }
  return seen;
}

TEST(FindPlace, ARectangleOnTheDesktopIsTakenAsItIs) {
  const auto seen = desktop_with({});
  const auto place = find_place({Rect{-100, 0, 10, 10}, {}, ""}, &seen);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->area, (Rect{-100, 0, 10, 10}));
  EXPECT_EQ(place->pattern, "");
  EXPECT_THAT(place->notes, IsEmpty());
}

TEST(FindPlace, NotesWhatIsOutsideOfTheDesktop) {
  const auto seen = desktop_with({});
  EXPECT_THAT(find_place({Rect{895, 0, 10, 10}, {}, ""}, &seen)->notes,
              ElementsAre("a part of the place is outside of the desktop, which is -100,0 (1000x800)"));
  EXPECT_THAT(find_place({Rect{900, 0, 10, 10}, {}, ""}, &seen)->notes,
              ElementsAre("the place is outside of the desktop, which is -100,0 (1000x800)"));
}

TEST(FindPlace, AWindowIsFoundByAPartOfItsTitleThatIsNoPattern) {
  const auto seen = desktop_with({{"Notes", {0, 0, 50, 50}}, {"A (1) b", {200, 100, 300, 200}}});
  const auto place = find_place({Rect{5, 6, 20, 10}, {}, "a (1)"}, &seen);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->pattern, "a \\(1\\)");
  EXPECT_EQ(place->area, (Rect{5, 6, 20, 10}));
  EXPECT_EQ(place->on_desktop, (Rect{205, 106, 20, 10}));
  EXPECT_EQ(place->window_title, "A (1) b");
  EXPECT_THAT(place->notes, IsEmpty());
}

TEST(FindPlace, AWindowAloneIsAllOfIt) {
  const auto seen = desktop_with({{"Notes", {200, 100, 300, 200}}});
  const auto place = find_place({{}, {}, "Notes"}, &seen);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->area, Rect());
  EXPECT_EQ(place->on_desktop, (Rect{200, 100, 300, 200}));
}

TEST(FindPlace, AMarkedPlaceBecomesRelativeToTheWindow) {
  const auto seen = desktop_with({{"Notes", {200, 100, 300, 200}}});
  const auto place = find_place({{}, Rect{210, 120, 30, 40}, "Notes"}, &seen);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->area, (Rect{10, 20, 30, 40}));
  EXPECT_EQ(place->on_desktop, (Rect{210, 120, 30, 40}));
  const auto beside = find_place({{}, Rect{10, 20, 30, 40}, "Notes"}, &seen);
  EXPECT_THAT(beside->notes, ElementsAre("the place is not inside of the window, which is 200,100 (300x200)"));
}

TEST(FindPlace, AMinimizedWindowIsNone) {
  auto seen = desktop_with({{"Notes", {0, 0, 50, 50}}, {"Notes 2", {200, 100, 300, 200}}});
  seen.mutable_windows(0)->set_minimized(true);
  EXPECT_EQ(find_place({{}, {}, "Notes"}, &seen)->window_title, "Notes 2");
}

TEST(FindPlace, AMissingWindowIsANoteButNothingCanBeMarkedInIt) {
  const auto seen = desktop_with({});
  const auto place = find_place({Rect{5, 6, 20, 10}, {}, "Notes"}, &seen);
  ASSERT_TRUE(place);
  EXPECT_THAT(place->notes, ElementsAre(HasSubstr("no window whose title contains \"Notes\" is open")));
  EXPECT_EQ(place->on_desktop, std::nullopt);
  EXPECT_EQ(find_place({{}, Rect{1, 2, 3, 4}, "Notes"}, &seen).error().code, Code::kNotFound);
}

TEST(FindPlace, WithoutALookNothingIsChecked) {
  const auto place = find_place({Rect{5000, 6, 20, 10}, {}, "Notes"}, nullptr);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->area, (Rect{5000, 6, 20, 10}));
  EXPECT_THAT(place->notes, IsEmpty());
}

}  // namespace
}  // namespace da::console
