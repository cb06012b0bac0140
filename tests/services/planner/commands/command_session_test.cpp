// Whole sessions of commands: queue, runner and proposer, on the fake desktop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "lib/bus/memory_transport.h"
#include "lib/contract/json/parse.h"
#include "lib/contract/repetition.h"
#include "lib/contract/task_token.h"
#include "services/planner/commands/command_proposer.h"
#include "services/planner/commands/command_task.h"
#include "services/planner/planner.h"
#include "tests/services/planner/fake_observer.h"
#include "tests/services/planner/fake_policy.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner {
namespace {

constexpr Milliseconds kCommandTimeout{20'000};
using testing::ElementsAre;
using testing::HasSubstr;
using v1::CommandAnswer;

class CommandSession : public testing::Test {
 protected:
  CommandSession() {
    world_.open_window({"w1", "Form", "/usr/bin/form"});
    world_.add({.id = "name", .window_id = "w1", .role = "text", .name = "Name", .editable = true});
    world_.add({.id = "save", .window_id = "w1", .role = "push button", .name = "Save", .bounds = {300, 300, 80, 20}});
  }

  v1::StartTaskRequest request() {
    v1::StartTaskRequest request;
    request.set_task_id("t1");
    request.set_task_token(contract::task_token("secret", "the commands of a script"));
    request.set_goal("the commands of a script");
    request.set_planner(kCommands);
    return request;
  }

  void start() { ASSERT_TRUE(queue_.start(request())); }

  v1::RunCommandRequest command(const std::string& tool, const std::string& arguments) {
    v1::RunCommandRequest request;
    request.set_task_id("t1");
    request.set_number(++number_);
    request.set_command_id("c" + std::to_string(number_));
    *request.mutable_action() = contract::parse_action(tool, arguments).value();
    return request;
  }

  CommandAnswer send(const v1::RunCommandRequest& request) {
    const auto reply = queue_.run_command(request, kCommandTimeout);
    EXPECT_TRUE(reply && reply->answered()) << (reply ? "no answer" : reply.error().message);
    return reply ? reply->answer() : CommandAnswer();
  }

  CommandAnswer ask(const std::string& tool, const std::string& arguments) { return send(command(tool, arguments)); }

  CommandAnswer end() {
    v1::RunCommandRequest request;
    request.set_task_id("t1");
    request.set_number(++number_);
    return send(request);
  }

  v1::TaskResult result() {
    const auto reply = queue_.await("t1", kCommandTimeout);
    EXPECT_TRUE(reply && reply->ended());
    return reply ? reply->result() : v1::TaskResult();
  }

  // Answers the n-th submission with this, from 0, and has the others carried out.
  void answer_submission(std::size_t n, const v1::SubmitReply& reply) {
    policy_.intercept = [this, n, reply](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
      if (policy_.submitted.size() != n + 1) return std::nullopt;
      return reply;
    };
  }

  FakeWorld world_;
  FakeObserver observer_{world_};
  FakePolicy policy_{world_};
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  bus::Publisher publisher_{bus_->sink(), {"planner", "fake:1"}, world_.clock};
  const model::Settings models_;
  std::uint64_t number_ = 0;
  Planner planner_{
      {observer_, policy_, publisher_, world_.clock, models_, [](const std::string&) { return std::nullopt; }}};
  TaskQueue& queue_ = planner_.tasks();
};

TEST_F(CommandSession, CommandsAreSubmittedOneByOneAndAnswered) {
  start();
  EXPECT_EQ(ask("ui_click", R"({"element_id":"save"})").result(), CommandAnswer::RESULT_DISPATCHED);
  EXPECT_EQ(ask("press", R"({"key":"f5"})").result(), CommandAnswer::RESULT_DISPATCHED);
  EXPECT_EQ(end().result(), CommandAnswer::RESULT_CONFIRMED);
  EXPECT_EQ(result().end(), v1::TASK_END_DONE);
  EXPECT_THAT(result().summary(), testing::StartsWith("2 commands were carried out (2 steps, 0 proven, 2 not: "));
  ASSERT_EQ(policy_.submitted.size(), 2U);
  EXPECT_EQ(policy_.submitted[0].step().target(), "push button \"Save\" in form");
  EXPECT_EQ(policy_.submitted[0].step().justification(), "command \"c1\" of a script");
  EXPECT_EQ(ask("press", R"({"key":"f6"})").result(), CommandAnswer::RESULT_CANCELLED);
  EXPECT_EQ(policy_.submitted.size(), 2U);
}

TEST_F(CommandSession, SnapshotAndFindAnswerElementsWithTheirWindow) {
  start();
  const CommandAnswer all = ask("ui_snapshot", "{}");
  EXPECT_EQ(all.result(), CommandAnswer::RESULT_CONFIRMED);
  EXPECT_EQ(all.elements().nodes_size(), 2);
  ASSERT_EQ(all.windows_size(), 1);
  EXPECT_EQ(all.windows(0).title(), "Form");
  EXPECT_EQ(all.message(), "");
  const CommandAnswer found = ask("ui_find", R"({"query":"save"})");
  ASSERT_EQ(found.elements().nodes_size(), 1);
  EXPECT_EQ(found.elements().nodes(0).element_id(), "save");
  EXPECT_EQ(ask("list_windows", "{}").windows_size(), 1);
  EXPECT_FALSE(ask("zoom", R"({"x":0,"y":0,"width":10,"height":10})").image().data().empty());
  EXPECT_FALSE(ask("press", R"({"key":"f5"})").has_image());
  EXPECT_EQ(ask("ui_snapshot", R"({"scope":"Nobody"})").result(), CommandAnswer::RESULT_FAILED);
}

TEST_F(CommandSession, DeniedCommandIsAnsweredAndTheSessionContinues) {
  auto denied = verdict(v1::Verdict::DECISION_DENY);
  denied.mutable_verdict()->set_reason("not here");
  answer_submission(0, denied);
  start();
  const CommandAnswer answer = ask("press", R"({"key":"f5"})");
  EXPECT_EQ(answer.result(), CommandAnswer::RESULT_DENIED);
  EXPECT_THAT(answer.message(), HasSubstr("not here"));
  EXPECT_EQ(ask("press", R"({"key":"f6"})").result(), CommandAnswer::RESULT_DISPATCHED);
  EXPECT_EQ(end().result(), CommandAnswer::RESULT_CONFIRMED);
}

TEST_F(CommandSession, OutcomesAreAnsweredWithTheirCodesAndNeverRepeated) {
  struct Case {
    v1::Outcome::Kind kind;
    v1::Outcome::Code code;
    CommandAnswer::Result result;
  };
  const Case cases[] = {
      {v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_STALE_TARGET, CommandAnswer::RESULT_STALE_TARGET},
      {v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_NOT_FOUND, CommandAnswer::RESULT_REFUSED},
      {v1::Outcome::KIND_FAILED, v1::Outcome::CODE_DESKTOP_ERROR, CommandAnswer::RESULT_FAILED},
      {v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_EXPIRED, CommandAnswer::RESULT_EXPIRED},
      {v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_SKIPPED, CommandAnswer::RESULT_SKIPPED},
      {v1::Outcome::KIND_INTERRUPTED, v1::Outcome::CODE_CANCELLED, CommandAnswer::RESULT_INTERRUPTED},
      {v1::Outcome::KIND_NO_EFFECT, v1::Outcome::CODE_UNSPECIFIED, CommandAnswer::RESULT_NO_EFFECT},
      // The last, because it pauses the task.
      {v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_SESSION_LOCKED, CommandAnswer::RESULT_PAUSED},
  };
  start();
  std::size_t sent = 0;
  for (const Case& one : cases) {
    answer_submission(sent++, verdict(v1::Verdict::DECISION_ALLOW, one.kind, one.code));
    const CommandAnswer answer = ask("press", R"({"key":"f5"})");
    EXPECT_EQ(answer.result(), one.result) << v1::Outcome::Code_Name(one.code);
    EXPECT_EQ(answer.code(), one.code);
    EXPECT_EQ(policy_.submitted.size(), sent);
  }
  EXPECT_THAT(world_.performed, testing::IsEmpty());
}

TEST_F(CommandSession, UnknownOutcomeEndsTheSession) {
  answer_submission(0, verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_UNKNOWN));
  start();
  EXPECT_EQ(ask("press", R"({"key":"f5"})").result(), CommandAnswer::RESULT_UNKNOWN);
  EXPECT_EQ(result().end(), v1::TASK_END_UNKNOWN_OUTCOME);
  EXPECT_EQ(ask("press", R"({"key":"f6"})").result(), CommandAnswer::RESULT_UNKNOWN);
  EXPECT_EQ(policy_.submitted.size(), 1U);
}

TEST_F(CommandSession, DescribedTargetIsResolvedAndTypedIntoAfterTheClick) {
  start();
  const CommandAnswer answer = ask("type_in_described_field", R"({"target_description":"Name","text_to_type":"Ada"})");
  EXPECT_EQ(answer.result(), CommandAnswer::RESULT_DISPATCHED) << answer.message();
  EXPECT_THAT(world_.performed, ElementsAre(HasSubstr("ui_click"), HasSubstr("write")));
  EXPECT_EQ(world_.element("name")->text, "Ada");
  EXPECT_THAT(end().message(), testing::StartsWith("1 command was carried out ("));
}

// Bug: a page moved the focus from the clicked field to another one, which got the text.
TEST_F(CommandSession, NothingIsTypedIfAnotherElementHasTheFocusAfterTheClick) {
  world_.add({.id = "other",
              .window_id = world_.element("name")->window_id,
              .role = "text",
              .name = "Receiver",
              .bounds = {10, 400, 50, 20},
              .editable = true});
  world_.element("name")->on_click = [this] { world_.focused_element = "other"; };
  start();
  const CommandAnswer answer = ask("type_in_described_field", R"({"target_description":"Name","text_to_type":"Ada"})");
  EXPECT_EQ(answer.result(), CommandAnswer::RESULT_FAILED);
  EXPECT_THAT(answer.message(), HasSubstr("\"Receiver\" has, so nothing was typed"));
  EXPECT_TRUE(answer.begun());
  EXPECT_THAT(world_.performed, ElementsAre(HasSubstr("ui_click")));
}

// Otherwise the text would go to whatever has the focus.
TEST_F(CommandSession, NothingIsTypedAfterAClickThatAPersonSkipped) {
  answer_submission(0, verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_SKIPPED));
  start();
  EXPECT_EQ(ask("type_in_described_field", R"({"target_description":"Name","text_to_type":"Ada"})").result(),
            CommandAnswer::RESULT_SKIPPED);
  EXPECT_EQ(ask("list_windows", "{}").result(), CommandAnswer::RESULT_CONFIRMED);
  EXPECT_THAT(world_.performed, testing::IsEmpty());
}

