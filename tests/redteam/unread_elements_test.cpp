// A window that does not report in time which element has the focus or is at a point, because it is busy or has
// thousands of elements.
#include <gtest/gtest.h>

#include "tests/redteam/world.h"

namespace da::redteam {
namespace {

class UnreadElements : public testing::Test {
 protected:
  UnreadElements() {
    world_.open_button("Delete everything");
    world_.desktop().change([](auto& windows) { windows.back().answers_late = true; });
  }
  World world_;
  const World::Open task_ = world_.open_unlocked();
};

TEST_F(UnreadElements, KeysAndClicksAreCriticalQuestionsWithTheWriteLockOpen) {
  const std::string before = world_.traces();
  v1::Action write;
  write.mutable_write()->set_text("hunter2");
  v1::Action paste;
  paste.mutable_paste()->set_text("hunter2");
  v1::Action chord;
  chord.mutable_hotkey()->add_keys("space");
  v1::Action drag;
  for (const int x : {100, World::kButton.x}) {
    auto& point = *drag.mutable_drag()->add_path();
    point.set_x(x);
    point.set_y(World::kButton.y);
  }
  std::size_t asked = 0;
  for (const v1::Action& action : std::vector<v1::Action>{press({"enter"}), press({"space"}), write, paste, chord,
                                                          click(World::kButton.x, World::kButton.y), drag}) {
    const auto reply = world_.reply(task_, action);
    EXPECT_EQ(reply.verdict().rule(), "unread-elements") << action.ShortDebugString();
    EXPECT_EQ(reply.verdict().risk(), v1::RISK_CRITICAL) << action.ShortDebugString();
    EXPECT_EQ(world_.asked().size(), ++asked);
  }
  EXPECT_EQ(world_.traces(), before);
}

TEST_F(UnreadElements, WindowWithoutElementsIsJudgedByItsOwnRule) {
  world_.desktop().change([](auto& windows) {
    windows.back().answers_late = false;
    windows.back().elements.clear();
  });
  EXPECT_EQ(world_.reply(task_, click(World::kButton.x, World::kButton.y)).verdict().rule(), "pointer-without-element");
}

}  // namespace
}  // namespace da::redteam
