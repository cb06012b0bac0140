#include "services/policy/policy.h"

#include <fstream>

#include "tests/services/policy/policy_fixture.h"

namespace da::policy {
namespace {

using test::write;
using testing::HasSubstr;
using testing::IsEmpty;

class PolicyTest : public test::PolicyFixture {};

TEST_F(PolicyTest, AHaltWithdrawsQuestionsAndTellsTheActuator) {
  auto reply = start_submit(write("hi"));
  const auto id = pending_id();
  EXPECT_EQ(halt()->actuator(), "halted");
  const auto got = reply.get();
  EXPECT_EQ(got->verdict().rule(), "halted");
  EXPECT_EQ(got->outcome().code(), O::CODE_HALTED);
  EXPECT_TRUE(actuator.halted());
  EXPECT_FALSE(approve(id));
  const auto fact = next<v1::PolicyHalt>();
  EXPECT_TRUE(fact.halted());
  EXPECT_EQ(fact.by(), "ada");
}

TEST_F(PolicyTest, WhileHaltedNothingIsGranted) {
  open_unlocked();
  ASSERT_TRUE(halt());
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_HALTED);
  EXPECT_EQ(submit(test::wait_for("x"), "s2").verdict().decision(), V::DECISION_DENY);
  EXPECT_THAT(actuator.done(), IsEmpty());
  EXPECT_EQ(actuator.prepared(), 0);
}

TEST_F(PolicyTest, HaltStopsTheRunningStep) {
  open_unlocked();
  actuator.hold_execute();
  auto reply = start_submit(write("hi"));
  actuator.wait_until_executing();
  ASSERT_TRUE(halt());
  const auto got = reply.get();
  EXPECT_EQ(got->outcome().kind(), O::KIND_INTERRUPTED);
  EXPECT_EQ(got->outcome().code(), O::CODE_HALTED);
  EXPECT_THAT(actuator.done(), IsEmpty());
}

TEST_F(PolicyTest, HaltCancelsTheRunningStepIfTheActuatorIsUnreachable) {
  open_unlocked();
  actuator.hold_execute();
  auto reply = start_submit(write("hi"));
  actuator.wait_until_executing();
  actuator.fail_prepare(Error{Code::kUnavailable, "da-actuator is not there"});
  EXPECT_EQ(halt()->actuator(), "da-actuator is not there");
  const auto got = reply.get();
  EXPECT_EQ(got->outcome().kind(), O::KIND_UNKNOWN);
  EXPECT_EQ(got->outcome().code(), O::CODE_HALTED);
}

TEST_F(PolicyTest, AHaltSurvivesARestartAndOnlyResumeClearsIt) {
  ASSERT_TRUE(halt());
  policy.reset();
  policy = start();
  open_unlocked();
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_HALTED);
  v1::ResumeRequest resume;
  resume.set_by("ada");
  ASSERT_TRUE(policy->resume(resume));
  EXPECT_FALSE(actuator.halted());
  EXPECT_EQ(submit(write("hi")).outcome().kind(), O::KIND_DISPATCHED);
}

TEST_F(PolicyTest, StaysHaltedIfTheActuatorCannotBeResumed) {
  ASSERT_TRUE(halt());
  actuator.fail_prepare(Error{Code::kUnavailable, "da-actuator is not there"});
  const auto resumed = policy->resume({});
  ASSERT_FALSE(resumed);
  EXPECT_THAT(resumed.error().message, HasSubstr("still halted"));
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_HALTED);
}

class ChangedRulesTest : public test::PolicyFixture {
 protected:
  static constexpr char kAsks[] = R"(
[[rule]]
name = "watch"
verdict = "ask"
reason = "it must be seen"
match.text = "hi"
)";

  ChangedRulesTest() {
    rule_file = dir.path() / "rules.toml";
    change(test::kRules);
    policy = start();
    open_unlocked();
  }
  void change(const std::string& toml) const { std::ofstream(rule_file) << toml; }
  void change_and_accept(const std::string& toml) {
    change(toml);
    ASSERT_TRUE(AcceptedRules(dir.path(), rule_file).accept(toml));
    ASSERT_EQ(*policy->reload_rules(), Policy::Reload::kChanged);
  }
};

// Bug: an editor on the desktop rewrote the rule file, and the new rules were in force at once.
TEST_F(ChangedRulesTest, AreNotInForceUntilAPersonHasAcceptedThem) {
  const std::string loose = "[[rule]]\nname = \"all\"\nverdict = \"allow\"\nreason = \"x\"\nmatch.tool = [\"write\"]\n";
  change(loose);
  ASSERT_EQ(*policy->reload_rules(), Policy::Reload::kUnaccepted);
  const std::string version = Rules::parse(loose, "")->version();
  EXPECT_EQ(next<v1::RulesState>().unaccepted_version(), version);
  EXPECT_EQ(submit(write("secret")).verdict().rule(), "no-secrets");
  open_unlocked();
  EXPECT_EQ(next<v1::RulesState>().unaccepted_version(), version) << "who follows a later task is told, too";
  EXPECT_EQ(submit(write("secret")).verdict().rule(), "no-secrets") << "also in a task that was opened later";
  EXPECT_EQ(*policy->reload_rules(), Policy::Reload::kUnchanged);
  change_and_accept(loose);
  EXPECT_EQ(next<v1::RulesState>().unaccepted_version(), "");
  EXPECT_EQ(submit(write("secret"), "s2").verdict().rule(), "no-secrets") << "the open task keeps its rules";
  open_unlocked();
  EXPECT_EQ(submit(write("secret")).verdict().rule(), "all");
}

