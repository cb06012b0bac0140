#include "services/actuator/desktop/x11/windows/modality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace da::actuator::x11 {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr std::uint32_t kProgram = 100;

DescribedWindow window(xcb_window_t id, xcb_window_t owner = XCB_NONE, bool modal = false,
                       std::uint32_t pid = kProgram) {
  DescribedWindow described;
  described.window = id;
  described.owner = owner;
  described.modal = modal;
  described.info.pid = pid;
  return described;
}
DescribedWindow dialog(xcb_window_t id, xcb_window_t owner, std::uint32_t pid = kProgram) {
  return window(id, owner, true, pid);
}

// The windows are mapped in the order of the list.
std::map<xcb_window_t, xcb_window_t> blocked(const std::vector<DescribedWindow>& windows) {
  std::vector<xcb_window_t> mapped;
  for (const DescribedWindow& each : windows) mapped.push_back(each.window);
  return blocked_windows(windows, mapped);
}

TEST(Modality, DialogBlocksItsOwner) { EXPECT_THAT(blocked({window(1), dialog(2, 1)}), ElementsAre(Pair(1, 2))); }

TEST(Modality, DialogThatIsNotModalBlocksNothing) { EXPECT_THAT(blocked({window(1), window(2, 1)}), IsEmpty()); }

TEST(Modality, DialogOfADialogBlocksBothAndIsNamedForBoth) {
  EXPECT_THAT(blocked({window(1), dialog(2, 1), dialog(3, 2)}), ElementsAre(Pair(1, 3), Pair(2, 3)));
}

// Bug: a click in the first of two dialogs of one window had no effect and was "done".
TEST(Modality, NewerDialogOfTheSameOwnerBlocksTheOlderOne) {
  EXPECT_THAT(blocked({window(1), dialog(2, 1), dialog(3, 1)}), ElementsAre(Pair(1, 3), Pair(2, 3)));
}

TEST(Modality, WindowThatOpensBesideADialogIsNotBlocked) {
  EXPECT_THAT(blocked({window(1), dialog(2, 1), window(3, 1)}), ElementsAre(Pair(1, 2)));
}

TEST(Modality, DialogWithoutOwnerBlocksTheOlderWindowsOfItsProcess) {
  EXPECT_THAT(blocked({window(1), window(2), dialog(3, XCB_NONE), window(4)}), ElementsAre(Pair(1, 3), Pair(2, 3)));
}

TEST(Modality, OtherWindowOfTheProgramIsFree) {
  EXPECT_THAT(blocked({window(1), window(5), dialog(2, 1)}), ElementsAre(Pair(1, 2)));
}

// Bug: a text that was typed into the other window pressed a button of the dialog.
TEST(Modality, DialogOfAToolkitThatGivesItAllInputBlocksTheOlderWindowsOfItsProcess) {
  auto of_gtk = dialog(2, 1);
  of_gtk.modal_for_program = true;
  EXPECT_THAT(blocked({window(1), window(5), of_gtk, window(6)}), ElementsAre(Pair(1, 2), Pair(5, 2)));
}

TEST(Modality, DialogOfAnotherProcessBlocksNothing) {
  EXPECT_THAT(blocked({window(1), dialog(2, 1, kProgram + 1)}), IsEmpty());
  EXPECT_THAT(blocked({window(1, XCB_NONE, false, 0), dialog(2, 1, 0)}), IsEmpty()) << "an unknown process";
}

TEST(Modality, OwnersInACircleEnd) { EXPECT_THAT(blocked({window(1, 2), dialog(2, 1)}), ElementsAre(Pair(1, 2))); }

}  // namespace
}  // namespace da::actuator::x11