TEST_F(CommandSession, FailureAfterTheClickSaysThatTheClickHappened) {
  answer_submission(1, verdict(v1::Verdict::DECISION_DENY));
  start();
  const CommandAnswer answer = ask("type_in_described_field", R"({"target_description":"Name","text_to_type":"Ada"})");
  EXPECT_EQ(answer.result(), CommandAnswer::RESULT_DENIED);
  EXPECT_THAT(answer.message(), HasSubstr("the click before it was carried out"));
  EXPECT_TRUE(answer.begun());
  EXPECT_EQ(contract::repetition_of(answer), contract::Repetition::kAfterLook);
}

TEST_F(CommandSession, TargetThatIsNotThereIsAFailureWithoutASubmission) {
  start();
  const CommandAnswer answer = ask("click_described_element", R"({"target_description":"Nobody"})");
  EXPECT_EQ(answer.result(), CommandAnswer::RESULT_FAILED);
  EXPECT_THAT(answer.message(), HasSubstr("Nobody"));
  EXPECT_TRUE(policy_.submitted.empty());
}

TEST_F(CommandSession, HaltAnswersTheOpenCommandAndEndsTheSession) {
  start();
  const auto open = command("sleep", R"({"secs":5})");
  std::thread halter([&] {
    while (queue_.load().detail.find("sleep") == std::string::npos) std::this_thread::yield();
    policy_.halt("smoke");
  });
  const CommandAnswer answer = send(open);
  halter.join();
  EXPECT_EQ(answer.result(), CommandAnswer::RESULT_HALTED);
  EXPECT_THAT(answer.message(), HasSubstr("smoke"));
  EXPECT_EQ(result().end(), v1::TASK_END_HALTED);
}

