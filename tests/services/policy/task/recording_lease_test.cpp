#include "tests/services/policy/policy_fixture.h"

namespace da::policy {
namespace {

using test::PolicyFixture;

v1::RenewRecordingRequest renewal(const std::string& task_id, const std::string& problem = "") {
  v1::RenewRecordingRequest request;
  auto& recording = *request.add_recordings();
  recording.set_task_id(task_id);
  recording.set_problem(problem);
  return request;
}

TEST(RecordingLease, IsNeededOnlyIfRecordingsAreRequired) {
  ManualClock clock;
  RecordingLease not_required(false, clock);
  EXPECT_TRUE(not_required.check("t1"));
  EXPECT_TRUE(not_required.await_begun("t1"));
  const RecordingLease required(true, clock);
  EXPECT_EQ(required.check("t1").error().code, Code::kUnavailable);
}

// Time passes while the policy runs.
void pass(RecordingLease& lease, ManualClock& clock, Milliseconds time) {
  for (; time > Milliseconds(0); time -= RecordingLease::kPassEvery) {
    clock.advance(RecordingLease::kPassEvery);
    lease.pass();
  }
}

TEST(RecordingLease, LapsesWithoutRenewal) {
  ManualClock clock;
  RecordingLease lease(true, clock);
  lease.renew(renewal("t1"));
  ASSERT_TRUE(lease.await_begun("t1"));
  pass(lease, clock, RecordingLease::kLasts);
  EXPECT_TRUE(lease.check("t1"));
  EXPECT_FALSE(lease.lost());
  pass(lease, clock, RecordingLease::kPassEvery);
  EXPECT_FALSE(lease.check("t1"));
  EXPECT_TRUE(lease.lost());
  lease.forget("t1");
  EXPECT_FALSE(lease.lost()) << "the task is over";
}

TEST(RecordingLease, TheTimeInWhichThePolicyItselfWasStoppedDoesNotCount) {
  ManualClock clock;
  RecordingLease lease(true, clock);
  lease.renew(renewal("t1"));
  ASSERT_TRUE(lease.await_begun("t1"));
  clock.advance(std::chrono::hours(1));
  lease.pass();
  EXPECT_TRUE(lease.check("t1"));
  pass(lease, clock, RecordingLease::kLasts);
  EXPECT_FALSE(lease.check("t1")) << "without a renewal afterwards it lapses all the same";
}

TEST(RecordingLease, NamesTheProblemOfARecording) {
  ManualClock clock;
  RecordingLease lease(true, clock);
  lease.renew(renewal("t1", "No space left on device"));
  const auto begun = lease.await_begun("t1");
  ASSERT_FALSE(begun);
  EXPECT_NE(begun.error().message.find("No space left on device"), std::string::npos);
  EXPECT_FALSE(lease.lost()) << "a task that did not begin halts nothing";
  EXPECT_FALSE(lease.check("t2")) << "a recording of another task";
}

struct RecordedPolicyTest : PolicyFixture {
  // Renews whenever a task is opened, as da-recorder does.
  std::jthread recorder;

  void SetUp() override {
    recording_required = true;
    policy = start();
    auto source = memory->source({bus::topic_name<v1::TaskOpened>()});  // Subscribe before the task is opened.
    recorder = std::jthread([this, source = std::move(source)](const std::stop_token& stop) mutable {
      bus::Subscriber opened(std::move(source));
      while (!stop.stop_requested()) {
        const auto fact = opened.next(system_clock().now() + Milliseconds(10));
        if (fact && *fact) policy->renew_recording(renewal((*fact)->header.task_id()));
      }
    });
    open_unlocked();
  }
  void TearDown() override { recorder = {}; }

  v1::PolicyHalt wait_for_halt() { return next<v1::PolicyHalt>(); }
};

TEST_F(RecordedPolicyTest, ARecordedTaskIsGrantedItsSteps) {
  EXPECT_EQ(submit(test::write("hello")).outcome().kind(), v1::Outcome::KIND_DISPATCHED);
}

TEST_F(RecordedPolicyTest, ALapsedLeaseHaltsThePolicyWithTheReason) {
  // Its watch reads the clock every kPassEvery.
  std::jthread time([this](const std::stop_token& stop) {
    for (; !stop.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
      clock.advance(RecordingLease::kPassEvery);
    }
  });
  const auto halt = wait_for_halt();
  EXPECT_TRUE(halt.halted());
  EXPECT_EQ(halt.by(), "da-recorder");
  EXPECT_NE(halt.reason().find("not recorded"), std::string::npos) << halt.reason();
  EXPECT_EQ(submit(test::write("hello")).outcome().code(), v1::Outcome::CODE_HALTED);
}

TEST_F(RecordedPolicyTest, AFullDiskHaltsThePolicyWithTheReason) {
  policy->renew_recording(renewal(task_id, "write x.mcap: No space left on device"));
  EXPECT_NE(wait_for_halt().reason().find("No space left on device"), std::string::npos);
}

TEST_F(RecordedPolicyTest, NothingIsGrantedBetweenTheLossAndTheHalt) {
  // Resumed while it is not recorded: the halt may come again only after the step.
  v1::RenewRecordingRequest none;
  policy->renew_recording(none);
  const auto reply = submit(test::write("hello"));
  EXPECT_EQ(reply.verdict().decision(), v1::Verdict::DECISION_DENY);
  EXPECT_TRUE(actuator.done().empty());
}

TEST_F(RecordedPolicyTest, TheReplyToARenewalNamesTheOpenTasks) {
  const auto reply = policy->renew_recording(renewal(task_id));
  ASSERT_EQ(reply.open_task_ids_size(), 1);
  EXPECT_EQ(reply.open_task_ids(0), task_id);
}

}  // namespace
}  // namespace da::policy
