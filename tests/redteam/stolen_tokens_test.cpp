// Task tokens that are invented, partly guessed, expired or another task's; another task's unlock; reused step ids.
#include <gtest/gtest.h>

#include "lib/base/text.h"
#include "tests/acted.h"
#include "tests/redteam/world.h"

namespace da::redteam {
namespace {

class StolenTokens : public testing::Test {
 protected:
  StolenTokens() { world_.open_editor(); }
  World world_;
};

TEST_F(StolenTokens, OnlyTheWholeTokenOfAnOpenTaskIsAccepted) {
  const auto task = world_.open_unlocked();
  const auto closed = world_.open_unlocked();
  v1::CloseTaskRequest close;
  close.set_task_token(closed.token);
  ASSERT_TRUE(world_.policy().close_task(close));
  const std::string before = world_.traces();
  std::string altered = task.token;
  altered.back() = altered.back() == '0' ? '1' : '0';
  for (const std::string& token :
       {std::string(), task.token.substr(0, 1), task.token.substr(0, 63), task.token + "0", altered, closed.token,
        task.task_id, std::string(64, '\0'), std::string(64, '0'), task.token + std::string(1, '\0'),
        std::string(1 << 20, 'a'), fold_case(task.token) + " "}) {
    const auto answer = world_.submit_as(token, write("stolen"));
    ASSERT_FALSE(answer) << token.substr(0, 80);
    EXPECT_EQ(answer.error().code, Code::kUnauthenticated);
    v1::AwaitHaltRequest wait;
    wait.set_task_token(token);
    EXPECT_FALSE(world_.policy().await_halt(wait, {}));
    v1::CloseTaskRequest request;
    request.set_task_token(token);
    EXPECT_FALSE(world_.policy().close_task(request));
  }
  EXPECT_EQ(world_.traces(), before);
  EXPECT_TRUE(test::acted(world_.reply(task, write("mine")).outcome()));
}

TEST_F(StolenTokens, UnlockedWritesOfAnotherTaskCannotBeUsed) {
  const auto trusted = world_.open_unlocked();
  const auto planner = world_.open_task();
  const std::string before = world_.traces();
  EXPECT_EQ(world_.reply(planner, write("x")).verdict().rule(), "write-lock");
  EXPECT_EQ(world_.asked().size(), 1U);
  EXPECT_EQ(world_.traces(), before);
  // The unlock must not pass to the planner when its task ends.
  v1::CloseTaskRequest close;
  close.set_task_token(trusted.token);
  ASSERT_TRUE(world_.policy().close_task(close));
  EXPECT_EQ(world_.reply(planner, write("x")).verdict().decision(), v1::Verdict::DECISION_DENY);
  EXPECT_EQ(world_.traces(), before);
}

TEST_F(StolenTokens, StepIdIsAcceptedForOneActionOnly) {
  const auto task = world_.open_unlocked();
  EXPECT_TRUE(test::acted(world_.reply(task, write("a"), "one").outcome()));
  const std::string before = world_.traces();
  EXPECT_EQ(world_.reply(task, write("a"), "one").verdict().rule(), "recorded");
  const auto other = world_.reply(task, write("b"), "one");
  EXPECT_EQ(other.verdict().decision(), v1::Verdict::DECISION_DENY);
  EXPECT_EQ(world_.reply(task, paste("a"), "one").verdict().decision(), v1::Verdict::DECISION_DENY);
  EXPECT_EQ(world_.traces(), before);
  EXPECT_EQ(world_.acted(), 1U);
}

TEST_F(StolenTokens, ADryRunNeverActs) {
  const auto task = world_.open_unlocked();
  const std::string before = world_.traces();
  v1::SubmitRequest request;
  request.set_task_token(task.token);
  request.set_dry_run(true);
  for (const auto& action : {write("x"), click(300, 200), hotkey({"ctrl", "s"}), launch("notes")}) {
    *request.mutable_step() = step(action);
    const auto reply = world_.policy().submit(request, {});
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->verdict().decision(), v1::Verdict::DECISION_ALLOW);
  }
  EXPECT_EQ(world_.traces(), before);
  EXPECT_EQ(world_.wire().size(), 0U);
}

// Regression: only the planner decided whether its steps were a dry run.
TEST_F(StolenTokens, PlannerCannotLeaveADryRun) {
  v1::OpenTaskRequest open;
  open.set_unlock_writes(true);
  open.set_dry_run(true);
  const auto task = world_.open_task(open);
  const std::string before = world_.traces();
  world_.set_person(World::approve);
  for (const auto& action :
       {write("x"), click(300, 200), hotkey({"ctrl", "s"}), launch("notes"), hotkey({"alt", "f2"})}) {
    const auto reply = world_.reply(task, action);
    EXPECT_TRUE(reply.verdict().dry_run());
    EXPECT_NE(reply.verdict().decision(), v1::Verdict::DECISION_DENY) << reply.verdict().reason();
    EXPECT_FALSE(reply.has_outcome());
  }
  EXPECT_TRUE(world_.asked().empty());
  EXPECT_EQ(world_.traces(), before);
  EXPECT_EQ(world_.wire().size(), 0U);
}

TEST_F(StolenTokens, ForbiddenToolsAreDeniedUnderEveryName) {
  v1::OpenTaskRequest request;
  request.set_unlock_writes(true);
  request.add_allowed_tools("write");
  const auto task = world_.open_task(request);
  const std::string before = world_.traces();
  for (const auto& action : {paste("x"), type_and_submit("x"), press({"x"}), hotkey({"x"}), click(300, 200),
                             launch("notes"), terminate("Notes"), wait_for("x")}) {
    const auto verdict = world_.reply(task, action).verdict();
    EXPECT_EQ(verdict.decision(), v1::Verdict::DECISION_DENY) << action.ShortDebugString();
    EXPECT_EQ(verdict.rule(), "task-tools");
  }
  EXPECT_EQ(world_.traces(), before);
  EXPECT_TRUE(test::acted(world_.reply(task, write("x")).outcome()));
  // An alias in the list allows no tool.
  v1::OpenTaskRequest aliased;
  aliased.set_unlock_writes(true);
  aliased.add_allowed_tools("type");
  EXPECT_EQ(world_.reply(world_.open_task(aliased), write("x")).verdict().rule(), "task-tools");
}

}  // namespace
}  // namespace da::redteam
