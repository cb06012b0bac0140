// Which windows lie in front of the ones that an action is for.
#include "services/actuator/proof/windows_in_front.h"

#include <gtest/gtest.h>

namespace da::actuator {
namespace {

WindowInfo at(const std::string& id, std::uint32_t pid, Rect bounds) {
  WindowInfo info;
  info.id = id;
  info.pid = pid;
  info.bounds = bounds;
  return info;
}

const Rect kHere{0, 0, 100, 100};
const Rect kOver{50, 50, 100, 100};
const Rect kBeside{200, 0, 100, 100};
const OwnWindows kOwn{{"own"}, 1, kHere};

TEST(WindowsInFront, OnlyThoseThatOverlapAndAreNotBehind) {
  const std::vector<WindowInfo> listed{at("front", 2, kOver), at("beside", 2, kBeside), at("own", 1, kHere),
                                       at("behind", 2, kOver)};
  EXPECT_EQ(windows_in_front(listed, kOwn), std::vector{kOver});
}

TEST(WindowsInFront, AWindowOfTheSameProgramCounts) {
  const std::vector<WindowInfo> listed{at("palette", 1, kOver), at("own", 1, kHere)};
  EXPECT_EQ(windows_in_front(listed, kOwn), std::vector{kOver});
}

TEST(WindowsInFront, HiddenWindowsDoNot) {
  std::vector<WindowInfo> listed{at("minimized", 2, kOver), at("elsewhere", 2, kOver), at("own", 1, kHere)};
  listed[0].minimized = true;
  listed[1].mapped = false;
  EXPECT_TRUE(windows_in_front(listed, kOwn).empty());
}

TEST(WindowsInFront, BothEndsOfADragAreItsOwn) {
  const OwnWindows ends{{"from", "to"}, 1, {0, 0, 300, 100}};
  const std::vector<WindowInfo> listed{at("from", 1, kHere), at("between", 3, kOver), at("to", 2, kBeside)};
  EXPECT_EQ(windows_in_front(listed, ends), std::vector{kOver});
}

TEST(WindowsInFront, NoneIfTheOwnWindowIsGone) {
  EXPECT_TRUE(windows_in_front(std::vector{at("front", 2, kOver)}, kOwn).empty());
}

TEST(StrangerInFront, IsAnUnlistedWindowOfAnotherProgramOverTheOwnOne) {
  const std::vector<WindowInfo> listed{at("own", 1, kHere), at("behind", 3, kOver)};
  EXPECT_TRUE(is_stranger_in_front(at("bubble", 2, kOver), listed, kOwn));
  EXPECT_FALSE(is_stranger_in_front(at("menu", 1, kOver), listed, kOwn));
  EXPECT_FALSE(is_stranger_in_front(at("own", 1, kHere), listed, kOwn));
  EXPECT_FALSE(is_stranger_in_front(at("behind", 3, kOver), listed, kOwn));
  // A panel's click shows in the windows beside it.
  EXPECT_FALSE(is_stranger_in_front(at("beside", 2, kBeside), listed, kOwn));
}

TEST(StrangerInFront, IsNoneOfAnUnknownProgram) {
  const std::vector<WindowInfo> listed{at("own", 1, kHere)};
  EXPECT_FALSE(is_stranger_in_front(at("bubble", 0, kOver), listed, kOwn));
}

}  // namespace
}  // namespace da::actuator
