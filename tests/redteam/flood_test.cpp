// Floods of steps, of questions, and of steps of the largest permitted size.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <future>

#include "tests/acted.h"
#include "tests/redteam/world.h"

namespace da::redteam {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// Sanitizers keep freed memory and are slow.
constexpr int kSteps = 3'000;
constexpr std::size_t kMostGrowthKib = std::size_t{1} << 20;
constexpr Milliseconds kLongestAnswer{10'000};
#else
constexpr int kSteps = 6'000;
constexpr std::size_t kMostGrowthKib = 2 * 1024;
constexpr Milliseconds kLongestAnswer{5'000};
#endif
constexpr int kFloodThreads = 8;

// Counts what the allocator has handed out, in all arenas: the resident memory depends on how the threads fragmented
// it.
std::size_t allocated_kib() {
  const auto told = ::mallinfo2();
  return (told.uordblks + told.hblkhd) / 1024;
}

TEST(Flood, StepsNeitherGrowThePolicyNorStarveAnotherTask) {
  World world({.clock = &system_clock(), .keeps_records = false});
  world.open_editor();
  const auto honest = world.open_unlocked();
  const auto flooder = world.open_task();
  const auto unlocked = world.open_unlocked();
  std::atomic<int> submitted = 0;
  std::atomic<int> unexpected = 0;
  const auto flood = [&](int until) {
    while (submitted.fetch_add(1) < until) {
      const int n = submitted;
      const auto& task = n % 2 == 0 ? flooder : unlocked;
      const auto answer = n % 100 == 0 ? world.submit(task, paste(std::string(200'000, 'x')))
                                       : world.submit(task, n % 3 == 0 ? write("x") : click(300, 200));
      if (!answer && answer.error().code != Code::kResourceExhausted) ++unexpected;
    }
  };
  const auto run = [&](int until) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kFloodThreads; ++i) threads.emplace_back([&] { flood(until); });
    Milliseconds longest{0};
    for (int next = submitted; submitted < until; next += kSteps / 200) {
      while (submitted < std::min(next, until)) std::this_thread::yield();
      const MonoTime asked = system_clock().now();
      const v1::SubmitReply answer = world.reply(honest, press({"a"}));
      EXPECT_TRUE(test::acted(answer.outcome())) << answer.outcome().message();
      longest = std::max(longest, std::chrono::duration_cast<Milliseconds>(system_clock().now() - asked));
    }
    return longest;
  };
  const MonoTime begin = system_clock().now();
  auto longest = run(kSteps / 4);
  const std::size_t before = allocated_kib();
  longest = std::max(longest, run(kSteps));
  const auto passed = std::chrono::duration<double>(system_clock().now() - begin).count();
  const std::size_t after = allocated_kib();
  EXPECT_LE(after, before + kMostGrowthKib);
  EXPECT_LT(longest, kLongestAnswer);
  EXPECT_EQ(unexpected, 0);
  EXPECT_LE(world.acted(), 2'000U);  // Limit of 1,000 acting steps for each of two tasks.
  RecordProperty("steps_a_second", static_cast<int>(kSteps / passed));
  RecordProperty("grown_kib", static_cast<int>(after > before ? after - before : 0));
  RecordProperty("longest_answer_ms", static_cast<int>(longest.count()));
}

TEST(Flood, QuestionsOfOneTaskLeaveRoomForAnotherTask) {
  World world;
  world.open_editor();
  world.set_person(World::look_away);
  const auto flooder = world.open_task();
  const auto honest = world.open_task();
  std::atomic<int> refused = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 64; ++i) {
    threads.emplace_back([&] {
      const auto answer = world.submit(flooder, write("x"));
      refused += !answer || answer->verdict().rule() == "limits" ? 1 : 0;
    });
  }
  world.wait_until_asked(4);
  while (refused < 60) std::this_thread::yield();
  EXPECT_EQ(world.policy().list_pending()->pending_size(), 4);
  auto asked = std::async(std::launch::async, [&] { return world.reply(honest, write("honest")); });
  world.wait_until_asked(5);
  World::approve(world, world.asked().back());
  EXPECT_TRUE(test::acted(asked.get().outcome()));
  v1::CloseTaskRequest close;
  close.set_task_token(flooder.token);
  ASSERT_TRUE(world.policy().close_task(close));
  threads.clear();
  EXPECT_EQ(world.policy().list_pending()->pending_size(), 0);
  EXPECT_EQ(world.typed(), "honest");
}

// A planner asks and cancels its call, again and again.
TEST(Flood, AbandonedQuestionsAreRemoved) {
  World world;
  world.open_editor();
  world.set_person(World::look_away);
  const auto task = world.open_task();
  std::stop_source gone;
  gone.request_stop();
  v1::SubmitRequest request;
  request.set_task_token(task.token);
  for (int i = 0; i < 2'000; ++i) {
    *request.mutable_step() = step(write("x"), "step-" + std::to_string(i));
    world.clock().advance(Milliseconds(10));
    const auto answer = world.policy().submit(request, gone.get_token());
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Code::kCancelled);
  }
  EXPECT_EQ(world.policy().list_pending()->pending_size(), 0);
  EXPECT_EQ(world.typed(), "");
}

// The most expensive text for the judge: the longest permitted one, with a confusable or combining mark at each place.
TEST(Flood, StepFullOfConfusablesIsJudgedInTime) {
  World world({.team_rules = R"(
[[rule]]
name = "no-secrets"
verdict = "deny"
reason = "not typed here"
match.text = '(secret|hidden) +plan'
)"});
  world.open_editor();
  const auto task = world.open_unlocked();
  std::string text;
  std::string marks;
  for (int i = 0; i < 100'000; ++i) text += i % 2 == 0 ? "е" : "1";
  for (int i = 0; i < 100'000; ++i) marks += "\u0332";
  for (const std::string& each : {text, marks, std::string("\u202e") + text}) {
    const MonoTime begin = system_clock().now();
    EXPECT_EQ(world.reply(task, paste(each)).outcome().kind(), v1::Outcome::KIND_CONFIRMED);
    EXPECT_LT(system_clock().now() - begin, kLongestAnswer);
  }
}

}  // namespace
}  // namespace da::redteam
