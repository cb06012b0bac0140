// An action happens at most once, and is never reported as not done if it may have been: across restarts of the
// actuator, and on disks that hang or are full.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/acted.h"
#include "tests/services/actuator/executor_fixture.h"
#include "tests/services/actuator/stubborn_ledger_file.h"

namespace da::actuator {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class AtMostOnce : public ExecutorTest {
 protected:
  // One start of the actuator, with its ledger on the stubborn disk.
  struct Start {
    std::unique_ptr<Ledger> ledger;
    Executor executor;
  };
  std::unique_ptr<Start> start() {
    auto ledger = *Ledger::open(disk_.file(), clock_, retention_);
    Ledger& kept = *ledger;
    return std::unique_ptr<Start>(
        new Start{std::move(ledger),
                  {shared_, "fake:0", *GrantCheck::create(policy_.public_key_hex()), kept, stops_, bus_, clock_}});
  }
  v1::ExecuteRequest granted(Start& start, const v1::Action& action) {
    v1::PrepareRequest prepare;
    *prepare.mutable_action() = action;
    prepare.set_task_id("task");
    prepare.set_step_id("step");
    v1::ExecuteRequest request;
    *request.mutable_action() = action;
    *request.mutable_grant() = grant(start.executor.prepare(prepare)->evidence);
    return request;
  }
  static v1::Outcome execute_on(Start& start, const v1::ExecuteRequest& request) {
    return start.executor.execute(request, [] { return false; });
  }

