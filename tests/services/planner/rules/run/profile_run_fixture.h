// Whole runs of a profile: queue, runner and proposer, on the fake desktop. Each call to the observer takes time of
// the fake clock.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/contract/profile_goal.h"
#include "lib/contract/task_token.h"
#include "services/planner/planner.h"
#include "services/planner/rules/run/profile_task.h"
#include "services/planner/rules/run/rule_proposer.h"
#include "tests/services/planner/fake_observer.h"
#include "tests/services/planner/fake_policy.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner::rules::run_test {

inline constexpr Milliseconds kEndTimeout{20'000};
inline constexpr Milliseconds kLook{50};
using testing::ElementsAre;
using testing::HasSubstr;

inline constexpr const char* kRegions = R"("regions":[
  {"name":"form","window":"Form","x":0,"y":0,"width":0,"height":0},
  {"name":"screen","x":0,"y":0,"width":1280,"height":800}])";
inline constexpr const char* kClickSave =
    R"({"type":"click","target_relation":"ui_element","name":"Save","role":"button"})";

inline std::string text_shows(const std::string& text) {
  return R"({"type":"ocr_contains_text","region":"form","text_to_find":")" + text + R"("})";
}

inline std::string rule(const std::string& name, const std::string& condition, const std::string& actions,
                        const std::string& more = "") {
  return R"({"name":")" + name + R"(","region":"form","condition":)" + condition + R"(,"actions":[)" + actions + "]" +
         more + "}";
}

inline std::string profile(const std::string& rules, const std::string& settings = "",
                           const std::string& templates = "") {
  return R"({"settings":{"monitoring_interval_seconds":0.01)" + settings + "}," + kRegions + R"(,"templates":[)" +
         templates + R"(],"rules":[)" + rules + "]}";
}

class ProfileRunTest : public testing::Test {
 protected:
  ProfileRunTest() {
    world_.open_window({"w1", "Form", "/usr/bin/form"});
    world_.add({.id = "name", .window_id = "w1", .role = "text", .name = "Name", .editable = true});
    world_.add({.id = "save", .window_id = "w1", .role = "push button", .name = "Save", .bounds = {300, 300, 80, 20}});
    observer_.on_call = [this] { world_.advance(kLook); };
    run_.set_name("test.json");
    run_.set_for_ms(5'000);
  }

  Result<v1::StartTaskReply> try_start(const std::string& text) {
    run_.set_text(text);
    v1::StartTaskRequest request;
    request.set_goal(contract::profile_goal(run_));
    request.set_task_id("t1");
    request.set_task_token(contract::task_token("secret", request.goal()));
    request.set_planner(kProfile);
    request.set_dry_run(dry_run_);
    *request.mutable_profile() = run_;
    return queue_.start(request);
  }

  v1::TaskResult run(const std::string& text) {
    const auto started = try_start(text);
    EXPECT_TRUE(started) << (started ? "" : started.error().message);
    return started ? result() : v1::TaskResult();
  }

  std::string refusal(const std::string& text) {
    const auto started = try_start(text);
    EXPECT_FALSE(started);
    return started ? "" : started.error().message;
  }

  v1::TaskResult result() {
    const auto reply = queue_.await("t1", kEndTimeout);
    EXPECT_TRUE(reply && reply->ended());
    return reply ? reply->result() : v1::TaskResult();
  }

  void deny_all() {
    policy_.intercept = [](const v1::SubmitRequest&) { return verdict(v1::Verdict::DECISION_DENY); };
  }

  std::vector<v1::RuleEvent> events() {
    std::vector<v1::RuleEvent> all;
    while (true) {
      const auto fact = facts_.next(system_clock().now());
      if (!fact || !*fact) return all;
      if (const auto* event = (*fact)->as<v1::RuleEvent>()) all.push_back(*event);
    }
  }

  FakeWorld world_;
  FakeObserver observer_{world_};
  FakePolicy policy_{world_};
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  bus::Publisher publisher_{bus_->sink(), {"planner", "fake:1"}, world_.clock};
  bus::Subscriber facts_{bus_->source({bus::topic_name<v1::RuleEvent>()})};
  const model::Settings models_;
  v1::ProfileRun run_;
  bool dry_run_ = false;
  Planner planner_{
      {observer_, policy_, publisher_, world_.clock, models_, [](const std::string&) { return std::nullopt; }}};
  TaskQueue& queue_ = planner_.tasks();
};

}  // namespace da::planner::rules::run_test
