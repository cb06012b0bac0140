#include "services/planner/planner_rpc.h"

#include <grpcpp/server_context.h>
#include <gtest/gtest.h>

#include <future>

#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/contract/task_token.h"
#include "tests/services/planner/fake_observer.h"
#include "tests/services/planner/fake_policy.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner {
namespace {

class PlannerRpcTest : public testing::Test {
 protected:
  FakeWorld world_;
  FakeObserver observer_{world_};
  FakePolicy policy_{world_};
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  bus::Publisher publisher_{bus_->sink(), {"planner", "fake:1"}, world_.clock};
  const model::Settings models_;
  Planner planner_{
      {observer_, policy_, publisher_, world_.clock, models_, [](const std::string&) { return std::nullopt; }}};
  PlannerRpc rpc_{planner_};
};

TEST_F(PlannerRpcTest, ABadGoalIsAnInvalidArgumentWithItsPlace) {
  v1::StartTaskRequest request;
  request.set_task_id("a");
  request.set_goal("press f5\nsing");
  request.set_task_token(contract::task_token("secret", request.goal()));
  v1::StartTaskReply reply;
  const grpc::Status status = rpc_.StartTask(nullptr, &request, &reply);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(status.error_message().find("line 2, column 1: found sing"), std::string::npos) << status.error_message();
}

TEST_F(PlannerRpcTest, ATaskIsStartedAwaitedAndCancelled) {
  policy_.waits_for_a_person = true;
  v1::StartTaskRequest start;
  start.set_task_id("a");
  start.set_goal("press f5");
  start.set_task_token(contract::task_token("secret", start.goal()));
  v1::StartTaskReply started;
  ASSERT_TRUE(rpc_.StartTask(nullptr, &start, &started).ok());
  v1::CancelTaskRequest cancel;
  cancel.set_task_id("a");
  v1::CancelTaskReply cancelled;
  ASSERT_TRUE(rpc_.CancelTask(nullptr, &cancel, &cancelled).ok());
  v1::AwaitTaskRequest await;
  await.set_task_id("a");
  await.set_max_wait_ms(20'000);
  v1::AwaitTaskReply ended;
  ASSERT_TRUE(rpc_.AwaitTask(nullptr, &await, &ended).ok());
  EXPECT_EQ(ended.result().end(), v1::TASK_END_CANCELLED);
}

TEST_F(PlannerRpcTest, QuestionsAreListedAndAnswered) {
  Questions& questions = planner_.tasks().questions();
  const Questions::Question which{"a", "step", "Which file?", world_.clock.now() + std::chrono::hours(1)};
  bus::Subscriber asked(bus_->source({bus::topic_name<v1::UserQuestion>()}));
  auto words = std::async(std::launch::async, [&] { return questions.ask(which, std::stop_token()); });
  ASSERT_TRUE(asked.next(system_clock().now() + Milliseconds(20'000)).value());

  const v1::ListQuestionsRequest list;
  v1::ListQuestionsReply listed;
  ASSERT_TRUE(rpc_.ListQuestions(nullptr, &list, &listed).ok());
  ASSERT_EQ(listed.questions_size(), 1);
  EXPECT_EQ(listed.questions(0).question(), "Which file?");

  v1::AnswerQuestionRequest answer;
  v1::AnswerQuestionReply answered;
  answer.set_by("ada@console");
  answer.set_question_id(listed.questions(0).question_id());
  EXPECT_EQ(rpc_.AnswerQuestion(nullptr, &answer, &answered).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  answer.set_answer("the blue one");
  ASSERT_TRUE(rpc_.AnswerQuestion(nullptr, &answer, &answered).ok());
  EXPECT_EQ(words.get().value(), "the blue one");
  EXPECT_EQ(rpc_.AnswerQuestion(nullptr, &answer, &answered).error_code(), grpc::StatusCode::NOT_FOUND);
  ASSERT_TRUE(rpc_.ListQuestions(nullptr, &list, &listed).ok());
  EXPECT_EQ(listed.questions_size(), 0);
}

}  // namespace
}  // namespace da::planner
