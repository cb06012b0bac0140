#include "services/actuator/desktop/win32/ui_tree/abandonable_worker.h"

#include <gtest/gtest.h>

namespace da::actuator::win32 {
namespace {

// What the threads of a worker have done.
class Record {
 public:
  void add_closed() {
    const std::lock_guard lock(mutex_);
    ++closed_;
    changed_.notify_all();
  }
  void await_closed(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ >= count; });
  }

  std::atomic<int> opened = 0;
  std::atomic<int> questions = 0;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int closed_ = 0;  // The clients that are gone, so that their threads ask no more.
};

class CountedClient {
 public:
  explicit CountedClient(std::shared_ptr<Record> record) : record_(std::move(record)) { ++record_->opened; }
  ~CountedClient() { record_->add_closed(); }
  CountedClient(const CountedClient&) = delete;
  CountedClient& operator=(const CountedClient&) = delete;

 private:
  const std::shared_ptr<Record> record_;
};

class Signal {
 public:
  void send() {
    const std::lock_guard lock(mutex_);
    sent_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return sent_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool sent_ = false;
};

// Time stands still until a test lets it advance.
class SteppedClock final : public Clock {
 public:
  MonoTime now() const override {
    if (calls_before_jump_ > 0 && --calls_before_jump_ == 0) time_.advance(kJump);
    const MonoTime time = time_.now();
    if (on_call_) on_call_(time);
    return time;
  }
  WallTime wall_now() const override { return time_.wall_now(); }

  void advance(Milliseconds by) { time_.advance(by); }
  // The call with this number, from 1 on, and those after it tell a time that is past every deadline.
  void jump_at_call(int number) { calls_before_jump_ = number; }
  void on_call(std::function<void(MonoTime)> told) { on_call_ = std::move(told); }

 private:
  static constexpr Milliseconds kJump{60'000};

  mutable ManualClock time_;
  mutable std::atomic<int> calls_before_jump_ = 0;
  std::function<void(MonoTime)> on_call_;
};

class AbandonableWorkerTest : public ::testing::Test {
 protected:
  using Worker = AbandonableWorker<CountedClient>;

  // Threads use the clock until they have ended.
  ~AbandonableWorkerTest() override { record_->await_closed(record_->opened); }

  std::unique_ptr<Worker> open(
      std::function<void()> before_opened = [] {}, Milliseconds grace = Worker::kGrace) {
    auto worker = Worker::open(
        "the interface",
        [this, before_opened]() -> Result<std::unique_ptr<CountedClient>> {
          before_opened();
          return std::make_unique<CountedClient>(record_);
        },
        clock_, grace);
    EXPECT_TRUE(worker) << worker.error().message;
    return *std::move(worker);
  }
  Result<int> ask(
      Worker& worker, MonoTime deadline, std::function<void()> during = [] {}) {
    return worker.ask<int>(
        [this, during](CountedClient&) -> Result<int> {
          ++record_->questions;
          during();
          return 7;
        },
        deadline);
  }
  // The time is over after the question is handed over, and before the thread, which needs the lock, can take it.
  Code ask_and_give_up(Worker& worker) {
    const MonoTime deadline = in(1000);
    clock_.jump_at_call(2);
    const auto answer = ask(worker, deadline);
    return answer ? Code::kUnknown : answer.error().code;
  }
  MonoTime in(int ms) const { return clock_.now() + Milliseconds(ms); }

