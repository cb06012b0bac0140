// Pause, resume and heartbeat, and a halt that does not wait for the disk.
#include <fcntl.h>
#include <sys/file.h>

#include "lib/os/files/files.h"
#include "lib/os/unique_fd.h"
#include "tests/services/policy/policy_fixture.h"

namespace da::policy {
namespace {

using test::write;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class StoppingTest : public test::PolicyFixture {
 protected:
  v1::PauseReply pause(const std::string& reason = "lunch") {
    v1::PauseRequest request;
    request.set_reason(reason);
    request.set_by("ada");
    return policy->pause(request);
  }
  Result<v1::ResumeReply> resume() {
    v1::ResumeRequest request;
    request.set_by("bob");
    return policy->resume(request);
  }
  Result<v1::AwaitResumeReply> await_resume(Milliseconds max_wait) {
    v1::AwaitResumeRequest request;
    request.set_task_token(token);
    request.set_max_wait_ms(static_cast<std::uint32_t>(max_wait.count()));
    return policy->await_resume(request, {});
  }
  std::string property(const std::string& name) const {
    for (const auto& [found, value] : policy->properties()) {
      if (found == name) return value;
    }
    return {};
  }
  // Simulates a hanging disk: the policy takes this lock for each write.
  os::UniqueFd hang_audit() const {
    os::UniqueFd file(::open((dir.path() / kAuditFile).c_str(), O_RDWR | O_CLOEXEC));
    EXPECT_EQ(0, ::flock(file.get(), LOCK_EX));
    return file;
  }
};

TEST_F(StoppingTest, WhilePausedAStepIsJudgedAndRefused) {
  open_unlocked();
  EXPECT_EQ(pause().actuator(), "paused");
  const auto reply = submit(write("hi"));
  EXPECT_EQ(reply.verdict().decision(), V::DECISION_ALLOW);
  EXPECT_THAT(reply.verdict().reason(), HasSubstr("paused: lunch, by ada"));
  EXPECT_EQ(reply.outcome().kind(), O::KIND_REFUSED);
  EXPECT_EQ(reply.outcome().code(), O::CODE_PAUSED);
  EXPECT_EQ(submit(write("secret"), "s2").verdict().decision(), V::DECISION_DENY);
  EXPECT_EQ(submit(test::click(1, 1), "s3").outcome().code(), O::CODE_PAUSED);
  EXPECT_THAT(actuator.done(), IsEmpty());
  EXPECT_THAT(actuator.grants(), IsEmpty());
}

TEST_F(StoppingTest, WhilePausedNobodyIsAskedAnything) {
  pause();
  const auto reply = submit(write("please"));
  EXPECT_EQ(reply.verdict().decision(), V::DECISION_ASK);
  EXPECT_EQ(reply.outcome().code(), O::CODE_PAUSED);
  EXPECT_THAT(policy->list_pending()->pending(), IsEmpty());
}

TEST_F(StoppingTest, PlannerToolIsRefusedWhilePaused) {
  pause();
  EXPECT_EQ(submit(test::wait_for("x")).outcome().code(), O::CODE_PAUSED);
}

TEST_F(StoppingTest, DryRunIsJudgedWhilePaused) {
  open_unlocked();
  pause();
  auto asked = request(write("hi"));
  asked.set_dry_run(true);
  const auto reply = policy->submit(asked, {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->verdict().decision(), V::DECISION_ALLOW);
  EXPECT_FALSE(reply->has_outcome());
}

TEST_F(StoppingTest, QuestionStaysOpenInAPauseAndItsApprovalIsRefused) {
  auto reply = start_submit(write("please"));
  const auto id = pending_id();
  pause();
  EXPECT_THAT(policy->list_pending()->pending(), SizeIs(1));
  ASSERT_TRUE(approve(id));
  const auto got = reply.get();
  EXPECT_EQ(got->outcome().kind(), O::KIND_REFUSED);
  EXPECT_EQ(got->outcome().code(), O::CODE_PAUSED);
  EXPECT_THAT(actuator.done(), IsEmpty());
  ASSERT_TRUE(resume());
  auto again = start_submit(write("please"));
  ASSERT_TRUE(approve(pending_id())) << "the same step is asked about again";
  EXPECT_EQ(again.get()->outcome().kind(), O::KIND_DISPATCHED);
}

TEST_F(StoppingTest, PauseInterruptsTheRunningStep) {
  open_unlocked();
  actuator.hold_execute();
  auto reply = start_submit(write("hi"));
  actuator.wait_until_executing();
  pause();
  const auto got = reply.get();
  EXPECT_EQ(got->outcome().kind(), O::KIND_INTERRUPTED);
  EXPECT_EQ(got->outcome().code(), O::CODE_PAUSED);
  EXPECT_THAT(actuator.done(), IsEmpty());
}

TEST_F(StoppingTest, PauseCancelsTheRunningStepIfTheActuatorIsUnreachable) {
  open_unlocked();
  actuator.hold_execute();
  auto reply = start_submit(write("hi"));
  actuator.wait_until_executing();
  actuator.fail_prepare(Error{Code::kUnavailable, "da-actuator is not there"});
  EXPECT_EQ(pause().actuator(), "da-actuator is not there");
  EXPECT_EQ(reply.get()->outcome().kind(), O::KIND_UNKNOWN);
}

TEST_F(StoppingTest, ResumeEndsAPauseInPolicyAndActuator) {
  open_unlocked();
  pause();
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_PAUSED);
  ASSERT_TRUE(resume());
  EXPECT_FALSE(actuator.paused());
  EXPECT_EQ(submit(write("hi")).outcome().kind(), O::KIND_DISPATCHED);
  EXPECT_THAT(actuator.done(), SizeIs(1));
}

TEST_F(StoppingTest, ResumeEndsAHaltAndAPauseAtOnce) {
  open_unlocked();
  pause();
  ASSERT_TRUE(halt());
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_HALTED) << "a halt is stronger";
  ASSERT_TRUE(resume());
  EXPECT_EQ(submit(write("hi")).outcome().kind(), O::KIND_DISPATCHED);
}

TEST_F(StoppingTest, StaysPausedIfTheActuatorCannotBeResumed) {
  open_unlocked();
  pause();
  actuator.fail_prepare(Error{Code::kUnavailable, "da-actuator is not there"});
  const auto resumed = resume();
  ASSERT_FALSE(resumed);
  EXPECT_THAT(resumed.error().message, HasSubstr("still paused"));
  actuator.fail_prepare(std::nullopt);
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_PAUSED);
}

