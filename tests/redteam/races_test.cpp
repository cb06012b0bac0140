// Many threads race for something that may happen once: an open step, a step id, an answer, the end of a task, a halt.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>

#include "tests/acted.h"
#include "tests/redteam/world.h"

namespace da::redteam {
namespace {

constexpr int kRaceThreads = 16;
constexpr int kRounds = 15;

// Calls `run` on `threads` threads at the same time.
void together(int threads, const std::function<void(int)>& run) {
  std::barrier start(threads);
  std::vector<std::jthread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      start.arrive_and_wait();
      run(i);
    });
  }
}

class Races : public testing::Test {
 protected:
  Races() { world_.open_editor(); }
  void next_round() { world_.clock().advance(std::chrono::seconds(2)); }
  bool acted(const Result<v1::SubmitReply>& reply) { return reply && test::acted(reply->outcome()); }

  World world_;
};

TEST_F(Races, OneOpenStepLetsOneStepAct) {
  const auto one = world_.open_task();
  const auto other = world_.open_task();
  for (int round = 0; round < kRounds; ++round) {
    next_round();
    v1::UnlockRequest unlock;
    unlock.set_for_steps(1);
    unlock.set_by("ada");
    EXPECT_TRUE(world_.policy().unlock(unlock));
    const std::size_t before = world_.typed().size();
    std::atomic<int> acts = 0;
    together(kRaceThreads, [&](int i) { acts += acted(world_.submit(i % 2 == 0 ? one : other, write("x"))) ? 1 : 0; });
    EXPECT_EQ(acts, 1);
    EXPECT_EQ(world_.typed().size(), before + 1);
  }
}

TEST_F(Races, OneStepIdActsOnce) {
  const auto task = world_.open_unlocked();
  for (int round = 0; round < kRounds; ++round) {
    next_round();
    const std::size_t before = world_.typed().size();
    together(kRaceThreads, [&](int i) {
      // Half of the threads use the same id for another action.
      static_cast<void>(world_.submit(task, write(i % 2 == 0 ? "x" : "y"), "round-" + std::to_string(round)));
    });
    EXPECT_EQ(world_.typed().size(), before + 1);
  }
}

TEST_F(Races, AQuestionHasOneAnswer) {
  const auto task = world_.open_task();
  for (int round = 0; round < kRounds; ++round) {
    next_round();
    std::atomic<int> approved = 0;
    std::atomic<int> others = 0;
    std::atomic<bool> raced = false;
    world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
      if (raced.exchange(true)) return World::deny(world, question);  // The second question, which an edit causes.
      together(9, [&](int i) {
        v1::ApproveRequest approve;
        approve.set_approval_id(question.approval_id());
        approve.set_approver("ada" + std::to_string(i));
        v1::DenyRequest deny;
        deny.set_approval_id(question.approval_id());
        deny.set_approver("bob");
        v1::EditRequest edit;
        edit.set_approval_id(question.approval_id());
        edit.set_approver("cy");
        *edit.mutable_action() = write("edited");
        if (i % 3 == 0) approved += world.policy().approve(approve) ? 1 : 0;
        if (i % 3 == 1) others += world.policy().deny(deny) ? 1 : 0;
        if (i % 3 == 2) others += world.policy().edit(edit) ? 1 : 0;
      });
    });
    const std::string before = world_.typed();
    const auto reply = world_.reply(task, write("x"));
    world_.wait_until_answered();
    EXPECT_EQ(approved + others, 1);
    EXPECT_EQ(acted(reply), approved == 1);
    EXPECT_EQ(world_.typed(), approved == 1 ? before + "x" : before);
  }
}

TEST_F(Races, ApprovalRacingTheEndOfATaskDoesNotAct) {
  for (int round = 0; round < kRounds; ++round) {
    next_round();
    const auto task = world_.open_task();
    std::atomic<bool> was_closed_first = false;
    world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
      together(2, [&](int i) {
        if (i == 0) {
          v1::ApproveRequest approve;
          approve.set_approval_id(question.approval_id());
          approve.set_approver("ada");
          was_closed_first = !world.policy().approve(approve);
        } else {
          v1::CloseTaskRequest close;
          close.set_task_token(task.token);
          EXPECT_TRUE(world.policy().close_task(close));
        }
      });
    });
    const std::string before = world_.typed();
    const auto reply = world_.submit(task, write("x"));
    world_.wait_until_answered();
    EXPECT_FALSE(was_closed_first && acted(reply));
    EXPECT_EQ(world_.typed() != before, acted(reply));
    EXPECT_FALSE(world_.submit(task, write("x")));
  }
}

TEST_F(Races, NothingActsAfterTheReplyToAHalt) {
  for (int round = 0; round < kRounds; ++round) {
    next_round();
    const auto task = world_.open_unlocked();
    std::atomic<bool> halted = false;
    std::string at_halt;
    together(6, [&](int i) {
      if (i == 0) {
        v1::HaltRequest halt;
        halt.set_reason("enough");
        halt.set_by("ada");
        EXPECT_TRUE(world_.policy().halt(halt));
        at_halt = world_.traces();
        halted = true;
        return;
      }
      while (!halted) static_cast<void>(world_.submit(task, write("x")));
      for (int more = 0; more < 20; ++more) EXPECT_FALSE(acted(world_.submit(task, write("y"))));
    });
    EXPECT_EQ(world_.traces(), at_halt);
    ASSERT_TRUE(world_.policy().resume({}));
  }
}

}  // namespace
}  // namespace da::redteam
