#include "services/policy/task/task_serializer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>
#include <vector>

namespace da::policy {
namespace {

TEST(TaskSerializer, OneStepOfATaskRunsAtATime) {
  TaskSerializer turns;
  std::atomic<int> inside = 0;
  std::atomic<bool> together = false;
  std::vector<std::jthread> steps;
  for (int i = 0; i < 8; ++i) {
    steps.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        const auto turn = turns.take({});
        ASSERT_TRUE(turn);
        if (++inside > 1) together = true;
        --inside;
      }
    });
  }
  steps.clear();
  EXPECT_FALSE(together);
}

TEST(TaskSerializer, StoppedStepStopsWaiting) {
  TaskSerializer turns;
  const auto held = turns.take({});
  std::stop_source stop;
  auto waiting = std::async(std::launch::async, [&] { return turns.take(stop.get_token()).error().code; });
  stop.request_stop();
  EXPECT_EQ(waiting.get(), Code::kCancelled);
}

TEST(TaskSerializer, TooManyWaitingStepsAreRefused) {
  TaskSerializer turns;
  std::stop_source stop;
  std::atomic<int> refused = 0;
  {
    const auto held = turns.take({});
    std::vector<std::jthread> steps;
    for (int i = 0; i < 40; ++i) {
      steps.emplace_back([&] {
        const auto turn = turns.take(stop.get_token());
        if (!turn && turn.error().code == Code::kResourceExhausted && ++refused == 24) stop.request_stop();
      });
    }
  }
  EXPECT_EQ(refused, 24);
}

}  // namespace
}  // namespace da::policy
