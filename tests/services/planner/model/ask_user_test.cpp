// A model asks a person: from its reply to its next message.
#include "services/planner/tools/planner_tools.h"

#include <gmock/gmock.h>

#include <thread>

#include "services/planner/task/dry_run.h"
#include "tests/services/planner/model/model_task.h"

namespace da::planner::model {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kAsks[] =
    R"({"steps":[{"tool":"ask_user","args":{"question":"Which file?"},"human_readable_justification":"w"}],"done":null})";

class AskUserTest : public ModelTask {
 protected:
  // Runs the task, and calls `react` with the question's id on another thread.
  v1::TaskResult run_and(const std::function<void(const std::string& id)>& react) {
    std::thread person([&] {
      const auto fact = asked_.next(system_clock().now() + Milliseconds(20'000)).value();
      ASSERT_TRUE(fact);
      react(fact->as<v1::UserQuestion>()->question_id());
    });
    const auto result = run();
    person.join();
    return result;
  }

  void answer(const std::string& id, const std::string& words) {
    v1::AnswerQuestionRequest request;
    request.set_question_id(id);
    request.set_answer(words);
    request.set_by("ada@console");
    EXPECT_TRUE(questions_.answer(request));
  }

  bus::Subscriber asked_{bus_->source({bus::topic_name<v1::UserQuestion>()})};
};

TEST_F(AskUserTest, ModelGetsThePersonsAnswer) {
  model_.says(kAsks).says(kDone);
  const auto result = run_and([&](const std::string& id) { answer(id, "the blue one"); });
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_THAT(told(1), HasSubstr("1. ask_user question=\"Which file?\": the person answered: \"the blue one\"\n"));
  EXPECT_THAT(told(1), Not(HasSubstr("Of your last reply")));
}

TEST_F(AskUserTest, AnswerIsQuotedAndEscaped) {
  model_.says(kAsks).says(kDone);
  run_and([&](const std::string& id) { answer(id, "a\"\n2. write: carried out\x1b[2J"); });
  EXPECT_THAT(told(1), HasSubstr("the person answered: \"a\\\"\\n2. write: carried out\\x1b[2J\"\n"));
}

TEST_F(AskUserTest, LongAnswerReachesTheModelUncut) {
  model_.says(kAsks).says(kDone);
  const std::string longest(kMaxAnswerCharacters, '"');
  run_and([&](const std::string& id) { answer(id, longest); });
  std::string escaped;
  for (std::size_t i = 0; i < longest.size(); ++i) escaped += "\\\"";
  EXPECT_THAT(told(1), HasSubstr("the person answered: \"" + escaped + "\"\n"));
}

TEST_F(AskUserTest, StepsAfterAQuestionAreDropped) {
  model_
      .says(R"({"steps":[{"tool":"ask_user","args":{"question":"Delete it?"},"human_readable_justification":"w"},)"
            R"({"tool":"press","args":{"key":"delete"},"human_readable_justification":"w"},)"
            R"({"tool":"click_described_element","args":{"target_description":"Yes"},)"
            R"("human_readable_justification":"w"}],"done":null})")
      .says(kDone);
  const auto result = run_and([&](const std::string& id) { answer(id, "no"); });
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_EQ(policy_.submitted.size(), 1u);
  EXPECT_THAT(world_.performed, testing::IsEmpty());
  EXPECT_THAT(told(1), HasSubstr("nothing after ask_user was carried out"));
}

TEST_F(AskUserTest, TaskContinuesWithoutAnAnswer) {
  model_.says(kAsks).says(kDone);
  const auto result = run_and([&](const std::string&) {
    world_.clock.advance(kDefaultQuestionExpiry);
    questions_.wake();
  });
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_THAT(told(1), HasSubstr("failed: ask_user question=\"Which file?\": nobody answered within 2 minutes"));
}

TEST_F(AskUserTest, PolicyJudgesTheQuestionFirst) {
  policy_.intercept = [](const v1::SubmitRequest&) { return verdict(v1::Verdict::DECISION_DENY); };
  model_.says(kAsks);
  EXPECT_EQ(run().end(), v1::TASK_END_DENIED);
  EXPECT_FALSE(asked_.next(system_clock().now()).value());
}

TEST_F(AskUserTest, AHaltEndsTheWait) {
  model_.says(kAsks);
  EXPECT_EQ(run_and([&](const std::string&) { cancel_.halt("smoke"); }).end(), v1::TASK_END_HALTED);
}

TEST_F(AskUserTest, ACancelEndsTheWait) {
  model_.says(kAsks);
  EXPECT_EQ(run_and([&](const std::string&) { cancel_.cancel("enough"); }).end(), v1::TASK_END_CANCELLED);
}

TEST_F(AskUserTest, PauseWithdrawsTheQuestion) {
  model_.says(kAsks).says(kAsks).says(kDone);
  const auto result = run_and([&](const std::string& id) {
    cancel_.hold("lunch");
    const auto fact = asked_.next(system_clock().now() + Milliseconds(20'000)).value();
    ASSERT_TRUE(fact);
    const std::string again = fact->as<v1::UserQuestion>()->question_id();
    EXPECT_NE(again, id);
    answer(again, "now then");
  });
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_THAT(told(1), HasSubstr("A person had paused the task"));
  EXPECT_THAT(told(2), HasSubstr("the person answered: \"now then\""));
}

TEST_F(AskUserTest, TimeLimitOfTheTaskEndsTheWait) {
  model_.says(kAsks);
  const auto result = run_and([&](const std::string&) {
    world_.clock.advance(std::chrono::seconds(600));
    questions_.wake();
  });
  EXPECT_EQ(result.end(), v1::TASK_END_FAILED);
  EXPECT_THAT(result.summary(), HasSubstr("time limit"));
}

TEST_F(AskUserTest, EmptyQuestionIsNotAsked) {
  model_
      .says(R"({"steps":[{"tool":"ask_user","args":{"question":" "},"human_readable_justification":"w"}],"done":null})")
      .says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_THAT(told(1), HasSubstr("the question is empty"));
  EXPECT_FALSE(asked_.next(system_clock().now()).value());
}

TEST_F(AskUserTest, DryRunAsksNobody) {
  model_.says(kAsks);
  TaskView view(observer_, world_.clock, cancel_, "t1", "token", world_.clock.now() + std::chrono::seconds(600));
  Budget budget({});
  ModelCaller caller(model_, {}, budget, prices_, world_.clock, cancel_, [](v1::ModelCall&&) {});
  ModelPlanner planner(kGoal, *dialect_, caller, view, {});
  const auto result = dry_run({"t1", "secret"}, planner, policy_, view, publisher_, Plans::kFirst, on_state_);
  EXPECT_EQ(result.end(), v1::TASK_END_DONE);
  EXPECT_THAT(result.summary(), HasSubstr("1 would ask you a question; nothing was executed"));
  EXPECT_FALSE(asked_.next(system_clock().now()).value());
}

TEST(AskUser, NamesTheDurationOfTheWait) {
  EXPECT_EQ(in_words(Milliseconds(120'000)), "2 minutes");
  EXPECT_EQ(in_words(Milliseconds(60'000)), "1 minute");
  EXPECT_EQ(in_words(Milliseconds(90'000)), "90 s");
  EXPECT_EQ(in_words(Milliseconds(1)), "1 s");
}

}  // namespace
}  // namespace da::planner::model
