// Which windows lie in front of the ones that an action is for.
#include "services/actuator/proof/windows_in_front.h"

#include <gtest/gtest.h>

namespace da::actuator {
namespace {

const Rect kHere{0, 0, 100, 100};
const Rect kOver{50, 50, 100, 100};
const Rect kBeside{200, 0, 100, 100};
const OwnWindows kOwn{{"own"}, 1, kHere};

ClickArea window(const std::string& id, std::uint32_t pid, Rect bounds) {
  ClickArea area;
  area.window.id = area.owner_id = id;
  area.window.pid = pid;
  area.parts = {bounds};
  return area;
}

ClickArea unlisted(const std::string& id, std::uint32_t pid, Rect bounds) {
  ClickArea area = window(id, pid, bounds);
  area.owner_id.clear();
  area.listed = false;
  return area;
}

TEST(AreasInFront, AreThoseOfWindowsThatOverlapAndAreNotBehind) {
  EXPECT_EQ(areas_in_front(std::vector{window("front", 2, kOver), window("beside", 2, kBeside), window("own", 1, kHere),
                                       window("behind", 2, kOver)},
                           kOwn),
            std::vector{kOver});
}

TEST(AreasInFront, IncludeWindowsOfTheSameProgram) {
  EXPECT_EQ(areas_in_front(std::vector{window("palette", 1, kOver), window("own", 1, kHere)}, kOwn),
            std::vector{kOver});
}

TEST(AreasInFront, ShapedWindowCoversItsPartsAlone) {
  ClickArea shaped = window("shaped", 2, kHere);
  shaped.parts = {{10, 10, 5, 5}, kBeside};
  EXPECT_EQ(areas_in_front(std::vector{shaped, window("own", 1, kHere)}, kOwn), (std::vector<Rect>{{10, 10, 5, 5}}));
}

TEST(AreasInFront, IncludeNotificationsOfOtherProgramsAndNoMenusOfTheirOwn) {
  ClickArea menu = window("menu", 1, kOver);
  menu.owner_id = "own";
  menu.listed = false;
  const std::vector<ClickArea> areas{menu, unlisted("tooltip", 1, kOver), unlisted("unknown program", 0, kOver),
                                     unlisted("mail", 2, {60, 60, 9, 9}), window("own", 1, kHere)};
  EXPECT_EQ(areas_in_front(areas, kOwn), (std::vector<Rect>{{60, 60, 9, 9}}));
}

TEST(AreasInFront, AreasOfADragLieBetweenAndInFrontOfBothWindows) {
  const OwnWindows ends{{"from", "to"}, 1, {0, 0, 300, 100}};
  EXPECT_EQ(areas_in_front(std::vector{window("from", 1, kHere), window("between", 3, kOver), window("to", 2, kBeside)},
                           ends),
            std::vector{kOver});
}

TEST(AreasInFront, AreNoneIfTheWindowOfTheActionIsGone) {
  EXPECT_TRUE(areas_in_front(std::vector{window("front", 2, kOver)}, kOwn).empty());
}

}  // namespace
}  // namespace da::actuator