TEST_F(CommandSession, PauseWhileItWaitsIsAnsweredAndEndsWithTheResume) {
  start();
  EXPECT_EQ(ask("press", R"({"key":"f5"})").result(), CommandAnswer::RESULT_DISPATCHED);
  policy_.pause(v1::Pause::CAUSE_CONSOLE, "lunch");
  policy_.wait_until_awaited();
  const CommandAnswer answer = ask("press", R"({"key":"f6"})");
  EXPECT_EQ(answer.result(), CommandAnswer::RESULT_PAUSED);
  policy_.resume();
  while (ask("list_windows", "{}").result() == CommandAnswer::RESULT_PAUSED) std::this_thread::yield();
  EXPECT_EQ(ask("press", R"({"key":"f7"})").result(), CommandAnswer::RESULT_DISPATCHED);
  EXPECT_EQ(end().result(), CommandAnswer::RESULT_CONFIRMED);
}

TEST_F(CommandSession, CancelAnswersTheOpenCommand) {
  policy_.waits_for_a_person = true;
  start();
  const auto open = command("press", R"({"key":"f5"})");
  std::thread canceller([&] {
    while (queue_.load().detail.find("press") == std::string::npos) std::this_thread::yield();
    EXPECT_TRUE(queue_.cancel("t1", "enough"));
  });
  EXPECT_EQ(send(open).result(), CommandAnswer::RESULT_CANCELLED);
  canceller.join();
  EXPECT_EQ(result().end(), v1::TASK_END_CANCELLED);
}

TEST_F(CommandSession, OnlyItsOwnKindOfTaskTakesCommands) {
  EXPECT_EQ(queue_.run_command(command("press", R"({"key":"f5"})"), Milliseconds(0)).error().code, Code::kNotFound);
  v1::StartTaskRequest plain = request();
  plain.set_goal("press f5");
  plain.set_task_token(contract::task_token("secret", "press f5"));
  plain.set_planner("plain");
  ASSERT_TRUE(queue_.start(plain));
  EXPECT_EQ(queue_.run_command(command("press", R"({"key":"f5"})"), Milliseconds(0)).error().code,
            Code::kFailedPrecondition);
}

TEST_F(CommandSession, DryRunAndSuggestionsAreRefused) {
  v1::StartTaskRequest dry = request();
  dry.set_dry_run(true);
  EXPECT_EQ(queue_.start(dry).error().code, Code::kInvalidArgument);
  v1::StartTaskRequest suggesting = request();
  suggesting.mutable_decision();
  EXPECT_EQ(queue_.start(suggesting).error().code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace da::planner
