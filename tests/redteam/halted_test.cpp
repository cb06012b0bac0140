// Every path that could act while the desktop is halted.
#include <gtest/gtest.h>

#include "tests/acted.h"
#include "tests/redteam/world.h"

namespace da::redteam {
namespace {

TEST(Halted, NothingActsOnAnyPath) {
  World world;
  world.open_editor();
  const auto task = world.open_unlocked();
  v1::ExecuteRequest stolen;
  world.on_next_execute([&](v1::ExecuteRequest& sent) {
    stolen = sent;
    sent.clear_grant();
  });
  world.reply(task, write("x"), "stolen");
  v1::HaltRequest halt;
  halt.set_reason("enough");
  ASSERT_TRUE(world.policy().halt(halt));
  const std::string before = world.traces();
  for (const auto& action :
       {write("x"), move(5, 5), click(300, 200), launch("notes"), wait_for("x"), terminate("Notes")}) {
    EXPECT_EQ(world.reply(task, action).outcome().code(), v1::Outcome::CODE_HALTED) << action.ShortDebugString();
  }
  EXPECT_EQ(world.execute_stolen(stolen).code(), v1::Outcome::CODE_HALTED);
  v1::UnlockRequest unlock;
  ASSERT_TRUE(world.policy().unlock(unlock));
  EXPECT_EQ(world.reply(world.open_unlocked(), write("x")).outcome().code(), v1::Outcome::CODE_HALTED);
  EXPECT_TRUE(world.asked().empty());
  EXPECT_EQ(world.traces(), before);
  ASSERT_TRUE(world.policy().resume({}));
  EXPECT_EQ(world.execute_stolen(stolen).kind(), v1::Outcome::KIND_REFUSED) << "its challenge was used up";
  EXPECT_TRUE(test::acted(world.reply(task, write("x")).outcome()));
}

// An approval that was sent before the halt arrives after it.
TEST(Halted, EarlierQuestionsAreWithdrawn) {
  World world;
  world.open_editor();
  const auto task = world.open_task();
  world.set_person([](World& asked, const v1::ApprovalRequest& question) {
    v1::HaltRequest halt;
    halt.set_reason("enough");
    EXPECT_TRUE(asked.policy().halt(halt));
    World::approve(asked, question);
    EXPECT_TRUE(asked.policy().resume({}));
    World::approve(asked, question);
  });
  const std::string before = world.traces();
  EXPECT_EQ(world.reply(task, write("x")).verdict().decision(), v1::Verdict::DECISION_DENY);
  EXPECT_EQ(world.traces(), before);
}

}  // namespace
}  // namespace da::redteam