// A resume that waited for disk and actuator ended a halt that another person had requested in the meantime.
TEST_F(StoppingTest, HaltDuringAResumeStays) {
  open_unlocked();
  ASSERT_TRUE(halt());
  actuator.before_next_resume([this] {
    v1::HaltRequest second;
    second.set_reason("fire");
    second.set_by("eve");
    const auto halted = policy->halt(second);
    ASSERT_TRUE(halted) << halted.error().message;
    EXPECT_EQ(halted->actuator(), "halted");
  });
  const auto resumed = resume();
  ASSERT_FALSE(resumed);
  EXPECT_EQ(resumed.error().code, Code::kAborted);
  EXPECT_THAT(resumed.error().message, HasSubstr("halted while it was being resumed"));
  EXPECT_THAT(property("halted"), HasSubstr("fire, by eve"));
  EXPECT_TRUE(actuator.halted());
  EXPECT_THAT(*os::read_file(dir.path() / "halted"), HasSubstr("fire (by eve"));
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_HALTED);
  ASSERT_TRUE(resume()) << "and the next one ends it";
  EXPECT_FALSE(actuator.halted());
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "halted"));
  EXPECT_EQ(submit(write("hi"), "s2").outcome().kind(), O::KIND_DISPATCHED);
}

TEST_F(StoppingTest, HaltDuringTheResumeOfAPauseStays) {
  open_unlocked();
  pause();
  actuator.before_next_resume([this] { EXPECT_TRUE(halt()); });
  EXPECT_EQ(resume().error().code, Code::kAborted);
  EXPECT_TRUE(actuator.halted());
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_HALTED);
}