  SteppedClock clock_;
  const std::shared_ptr<Record> record_ = std::make_shared<Record>();
};

TEST_F(AbandonableWorkerTest, QuestionsShareOneThread) {
  const auto worker = open();
  EXPECT_EQ(ask(*worker, in(1000)).value_or(0), 7);
  EXPECT_EQ(ask(*worker, in(1000)).value_or(0), 7);
  EXPECT_EQ(record_->opened, 1);
}

TEST_F(AbandonableWorkerTest, AQuestionAfterItsDeadlineIsNotAskedAndItsThreadIsKept) {
  const auto worker = open();
  const auto late = ask(*worker, in(-1000));
  EXPECT_EQ(late.error().code, Code::kDeadlineExceeded);
  EXPECT_EQ(late.error().message.find("application"), std::string::npos) << late.error().message;
  EXPECT_EQ(ask(*worker, in(1000)).value_or(0), 7);
  EXPECT_EQ(record_->questions, 1);
  EXPECT_EQ(record_->opened, 1);
}

// Such a question may be a click, which must not follow a timeout.
TEST_F(AbandonableWorkerTest, AQuestionThatIsGivenUpBeforeItBeginsIsNeverAsked) {
  const auto worker = open();
  ASSERT_EQ(ask_and_give_up(*worker), Code::kDeadlineExceeded);
  record_->await_closed(1);
  EXPECT_EQ(record_->questions, 0);
}

TEST_F(AbandonableWorkerTest, ThreadsThatHaveEndedAreNotCounted) {
  const auto worker = open();
  for (int given_up = 1; given_up <= 2 * Worker::kMostAbandoned; ++given_up) {
    ASSERT_EQ(ask_and_give_up(*worker), Code::kDeadlineExceeded);
    record_->await_closed(given_up);
    ASSERT_EQ(ask(*worker, in(1000)).value_or(0), 7);
  }
}

TEST_F(AbandonableWorkerTest, QuestionsAreRefusedWhileTooManyThreadsHangInThem) {
  Signal answered;
  const auto worker = open();
  for (int i = 0; i < Worker::kMostAbandoned; ++i) {
    const auto hang = [&] {
      clock_.advance(Milliseconds(60'000));
      answered.wait();
    };
    EXPECT_EQ(ask(*worker, in(10), hang).error().code, Code::kDeadlineExceeded);
  }
  EXPECT_EQ(ask(*worker, in(1000)).error().code, Code::kUnavailable);
  answered.send();
  record_->await_closed(Worker::kMostAbandoned);
  EXPECT_EQ(ask(*worker, in(1000)).value_or(0), 7);
}

TEST_F(AbandonableWorkerTest, AThreadThatHangsWhileItStartsIsCounted) {
  Signal opened;
  bool hangs = false;
  const auto worker = open([&] {
    if (hangs) opened.wait();
  });
  ASSERT_EQ(ask_and_give_up(*worker), Code::kDeadlineExceeded);
  record_->await_closed(1);
  hangs = true;
  for (int i = 0; i < Worker::kMostAbandoned; ++i) ASSERT_EQ(ask_and_give_up(*worker), Code::kDeadlineExceeded);
  EXPECT_EQ(ask(*worker, in(1000)).error().code, Code::kUnavailable);
  opened.send();
  record_->await_closed(1 + Worker::kMostAbandoned);
  EXPECT_EQ(ask(*worker, in(1000)).value_or(0), 7);
  EXPECT_EQ(record_->questions, 1);
}

TEST_F(AbandonableWorkerTest, AQuestionWhoseThreadStartsTooLateIsNotAsked) {
  bool is_late = false;
  const auto worker = open([&] {
    if (is_late) clock_.advance(Milliseconds(500));
  });
  ASSERT_EQ(ask_and_give_up(*worker), Code::kDeadlineExceeded);
  record_->await_closed(1);
  const int before = record_->questions;
  is_late = true;
  const auto late = ask(*worker, in(100));
  EXPECT_EQ(late.error().code, Code::kDeadlineExceeded);
  EXPECT_EQ(late.error().message.find("application"), std::string::npos) << late.error().message;
  is_late = false;
  EXPECT_EQ(ask(*worker, in(1000)).value_or(0), 7);
  EXPECT_EQ(record_->questions, before + 1);
  EXPECT_EQ(record_->opened, 2) << "the next question uses the thread that started late";
}

// The thread sees the end of its time only between two calls.
TEST_F(AbandonableWorkerTest, AnAnswerWithinTheGraceAfterTheDeadlineIsTaken) {
  for (const auto& [grace, expected] : {std::pair(Milliseconds(300), 7), std::pair(Milliseconds(100), 0)}) {
    const auto worker = open([] {}, grace);
    const MonoTime deadline = in(1);
    const MonoTime late = deadline + Milliseconds(200);
    const auto caller_saw_late = std::make_shared<Signal>();
    clock_.on_call([=](MonoTime time) {
      if (time >= late) caller_saw_late->send();
    });
    const auto answer = ask(*worker, deadline, [=, this] {
      clock_.advance(Milliseconds(201));
      caller_saw_late->wait();
    });
    clock_.on_call({});
    EXPECT_EQ(answer.value_or(0), expected) << grace.count();
  }
}

}  // namespace
}  // namespace da::actuator::win32
