// Whatever a policy judges, its recording gives the same judgements again.
#include <random>

#include "tests/services/policy/rejudging/rejudging_fixture.h"

namespace da::policy::test {
namespace {

constexpr unsigned kRuns = 20;
constexpr int kStepsInARun = 60;

class RandomRunsTest : public RejudgingFixture, public testing::WithParamInterface<unsigned> {
 protected:
  int below(int limit) { return std::uniform_int_distribution(0, limit - 1)(random_); }

  std::string text() {
    static const std::vector<std::string> kTexts = {"sec",  "re",     "t",   "ret",  "secret",
                                                    "drum", "please", "ok ", "xterm"};
    return kTexts[static_cast<std::size_t>(below(static_cast<int>(kTexts.size())))];
  }
  v1::Action action() {
    switch (below(9)) {
      case 0: return press({"backspace"});
      case 1: return hotkey({"ctrl", "a"});
      case 2: return hotkey({"win", "r"});
      case 3: return click(5, 5);
      case 4: return wait_for("done");
      case 5: return file_delete("/tmp/x");
      case 6: return paste(text());
      default: return write(text());
    }
  }
  v1::Evidence world() {
    v1::Evidence world = editor();
    switch (below(12)) {
      case 0: *world.mutable_focused_element() = element("text", "Search"); break;
      case 1: world.clear_focused_element(); break;
      case 2: *world.mutable_foreground() = window("My bank", "/usr/bin/firefox", 200); break;
      case 3: world.set_problem("the window is minimized"); break;
      case 4: *world.mutable_foreground() = window("Run", "/usr/bin/runner", 300); break;
      default: break;
    }
    return world;
  }

  void answer(const v1::ApprovalRequest& asked) {
    const std::string& id = asked.approval_id();
    if (below(4) == 0) actuator.set_world(world());  // It changes while a person reads.
    v1::ApproveRequest approval;
    approval.set_approval_id(id);
    approval.set_approver("ada");
    v1::EditRequest edit;
    edit.set_approval_id(id);
    edit.set_approver("ada");
    *edit.mutable_action() = write(text());
    switch (below(4)) {
      case 0: static_cast<void>(deny(id, "no")); return;
      case 1: static_cast<void>(policy->edit(edit)); return;
      case 2:
        approval.set_repeats_in_task(true);
        if (policy->approve(approval)) return;  // Not possible for critical steps.
        approval.set_repeats_in_task(false);
        [[fallthrough]];
      default: static_cast<void>(policy->approve(approval));
    }
  }
  void change_circumstances() {
    actuator.set_world(world());
    clock.advance(Milliseconds(below(6'000)));
    if (below(10) == 0) policy->lock({});
    if (below(10) == 0) static_cast<void>(policy->unlock({}));
    if (below(8) == 0) actuator.after_next_prepare([this] { actuator.set_world(world()); });
    if (below(15) == 0) actuator.lose_answer({Code::kUnavailable, "gone"});
  }
  void run_step(const std::string& id) {
    change_circumstances();
    auto submitted = request(action(), id);
    submitted.set_dry_run(below(8) == 0);
    auto reply = std::async(std::launch::async, [&] { return policy->submit(submitted, {}); });
    while (reply.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
      const auto pending = policy->list_pending({});
      ASSERT_TRUE(pending);
      for (const v1::ApprovalRequest& asked : pending->pending()) answer(asked);
    }
    const auto ended = reply.get();
    ASSERT_TRUE(ended) << ended.error().message;
    auto facts = facts_so_far();
    publish_outcome_in(facts, ended->outcome());
    std::ranges::move(facts, std::back_inserter(all_));
  }
  // As the actuator publishes it, unless the policy did because the answer was lost.
  void publish_outcome_in(const std::vector<RecordedFact>& facts, const v1::Outcome& outcome) {
    if (std::ranges::find(facts, v1::PolicyOutcome::descriptor(), &RecordedFact::type) != facts.end()) return;
    const auto found = std::ranges::find(facts, v1::GrantIssued::descriptor(), &RecordedFact::type);
    if (found == facts.end()) return;
    v1::GrantIssued grant;
    ASSERT_TRUE(grant.ParseFromString(found->payload));
    publish_outcome(outcome, grant.claims());
  }

  std::mt19937 random_{GetParam()};
  std::vector<RecordedFact> all_;
};

template <class T>
std::size_t count(const std::vector<RecordedFact>& all) {
  return static_cast<std::size_t>(std::ranges::count(all, T::descriptor(), &RecordedFact::type));
}

TEST_P(RandomRunsTest, AreReproducedByTheirRecordings) {
  for (int i = 0; i < kStepsInARun && !HasFatalFailure(); ++i) run_step("s" + std::to_string(i));
  auto all = std::move(all_);
  std::ranges::move(facts_so_far(), std::back_inserter(all));
  const auto proof = judge_again(all);
  EXPECT_TRUE(proof.complete()) << proof.different << " of " << proof.judgements << ": " << proof.first_difference;
  EXPECT_EQ(proof.judgements, count<v1::StepJudged>(all));
  EXPECT_GE(steps.size(), static_cast<std::size_t>(kStepsInARun));
  std::size_t questions = 0;
  for (const RejudgedStep& step : steps) {
    questions += step.recorded.question ? 1 : 0;
    EXPECT_EQ(step.recorded.question, step.now.question) << step.step_id << " " << step.action_text;
    EXPECT_EQ(step.recorded.judgement.rule, step.now.judgement.rule) << step.step_id;
  }
  EXPECT_EQ(questions, count<v1::ApprovalRequest>(all));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomRunsTest, testing::Range(1u, kRuns + 1));

}  // namespace
}  // namespace da::policy::test