TEST_F(StoppingTest, PauseDuringAResumeStaysInPolicyAndActuator) {
  open_unlocked();
  pause();
  actuator.before_next_resume([this] { EXPECT_EQ(pause("fire").actuator(), "paused"); });
  const auto resumed = resume();
  ASSERT_FALSE(resumed);
  EXPECT_EQ(resumed.error().code, Code::kAborted);
  EXPECT_TRUE(actuator.paused());
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_PAUSED);
  ASSERT_TRUE(resume());
  EXPECT_FALSE(actuator.paused());
}

TEST_F(StoppingTest, PausesArePublishedAndRecorded) {
  pause();
  auto fact = next<v1::PolicyPause>();
  EXPECT_TRUE(fact.paused());
  EXPECT_EQ(fact.by(), "ada");
  EXPECT_EQ(fact.pause().cause(), v1::Pause::CAUSE_CONSOLE);
  EXPECT_EQ(fact.pause().reason(), "lunch");
  ASSERT_TRUE(resume());
  fact = next<v1::PolicyPause>();
  EXPECT_FALSE(fact.paused());
  EXPECT_EQ(fact.by(), "bob");
  const auto log = *os::read_file(dir.path() / kAuditFile);
  EXPECT_THAT(log, HasSubstr(R"("kind":"pause","cause":"console","reason":"lunch","by":"ada")"));
  EXPECT_THAT(log, HasSubstr(R"("kind":"resume","by":"bob")"));
}

TEST_F(StoppingTest, StatusSaysWhyItIsPaused) {
  EXPECT_EQ(property("paused"), "no");
  pause();
  EXPECT_EQ(property("paused"), "yes: paused: lunch, by ada");
}