  StubbornDisk disk_;
  Ledger::Retention retention_;
};

TEST_F(AtMostOnce, AfterARestartAnUsedGrantGetsItsOutcomeAndDoesNotAct) {
  auto first = start();
  const auto request = granted(*first, write("x"));
  ASSERT_TRUE(test::acted(execute_on(*first, request)));
  first.reset();
  EXPECT_TRUE(test::acted(execute_on(*start(), request)));
  EXPECT_EQ(world_->text_of("Text"), "x");
}

TEST_F(AtMostOnce, AfterARestartAnUnusedGrantIsRefused) {
  auto first = start();
  const auto request = granted(*first, write("x"));
  first.reset();
  const auto outcome = execute_on(*start(), request);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(world_->text_of("Text"), "");
}

// Regression: without the ledger, a grant of an earlier start was reported as not begun, though it may have been used.
TEST_F(AtMostOnce, WithoutItsLedgerAGrantOfAnEarlierStartIsUnknown) {
  const auto request = granted(*start(), write("x"));
  StubbornDisk another;
  auto ledger = *Ledger::open(another.file(), clock_, retention_);
  Executor executor(shared_, "fake:0", *GrantCheck::create(policy_.public_key_hex()), *ledger, stops_, bus_, clock_);
  const auto outcome = executor.execute(request, [] { return false; });
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_EQ(world_->text_of("Text"), "");
}

TEST_F(AtMostOnce, GrantWhoseOutcomeWasDroppedFromTheLedgerIsUnknown) {
  retention_ = {.replace_from_bytes = 400, .outcomes_for = Milliseconds(1000)};
  const auto actuator = start();
  const auto request = granted(*actuator, write("x"));
  ASSERT_TRUE(test::acted(execute_on(*actuator, request)));
  clock_.advance(Milliseconds(1001));
  for (int i = 0; i < 5; ++i) execute_on(*actuator, granted(*actuator, write("y")));
  EXPECT_EQ(execute_on(*actuator, request).kind(), v1::Outcome::KIND_UNKNOWN);
  EXPECT_EQ(world_->text_of("Text"), "xyyyyy");
}

TEST_F(AtMostOnce, AnOutcomeThatCannotBeWrittenIsWrittenWithTheNextRecord) {
  auto first = start();
  const auto request = granted(*first, write("x"));
  const auto outcome = first->executor.execute(request, [&] {
    disk_.set(StubbornDisk::Mood::kIsFull);  // Runs between chunks, so after the intent.
    return false;
  });
  ASSERT_TRUE(test::acted(outcome));
  EXPECT_TRUE(test::acted(execute_on(*first, request)));
  EXPECT_EQ(execute_on(*start(), request).kind(), v1::Outcome::KIND_UNKNOWN) << "a restart before the next record";
  disk_.set(StubbornDisk::Mood::kWorks);
  execute_on(*first, granted(*first, write("y")));
  first.reset();
  EXPECT_TRUE(test::acted(execute_on(*start(), request)));
  EXPECT_EQ(world_->text_of("Text"), "xy");
}

TEST_F(AtMostOnce, FullDiskRefusesEveryActionWithAReason) {
  const auto actuator = start();
  const auto request = granted(*actuator, write("x"));
  disk_.set(StubbornDisk::Mood::kIsFull);
  const auto outcome = execute_on(*actuator, request);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_THAT(outcome.message(), HasSubstr("No space left on device"));
  EXPECT_EQ(world_->text_of("Text"), "");
  EXPECT_EQ(execute_on(*actuator, request).kind(), v1::Outcome::KIND_REFUSED);
  disk_.set(StubbornDisk::Mood::kWorks);
  EXPECT_EQ(execute_on(*actuator, request).kind(), v1::Outcome::KIND_REFUSED) << "it stays used up";
  EXPECT_TRUE(test::acted(execute_on(*actuator, granted(*actuator, write("y")))));
  EXPECT_EQ(execute_on(*start(), request).kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(world_->text_of("Text"), "y");
}

class HangingDisk : public AtMostOnce {
 protected:
  // Executes an action whose intent hangs on the disk until `then` has returned and the disk works again.
  v1::Outcome execute_while_it_hangs(Start& start, const v1::ExecuteRequest& request,
                                     const std::function<void()>& then) {
    disk_.set(StubbornDisk::Mood::kHangs);
    v1::Outcome outcome;
    std::jthread acting([&] { outcome = start.executor.execute(request, [&] { return caller_is_gone_; }); });
    disk_.wait_until_a_write_hangs();
    then();
    EXPECT_EQ(world_->text_of("Text"), "") << "it acted before its intent was durable";
    disk_.set(StubbornDisk::Mood::kWorks);
    acting.join();
    return outcome;
  }

  bool caller_is_gone_ = false;
};

TEST_F(HangingDisk, HaltTakesEffectAtOnceAndTheWaitingActionDoesNotStart) {
  const auto actuator = start();
  const auto outcome = execute_while_it_hangs(*actuator, granted(*actuator, write("x")), [&] {
    const MonoTime before = system_clock().now();
    actuator->executor.halt("enough");
    EXPECT_LT(system_clock().now() - before, Milliseconds(400));
    EXPECT_TRUE(stops_.halted());
  });
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_HALTED);
  EXPECT_THAT(world_->inputs(), IsEmpty());
  EXPECT_EQ(world_->text_of("Text"), "");
}

// Regression: a launch has no checkpoints, so it started long after its grant had expired, when the disk answered.
TEST_F(HangingDisk, AGrantThatExpiredMeanwhileIsNotUsed) {
  v1::Action launch;
  launch.mutable_launch()->set_command("notes");
  const auto actuator = start();
  const auto outcome =
      execute_while_it_hangs(*actuator, granted(*actuator, launch), [&] { clock_.advance(Milliseconds(2500)); });
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(world_->titles().size(), 1U);
}

TEST_F(HangingDisk, ATargetThatChangedMeanwhileIsStale) {
  const auto actuator = start();
  const auto outcome = execute_while_it_hangs(*actuator, granted(*actuator, write("x")), [&] {
    clock_.advance(Milliseconds(500));
    world_->open_window("Password?", "/usr/bin/dialog", {100, 100, 300, 100});
  });
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(world_->text_of("Text"), "");
}

TEST_F(HangingDisk, ActionOfACancelledCallDoesNotStart) {
  v1::Action launch;
  launch.mutable_launch()->set_command("notes");
  const auto actuator = start();
  caller_is_gone_ = true;
  const auto outcome =
      execute_while_it_hangs(*actuator, granted(*actuator, launch), [&] { clock_.advance(Milliseconds(500)); });
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_CANCELLED);
  EXPECT_EQ(world_->titles().size(), 1U);
}

TEST_F(HangingDisk, ShortDelayDoesNotPreventTheAction) {
  const auto actuator = start();
  const auto outcome = execute_while_it_hangs(*actuator, granted(*actuator, write("x")), [] {});
  EXPECT_TRUE(test::acted(outcome)) << outcome.message();
  EXPECT_EQ(world_->text_of("Text"), "x");
}

}  // namespace
}  // namespace da::actuator
