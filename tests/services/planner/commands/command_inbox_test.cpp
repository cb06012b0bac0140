#include "services/planner/commands/command_inbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace da::planner {
namespace {

constexpr Milliseconds kAnswerPatience{20'000};
using v1::CommandAnswer;

CommandAnswer make_answer(CommandAnswer::Result result) {
  CommandAnswer answer;
  answer.set_result(result);
  return answer;
}

class CommandInboxTest : public testing::Test {
 protected:
  v1::RunCommandRequest command(std::uint64_t number, const std::string& key = "f5") {
    v1::RunCommandRequest request;
    request.set_number(number);
    request.set_command_id("c" + std::to_string(number));
    request.mutable_action()->mutable_press()->set_key(key);
    return request;
  }

  v1::RunCommandRequest end(std::uint64_t number) {
    v1::RunCommandRequest request;
    request.set_number(number);
    return request;
  }

  CommandAnswer::Result result_of(const v1::RunCommandRequest& request, Milliseconds wait = Milliseconds(0)) {
    const auto reply = inbox_.run(request, wait);
    EXPECT_TRUE(reply) << reply.error().message;
    return reply && reply->answered() ? reply->answer().result() : CommandAnswer::RESULT_UNSPECIFIED;
  }

  std::string key_of_next() {
    const auto next = inbox_.next({}, clock_.now() + std::chrono::hours(1));
    return next && *next ? (*next)->action.press().key() : "(none)";
  }

  ManualClock clock_;
  TaskCancel cancel_;
  CommandInbox inbox_{clock_, cancel_};
};

TEST_F(CommandInboxTest, PassesACommandToTheTaskAndTheAnswerBack) {
  std::thread task([&] {
    EXPECT_EQ(key_of_next(), "f5");
    inbox_.answer(make_answer(CommandAnswer::RESULT_DISPATCHED));
  });
  EXPECT_EQ(result_of(command(1), kAnswerPatience), CommandAnswer::RESULT_DISPATCHED);
  task.join();
}

TEST_F(CommandInboxTest, RepeatedRequestIsCarriedOutOnceAndAnsweredAgain) {
  EXPECT_EQ(result_of(command(1)), CommandAnswer::RESULT_UNSPECIFIED);
  EXPECT_EQ(result_of(command(1)), CommandAnswer::RESULT_UNSPECIFIED);
  EXPECT_EQ(key_of_next(), "f5");
  inbox_.answer(make_answer(CommandAnswer::RESULT_DENIED));
  EXPECT_EQ(result_of(command(1)), CommandAnswer::RESULT_DENIED);
  EXPECT_EQ(result_of(command(1)), CommandAnswer::RESULT_DENIED);
  EXPECT_EQ(result_of(command(2, "f6")), CommandAnswer::RESULT_UNSPECIFIED);
  EXPECT_EQ(key_of_next(), "f6");
}

TEST_F(CommandInboxTest, NumbersOutOfOrderAreRefused) {
  EXPECT_EQ(inbox_.run(command(2), Milliseconds(0)).error().code, Code::kInvalidArgument);
  EXPECT_EQ(result_of(command(1)), CommandAnswer::RESULT_UNSPECIFIED);
  EXPECT_THAT(inbox_.run(command(2), Milliseconds(0)).error().message, testing::HasSubstr("not answered yet"));
  EXPECT_EQ(key_of_next(), "f5");
  inbox_.answer(make_answer(CommandAnswer::RESULT_DISPATCHED));
  EXPECT_THAT(inbox_.run(command(3), Milliseconds(0)).error().message, testing::HasSubstr("has number 2, not 3"));
}

TEST_F(CommandInboxTest, InvalidActionIsRefusedAndItsNumberStaysFree) {
  EXPECT_EQ(inbox_.run(command(1, "no such key"), Milliseconds(0)).error().code, Code::kInvalidArgument);
  v1::RunCommandRequest empty;
  empty.set_number(1);
  empty.mutable_action();
  EXPECT_EQ(inbox_.run(empty, Milliseconds(0)).error().code, Code::kInvalidArgument);
  EXPECT_EQ(result_of(command(1)), CommandAnswer::RESULT_UNSPECIFIED);
  EXPECT_EQ(key_of_next(), "f5");
}

TEST_F(CommandInboxTest, EndOfTheCommandsIsToldAndAnsweredByTheEndOfTheTask) {
  EXPECT_EQ(result_of(end(1)), CommandAnswer::RESULT_UNSPECIFIED);
  EXPECT_EQ(key_of_next(), "(none)");
  inbox_.close(make_answer(CommandAnswer::RESULT_CONFIRMED), make_answer(CommandAnswer::RESULT_CANCELLED));
  EXPECT_EQ(result_of(end(1)), CommandAnswer::RESULT_CONFIRMED);
  EXPECT_EQ(result_of(command(2)), CommandAnswer::RESULT_CANCELLED);
}

TEST_F(CommandInboxTest, CloseAnswersTheOpenCommandAndKeepsGivenAnswers) {
  EXPECT_EQ(result_of(command(1)), CommandAnswer::RESULT_UNSPECIFIED);
  inbox_.close(make_answer(CommandAnswer::RESULT_HALTED), make_answer(CommandAnswer::RESULT_HALTED));
  inbox_.close(make_answer(CommandAnswer::RESULT_CONFIRMED), make_answer(CommandAnswer::RESULT_CONFIRMED));
  EXPECT_EQ(result_of(command(1)), CommandAnswer::RESULT_HALTED);
  EXPECT_EQ(result_of(command(2)), CommandAnswer::RESULT_HALTED);
}

TEST_F(CommandInboxTest, PausedTaskAnswersCommandsAtOnceUntilTheResume) {
  EXPECT_EQ(result_of(command(1)), CommandAnswer::RESULT_UNSPECIFIED);
  inbox_.pause(make_answer(CommandAnswer::RESULT_PAUSED));
  EXPECT_EQ(result_of(command(1)), CommandAnswer::RESULT_PAUSED);
  EXPECT_EQ(result_of(command(2)), CommandAnswer::RESULT_PAUSED);
  inbox_.resume();
  EXPECT_EQ(result_of(command(3, "f7")), CommandAnswer::RESULT_UNSPECIFIED);
  EXPECT_EQ(key_of_next(), "f7");
  EXPECT_FALSE(cancel_.cancelled());
}

TEST_F(CommandInboxTest, EndOfTheCommandsCancelsAPausedTask) {
  inbox_.pause(make_answer(CommandAnswer::RESULT_PAUSED));
  EXPECT_EQ(result_of(end(1)), CommandAnswer::RESULT_UNSPECIFIED);
  EXPECT_TRUE(cancel_.cancelled());
}

TEST_F(CommandInboxTest, PauseAfterTheEndOfTheCommandsCancelsTheTask) {
  EXPECT_EQ(result_of(end(1)), CommandAnswer::RESULT_UNSPECIFIED);
  EXPECT_FALSE(cancel_.cancelled());
  inbox_.pause(make_answer(CommandAnswer::RESULT_PAUSED));
  EXPECT_TRUE(cancel_.cancelled());
}

TEST_F(CommandInboxTest, WaitEndsWithAStopRequestAndAtTheTimeLimit) {
  std::stop_source stop;
  std::thread stopper([&] { stop.request_stop(); });
  EXPECT_EQ(inbox_.next(stop.get_token(), clock_.now() + std::chrono::hours(1)).error().code, Code::kCancelled);
  stopper.join();
  EXPECT_EQ(inbox_.next({}, clock_.now()).error().code, Code::kFailedPrecondition);
}

TEST_F(CommandInboxTest, SilentConsoleIsGone) {
  clock_.advance(kConsoleTimeout);  // Does not count: the task has not begun.
  std::thread task([&] {
    EXPECT_EQ(key_of_next(), "f5");
    inbox_.answer(make_answer(CommandAnswer::RESULT_DISPATCHED));
  });
  EXPECT_EQ(result_of(command(1), kAnswerPatience), CommandAnswer::RESULT_DISPATCHED);
  task.join();
  clock_.advance(kConsoleTimeout - Milliseconds(1));
  EXPECT_EQ(result_of({}), CommandAnswer::RESULT_UNSPECIFIED);  // Still there.
  clock_.advance(kConsoleTimeout);
  const auto gone = inbox_.next({}, clock_.now() + std::chrono::hours(1));
  ASSERT_FALSE(gone);
  EXPECT_THAT(gone.error().message, testing::HasSubstr("the console that sends the commands is gone"));
}

}  // namespace
}  // namespace da::planner