TEST_F(StoppingTest, AwaitResumeReturnsWhenThePauseEndsAndNeedsAToken) {
  EXPECT_FALSE(await_resume(Milliseconds(10'000))->has_pause());
  pause();
  EXPECT_EQ(await_resume(Milliseconds(0))->pause().reason(), "lunch");
  auto waiting = std::async(std::launch::async, [this] { return await_resume(Milliseconds(10'000)); });
  ASSERT_TRUE(resume());
  EXPECT_FALSE(waiting.get()->has_pause());
  token = "none";
  EXPECT_EQ(await_resume(Milliseconds(0)).error().code, Code::kUnauthenticated);
}

TEST_F(StoppingTest, APersonAtTheDesktopPausesThePolicyByTheNextHeartbeat) {
  open_unlocked();
  actuator.pause_by_itself(v1::Pause::CAUSE_PERSON, "the mouse was moved");
  const auto fact = next<v1::PolicyPause>();
  EXPECT_EQ(fact.pause().cause(), v1::Pause::CAUSE_PERSON);
  EXPECT_EQ(fact.by(), "da-actuator");
  const int prepared = actuator.prepared();
  EXPECT_EQ(submit(write("please")).outcome().code(), O::CODE_PAUSED);
  EXPECT_LE(actuator.prepared(), prepared + 1);
  ASSERT_TRUE(resume());
  EXPECT_EQ(submit(write("hi"), "s2").outcome().kind(), O::KIND_DISPATCHED);
}

TEST_F(StoppingTest, ActuatorsPauseIsTakenOverBeforeItsRefusalIsReturned) {
  open_unlocked();
  actuator.hold_heartbeats();
  ASSERT_TRUE(actuator.wait_for_heartbeats(1, std::chrono::seconds(10)));
  actuator.pause_by_itself(v1::Pause::CAUSE_SESSION_LOCKED, "xscreensaver");
  std::thread release([this, next = actuator.heartbeats() + 1] {
    EXPECT_TRUE(actuator.wait_until_heartbeats(next, std::chrono::seconds(10)));
    actuator.release_heartbeats();
  });
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_SESSION_LOCKED);
  EXPECT_TRUE(await_resume(Milliseconds(0))->has_pause()) << "so that the planner waits";
  release.join();
}

TEST_F(StoppingTest, AHaltOfTheActuatorIsTakenOverAndStays) {
  open_unlocked();
  ASSERT_TRUE(actuator.halt("directly"));
  EXPECT_EQ(next<v1::PolicyHalt>().by(), "da-actuator");
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_HALTED);
  ASSERT_TRUE(resume());
  EXPECT_FALSE(actuator.halted());
  EXPECT_EQ(submit(write("hi")).outcome().kind(), O::KIND_DISPATCHED);
}

TEST_F(StoppingTest, HeartbeatReplyFromBeforeAResumeIsIgnored) {
  open_unlocked();
  pause();
  actuator.hold_heartbeats();
  ASSERT_TRUE(actuator.wait_for_heartbeats(1, std::chrono::seconds(10)));
  ASSERT_TRUE(resume());
  actuator.release_heartbeats();
  ASSERT_TRUE(actuator.wait_for_heartbeats(1, std::chrono::seconds(10)));
  EXPECT_EQ(property("paused"), "no");
  EXPECT_EQ(submit(write("hi")).outcome().kind(), O::KIND_DISPATCHED);
}

TEST_F(StoppingTest, HeartbeatsAreSentPeriodically) {
  open_unlocked();
  EXPECT_TRUE(actuator.wait_for_heartbeats(2, std::chrono::seconds(10))) << "it beats without being asked";
  EXPECT_EQ(property("heartbeat"), "da-actuator answers");
}

// Otherwise the actuator would refuse the task's first observation.
TEST_F(StoppingTest, ActuatorKnowsATaskWhenOpenTaskReturns) {
  open_unlocked();
  EXPECT_TRUE(actuator.open_tasks().contains(task_id));
}

TEST_F(StoppingTest, NoHeartbeatIsSentWhileNothingCanBeGranted) {
  open_unlocked();
  {
    const auto hangs = hang_audit();
    auto stuck = start_submit(write("hi"));
    const auto deadline = system_clock().now() + std::chrono::seconds(20);
    const auto says = [this] { return property("heartbeat").find("nothing could be granted") != std::string::npos; };
    while (!says() && system_clock().now() < deadline) std::this_thread::yield();
    EXPECT_TRUE(says()) << property("heartbeat");
    EXPECT_FALSE(actuator.wait_for_heartbeats(1, Heartbeat::kEvery * 4)) << "as long as it hangs";
    ::flock(hangs.get(), LOCK_UN);
    EXPECT_EQ(stuck.get()->outcome().kind(), O::KIND_DISPATCHED);
  }
  EXPECT_TRUE(actuator.wait_for_heartbeats(1, std::chrono::seconds(10)));
}

TEST_F(StoppingTest, AHaltIsInForceAndAnsweredWhileTheAuditLogHangs) {
  open_unlocked();
  const auto hangs = hang_audit();
  auto stuck = start_submit(write("hi"));
  const auto before = system_clock().now();
  const auto halted = halt();
  EXPECT_LT(system_clock().now() - before, std::chrono::seconds(5));
  ASSERT_FALSE(halted);
  EXPECT_THAT(halted.error().message, HasSubstr("halted, but the disk does not answer"));
  EXPECT_TRUE(actuator.halted());
  EXPECT_THAT(property("halted"), HasSubstr("smoke"));
  ::flock(hangs.get(), LOCK_UN);
  EXPECT_EQ(stuck.get()->outcome().code(), O::CODE_HALTED);
  EXPECT_THAT(actuator.done(), IsEmpty());
  ASSERT_TRUE(resume());
  EXPECT_THAT(*os::read_file(dir.path() / kAuditFile), HasSubstr(R"("kind":"halt","reason":"smoke")"));
}

}  // namespace
}  // namespace da::policy
