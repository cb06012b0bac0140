#include "services/policy/task/submission.h"

#include "lib/contract/task_token.h"
#include "tests/services/policy/policy_fixture.h"

namespace da::policy {
namespace {

using test::write;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SubmissionTest : public test::PolicyFixture {};

TEST_F(SubmissionTest, AnAllowedStepIsGrantedAndActs) {
  open_unlocked();
  const auto reply = submit(write("hi"));
  EXPECT_EQ(reply.verdict().decision(), V::DECISION_ALLOW);
  EXPECT_EQ(reply.verdict().rule(), "work");
  EXPECT_EQ(reply.verdict().tool(), "write");
  EXPECT_THAT(reply.verdict().action_text(), HasSubstr("hi"));
  EXPECT_EQ(reply.outcome().kind(), O::KIND_DISPATCHED);
  ASSERT_EQ(actuator.grants().size(), 1u);
  const auto claims = actuator.grants()[0];
  EXPECT_EQ(claims.approver(), "policy");
  EXPECT_EQ(claims.task_id(), task_id);
  EXPECT_EQ(claims.step_id(), "s1");
  EXPECT_EQ(claims.desktop_id(), desktop_id);
  EXPECT_EQ(claims.valid_ms(), 2000u);
  const auto verdict = next<v1::Verdict>();
  EXPECT_EQ(verdict.decision(), V::DECISION_ALLOW);
  EXPECT_EQ(verdict.header().task_id(), task_id);
}

TEST_F(SubmissionTest, TextTypedOverSeveralStepsIsJudgedTogether) {
  open_unlocked();
  EXPECT_EQ(submit(write("my sec"), "s1").verdict().decision(), V::DECISION_ALLOW);
  EXPECT_EQ(submit(write("re"), "s2").verdict().decision(), V::DECISION_ALLOW);
  const auto reply = submit(write("t"), "s3");
  EXPECT_EQ(reply.verdict().decision(), V::DECISION_DENY);
  EXPECT_EQ(reply.verdict().rule(), "no-secrets");
  EXPECT_EQ(actuator.done().size(), 2U);
}

// The step is judged twice: before the question and after the answer.
TEST_F(SubmissionTest, AnApprovedStepCountsOnceTowardsARepetition) {
  open_unlocked();
  for (const std::string id : {"s1", "s2"}) {
    auto reply = std::async(std::launch::async, [&] { return submit(write("please drum"), id); });
    ASSERT_TRUE(approve(pending_id()));
    EXPECT_EQ(reply.get().outcome().kind(), O::KIND_DISPATCHED) << id;
  }
  const auto third = submit(write("please drum"), "s3");
  EXPECT_EQ(third.verdict().rule(), "no-drumming");
  EXPECT_THAT(actuator.done(), testing::SizeIs(2));
}

TEST_F(SubmissionTest, WrongTokenIsRefusedBeforePrepare) {
  token = std::string(64, '0');
  const auto reply = policy->submit(request(write("hi")), {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kUnauthenticated);
  EXPECT_EQ(actuator.prepared(), 0);
}

TEST_F(SubmissionTest, TheRecordTellsHowAStepCameToActOrNot) {
  v1::OpenTaskRequest asked;
  asked.set_goal("say hi");
  asked.set_unlock_writes(true);
  open(asked);
  v1::TaskOpened opened;
  do {
    opened = next<v1::TaskOpened>();  // The first is the fixture's.
  } while (opened.request().goal() != "say hi" && !testing::Test::HasFailure());
  EXPECT_EQ(opened.header().task_id(), task_id);
  EXPECT_EQ(opened.header().cause(), task_id);
  EXPECT_EQ(opened.header().origin(), v1::Header::ORIGIN_LIVE);
  EXPECT_TRUE(opened.state().write_lock_open());
  EXPECT_EQ(opened.state().halt(), "no");
  EXPECT_EQ(opened.state().rules_file(), "test.toml");

  submit(write("hi"), "s1");
  const auto judged = next<v1::StepJudged>();
  EXPECT_EQ(judged.header().cause(), "s1");
  EXPECT_EQ(judged.step().action().write().text(), "hi");
  EXPECT_EQ(judged.evidence().foreground().title(), "Untitled - Mousepad");
  EXPECT_EQ(judged.evidence().picture_png(), "");
  EXPECT_EQ(judged.rules_version(), opened.state().rules_version());
  EXPECT_TRUE(judged.write_lock_open());
  EXPECT_FALSE(judged.second_factor_enrolled());
  EXPECT_EQ(judged.decision(), V::DECISION_ALLOW);
  EXPECT_EQ(judged.rule(), "work");
  const auto granted = next<v1::GrantIssued>();
  EXPECT_EQ(granted.header().cause(), "s1");
  EXPECT_EQ(granted.claims().grant_id(), actuator.grants().at(0).grant_id());

  ASSERT_TRUE(halt());
  submit(write("more"), "s2");
  const auto refused = next<v1::PolicyOutcome>();
  EXPECT_EQ(refused.header().cause(), "s2");
  EXPECT_EQ(refused.outcome().code(), O::CODE_HALTED);
}

TEST_F(SubmissionTest, NoFactHoldsATokenAKeyOrASignature) {
  const auto all = memory->source(bus::all_topics(bus::Images::kWith));
  open_unlocked();
  submit(write("hi"), "s1");
  submit(write("my secret"), "s2");
  ASSERT_EQ(actuator.grants().size(), 1u);
  const std::string signature = GrantSigner::from_hex(key.secret_hex, "key")->sign(actuator.grants()[0]).signature();
  int facts = 0;
  for (auto fact = all->receive(system_clock().now()); fact && *fact; fact = all->receive(system_clock().now())) {
    ++facts;
    for (const std::string& hidden :
         {token, token.substr(0, 64), contract::observation_token(token), key.secret_hex, signature}) {
      EXPECT_EQ((*fact)->payload.find(hidden), std::string::npos) << (*fact)->topic;
    }
  }
  EXPECT_GE(facts, 6);
}

TEST_F(SubmissionTest, AStepNeedsAnId) {
  EXPECT_EQ(policy->submit(request(write("hi"), ""), {}).error().code, Code::kInvalidArgument);
}

// A justification of megabytes made the list of open questions too large for a reply.
TEST_F(SubmissionTest, AStepThatIsTooLargeIsRefused) {
  auto large = request(write("hi"));
  large.mutable_step()->set_justification(std::string(1 << 20, 'x'));
  EXPECT_EQ(policy->submit(large, {}).error().code, Code::kInvalidArgument);
}

TEST_F(SubmissionTest, ADeniedStepIsAVerdictAndNothingActs) {
  open_unlocked();
  const auto reply = submit(write("my secret"));
  EXPECT_EQ(reply.verdict().decision(), V::DECISION_DENY);
  EXPECT_EQ(reply.verdict().rule(), "no-secrets");
  EXPECT_FALSE(reply.has_outcome());
  EXPECT_THAT(actuator.done(), IsEmpty());
}

TEST_F(SubmissionTest, AnUnrefinedTargetIsDeniedWithoutPreparing) {
  v1::Action action;
  action.mutable_click_described_element()->set_target_description("OK");
  const auto reply = submit(action);
  EXPECT_EQ(reply.verdict().rule(), "refine-first");
  EXPECT_EQ(actuator.prepared(), 0);
}

TEST_F(SubmissionTest, DesktopProblemIsARefusalWithoutAQuestion) {
  auto world = test::editor();
  world.set_problem("the session is locked");
  world.set_problem_code(O::CODE_UNSUPPORTED);
  actuator.set_world(world);
  const auto reply = submit(write("hi"));
  EXPECT_EQ(reply.outcome().kind(), O::KIND_REFUSED);
  EXPECT_EQ(reply.outcome().code(), O::CODE_UNSUPPORTED);
  EXPECT_EQ(policy->list_pending()->pending_size(), 0);
}

TEST_F(SubmissionTest, DryRunOnlyJudges) {
  auto asked = request(write("hi"));
  asked.set_dry_run(true);
  const auto reply = policy->submit(asked, {});
  EXPECT_EQ(reply->verdict().decision(), V::DECISION_ASK);
  EXPECT_TRUE(next<v1::Verdict>().dry_run());
  EXPECT_FALSE(reply->has_outcome());
  EXPECT_EQ(policy->list_pending()->pending_size(), 0);
  EXPECT_THAT(actuator.done(), IsEmpty());
}

TEST_F(SubmissionTest, PlannerToolsAreAnsweredWithTheVerdictAlone) {
  auto reply = start_submit(test::wait_for("x"));
  ASSERT_TRUE(approve(pending_id()));
  const auto got = reply.get();
  EXPECT_EQ(got->verdict().decision(), V::DECISION_ALLOW);
  EXPECT_FALSE(got->has_outcome());
  EXPECT_EQ(actuator.prepared(), 0);
}

TEST_F(SubmissionTest, AMissingActuatorIsAnErrorThatNamesIt) {
  actuator.fail_prepare(Error{Code::kUnavailable, "da-actuator is not there (unix:/x)"});
  const auto reply = policy->submit(request(write("hi")), {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kUnavailable);
  EXPECT_THAT(reply.error().message, HasSubstr("da-actuator"));
}

TEST_F(SubmissionTest, EvidenceOfAnotherActionIsRejected) {
  open_unlocked();
  actuator.lie_about_the_action();
  EXPECT_EQ(policy->submit(request(write("hi")), {}).error().code, Code::kDataLoss);
  EXPECT_THAT(actuator.done(), IsEmpty());
}

TEST_F(SubmissionTest, LostAnswerIsUnknownAndNotRepeated) {
  open_unlocked();
  for (const Code code : {Code::kUnavailable, Code::kDeadlineExceeded}) {
    const std::string id = "lost-" + std::to_string(static_cast<int>(code));
    actuator.lose_answer(Error{code, "da-actuator went away"});
    const auto reply = submit(write("hi"), id);
    EXPECT_EQ(reply.outcome().kind(), O::KIND_UNKNOWN);
    EXPECT_EQ(reply.outcome().code(), O::CODE_SERVICE_LOST);
    const auto again = submit(write("hi"), id);
    EXPECT_EQ(again.outcome().kind(), O::KIND_UNKNOWN);
    EXPECT_EQ(again.verdict().rule(), "recorded");
  }
  EXPECT_EQ(actuator.done().size(), 2u);
}

TEST_F(SubmissionTest, ALostAnswerToAHarmlessMoveIsAFailure) {
  actuator.lose_answer(Error{Code::kUnavailable, "da-actuator went away"});
  const auto reply = submit(test::move(1, 1));
  EXPECT_EQ(reply.outcome().kind(), O::KIND_FAILED);
  EXPECT_EQ(reply.outcome().code(), O::CODE_SERVICE_LOST);
}

TEST_F(SubmissionTest, ARefusedStepMayBeSubmittedAgain) {
  open_unlocked();
  auto other = test::editor();
  *other.mutable_foreground() = test::window("Mail", "/usr/bin/mail", 9);
  actuator.after_next_prepare([&] { actuator.set_world(other); });
  EXPECT_EQ(submit(write("hi")).outcome().code(), O::CODE_STALE_TARGET);
  EXPECT_EQ(submit(write("hi")).outcome().kind(), O::KIND_DISPATCHED);
}

TEST_F(SubmissionTest, ConcurrentStepsAreJudgedWithEachOther) {
  for (int round = 0; round < 50; ++round) {
    open_unlocked();
    const auto submit_alone = [&](const std::string& text) {
      return std::async(std::launch::async,
                        [this, asked = request(write(text), text)] { return policy->submit(asked, {}); });
    };
    // The second step completes the word "secret", unless the order is "retsec".
    auto first = submit_alone("sec");
    auto second = submit_alone("ret");
    const auto begun = first.get();
    const auto ended = second.get();
    ASSERT_TRUE(begun && ended);
    EXPECT_EQ(begun->outcome().kind(), O::KIND_DISPATCHED);
    const bool second_was_first = ended->outcome().kind() == O::KIND_DISPATCHED;
    const auto done = actuator.done();
    if (second_was_first) {
      EXPECT_EQ(done.back(), "write text=\"sec\"") << "\"secret\" was typed in two steps";
    } else {
      EXPECT_EQ(ended->verdict().rule(), "no-secrets");
    }
  }
}

TEST_F(SubmissionTest, StepIdNamesOneAction) {
  open_unlocked();
  submit(write("hi"));
  EXPECT_EQ(submit(write("something else")).verdict().decision(), V::DECISION_DENY);
  EXPECT_EQ(actuator.done().size(), 1u);
}

TEST_F(SubmissionTest, DisconnectedCallerWithdrawsItsQuestion) {
  std::stop_source stop;
  auto reply = start_submit(write("hi"), stop.get_token());
  const auto id = pending_id();
  stop.request_stop();
  EXPECT_EQ(reply.get().error().code, Code::kCancelled);
  EXPECT_EQ(next<v1::ApprovalDecision>().answer(), v1::ApprovalDecision::ANSWER_WITHDRAWN);
  EXPECT_FALSE(approve(id));
  EXPECT_THAT(actuator.done(), IsEmpty());
}

TEST_F(SubmissionTest, DisconnectedCallerCancelsItsRunningStep) {
  open_unlocked();
  actuator.hold_execute();
  std::stop_source stop;
  auto reply = start_submit(write("hi"), stop.get_token());
  actuator.wait_until_executing();
  stop.request_stop();
  const auto got = reply.get();
  EXPECT_EQ(got->outcome().kind(), O::KIND_UNKNOWN);
  EXPECT_EQ(got->outcome().code(), O::CODE_CANCELLED);
  EXPECT_THAT(actuator.done(), IsEmpty());
}

TEST_F(SubmissionTest, CriticalStepsAskEvenInAnUnlockedTask) {
  open_unlocked();
  auto world = test::program("/home/a/x", {});
  actuator.set_world(world);
  auto reply = start_submit(test::file_delete("/home/a/x"));
  const auto question = next<v1::ApprovalRequest>();
  EXPECT_EQ(question.risk(), v1::RISK_CRITICAL);
  ASSERT_TRUE(deny(question.approval_id(), ""));
  EXPECT_EQ(reply.get()->outcome().code(), O::CODE_DENIED);
}

}  // namespace
}  // namespace da::policy