TEST_F(ChangedRulesTest, BindOpenTasksToWhereTheyAreStricter) {
  change_and_accept(std::string(test::kRules) + kAsks);
  auto asked = start_submit(write("hi"));
  EXPECT_NE(pending_id(), "");
  policy->shut_down();
  EXPECT_EQ(asked.get()->verdict().rule(), "watch");
}

TEST_F(PolicyTest, UnlockingAndLockingArePublished) {
  v1::UnlockRequest unlock;
  unlock.set_for_ms(60'000);
  unlock.set_by("ada");
  EXPECT_TRUE(policy->unlock(unlock)->state().open());
  EXPECT_TRUE(next<v1::WriteLockState>().open());
  EXPECT_EQ(submit(write("hi")).outcome().kind(), O::KIND_DISPATCHED);
  v1::LockRequest lock;
  lock.set_by("bob");
  EXPECT_FALSE(policy->lock(lock).state().open());
  const auto fact = next<v1::WriteLockState>();
  EXPECT_FALSE(fact.open());
  EXPECT_EQ(fact.by(), "bob");
}

TEST_F(PolicyTest, TheEndOfAnUnlockIsPublishedToo) {
  v1::UnlockRequest unlock;
  unlock.set_for_ms(60'000);
  unlock.set_by("ada");
  ASSERT_TRUE(policy->unlock(unlock));
  EXPECT_TRUE(next<v1::WriteLockState>().open());
  clock.advance(Milliseconds(60'000));
  policy->wake();
  const auto fact = next<v1::WriteLockState>();
  EXPECT_FALSE(fact.open());
  EXPECT_EQ(fact.by(), "expiry");
}

TEST_F(PolicyTest, ClosingATaskEndsItsQuestionsItsUnlockAndItsToken) {
  auto reply = start_submit(write("please"));
  pending_id();
  v1::CloseTaskRequest close;
  close.set_task_token(token);
  ASSERT_TRUE(policy->close_task(close));
  EXPECT_EQ(reply.get()->outcome().code(), O::CODE_CANCELLED);
  EXPECT_EQ(policy->submit(request(write("hi")), {}).error().code, Code::kUnauthenticated);
  EXPECT_EQ(policy->close_task(close).error().code, Code::kUnauthenticated);
}

TEST_F(PolicyTest, UnlockOfOneTaskDoesNotOpenAnother) {
  open_unlocked();
  open({});
  auto reply = start_submit(write("hi"));
  ASSERT_TRUE(deny(pending_id(), ""));
  EXPECT_EQ(reply.get()->outcome().code(), O::CODE_DENIED);
}

TEST_F(PolicyTest, ShuttingDownEndsEverySubmit) {
  auto reply = start_submit(write("hi"));
  pending_id();
  policy->shut_down();
  EXPECT_EQ(reply.get()->outcome().code(), O::CODE_CANCELLED);
}

TEST_F(PolicyTest, ActuatorIsToldWhichStepWaitsAndWhyItIsMade) {
  auto asked = request(write("please"));
  asked.mutable_step()->set_justification("asks politely");
  auto reply = std::async(std::launch::async, [&] { return policy->submit(asked, {}); });
  const auto question = next<v1::ApprovalRequest>();
  EXPECT_EQ(actuator.justification(), "asks politely");
  EXPECT_TRUE(actuator.wait_until_waiting({question.evidence().challenge()}));
  ASSERT_TRUE(deny(question.approval_id(), "no"));
  EXPECT_TRUE(actuator.wait_until_waiting({}));
  EXPECT_EQ(reply.get()->outcome().code(), O::CODE_DENIED);
}

TEST_F(PolicyTest, PropertiesDescribeTheState) {
  std::map<std::string, std::string> told;
  for (const auto& [name, value] : policy->properties()) told[name] = value;
  EXPECT_EQ(told["write lock"], "closed");
  EXPECT_EQ(told["halted"], "no");
  EXPECT_EQ(told["pending approvals"], "0");
  EXPECT_EQ(told["open tasks"], "1");
  EXPECT_EQ(told["rules"], "test.toml (6 rules)");
  EXPECT_EQ(told["rules version"].size(), 64u);
  EXPECT_EQ(told["rule file"], "in force");
}

}  // namespace
}  // namespace da::policy
