// A task of the plain planner on a fake desktop, with a fake policy.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "da/v1/task.pb.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "services/planner/plain/language/goal_bounds.h"
#include "services/planner/plain/language/goal_parser.h"
#include "services/planner/plain/plain_planner.h"
#include "services/planner/task/dry_run.h"
#include "services/planner/task/task_runner.h"
#include "tests/services/planner/fake_observer.h"
#include "tests/services/planner/fake_policy.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner {

class TaskRunnerTest : public testing::Test {
 protected:
  TaskRunnerTest() { install_editor(world_); }

  v1::TaskResult run(std::string_view text, std::chrono::seconds limit = std::chrono::seconds(600)) {
    const auto goal = plain::parse_goal(text).value();
    TaskView view(observer_, world_.clock, cancel_, "t1", "token", world_.clock.now() + limit);
    plain::PlainPlanner planner(goal, view, plain::Patience::kWait);
    Limits limits = limits_;
    limits.max_turns = plain::turn_bound(goal, limits.max_stale_retries + 1);
    TaskRunner runner({"t1", "secret"}, planner, policy_, view, questions_, publisher_, limits,
                      [](v1::TaskState, const std::string&) {});
    return runner.run();
  }

  v1::TaskResult run_dry(std::string_view text) {
    TaskView view(observer_, world_.clock, cancel_, "t1", "token", world_.clock.now() + std::chrono::seconds(600));
    plain::PlainPlanner planner(plain::parse_goal(text).value(), view, plain::Patience::kNow);
    return dry_run({"t1", "secret"}, planner, policy_, view, publisher_, Plans::kUntilDone,
                   [](v1::TaskState, const std::string&) {});
  }

  // All facts so far.
  std::vector<bus::Fact> facts() {
    std::vector<bus::Fact> facts;
    while (auto fact = subscriber_.next(system_clock().now()).value()) facts.push_back(std::move(*fact));
    return facts;
  }

  template <class T>
  std::vector<T> facts_of() {
    std::vector<T> found;
    for (const bus::Fact& fact : facts()) {
      if (const T* typed = fact.as<T>()) found.push_back(*typed);
    }
    return found;
  }

  // Returns this reply for the n-th submission, from 0; carries out the others.
  void answer_submission(std::size_t n, v1::SubmitReply reply) {
    policy_.intercept = [this, n, reply](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
      if (policy_.submitted.size() != n + 1) return std::nullopt;
      return reply;
    };
  }

  Limits limits_;
  FakeWorld world_;
  FakeObserver observer_{world_};
  FakePolicy policy_{world_};
  TaskCancel cancel_;
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  bus::Publisher publisher_{bus_->sink(), {"planner", "fake:1"}, world_.clock};
  Questions questions_{publisher_, world_.clock, kDefaultQuestionExpiry};
  bus::Subscriber subscriber_{bus_->source(bus::all_topics(bus::Images::kWithout))};
};

}  // namespace da::planner
