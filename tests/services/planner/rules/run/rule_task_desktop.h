// The form, the profile and the scripted model that the tests of gemini_perform_task share. The form has the field
// "Name" and the button "Save"; the window "Other" beside it has the button "Delete".
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/contract/json/parse.h"
#include "services/planner/rules/run/rule_proposer.h"
#include "services/planner/rules/run/task/rule_task.h"
#include "services/planner/task/dry_run.h"
#include "services/planner/task/policy_watch.h"
#include "services/planner/task/task_runner.h"
#include "tests/services/planner/fake_observer.h"
#include "tests/services/planner/fake_policy.h"
#include "tests/services/planner/fake_world.h"
#include "tests/services/planner/model/scripted_model.h"

namespace da::planner::rules::task_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

inline std::string suggestion(const std::string& action, const std::string& parameters = "{}") {
  return R"({"action_type":")" + action + R"(","parameters":)" + parameters + R"(,"reasoning":"It comes next."})";
}

inline std::string click(const std::string& target) {
  return suggestion("CLICK_DESCRIBED_ELEMENT", R"({"target_description":")" + target + R"("})");
}

inline std::string type(const std::string& field, const std::string& text) {
  return suggestion("TYPE_IN_DESCRIBED_FIELD",
                    R"({"target_description":")" + field + R"(","text_to_type":")" + text + R"("})");
}

inline const std::string kNothing = suggestion("NONE");

inline std::string box(const std::string& box, const std::string& found = "true") {
  return R"({"element_label":"it","box":)" + box + R"(,"found":)" + found + "}";
}

inline std::string plan(const std::string& tool, const std::string& args) {
  return R"({"steps":[{"tool":")" + tool + R"(","args":)" + args +
         R"(,"human_readable_justification":"It has to be."}],"done":null})";
}

inline const std::string kDone = R"({"steps":[],"done":"It is done."})";

inline std::string task(const std::string& more = "") {
  return R"({"type":"gemini_perform_task","goal_prompt":"save the name")" + more + "}";
}

inline std::string command(const std::string& more = "") {
  return R"({"type":"gemini_perform_task","natural_language_command":"save the name")" + more + "}";
}

inline std::string rule(const std::string& name, const std::string& actions, const std::string& more = "",
                        const std::string& condition = R"({"type":"always_true"})") {
  return R"({"name":")" + name + R"(","region":"form","condition":)" + condition + R"(,"actions":[)" + actions + "]" +
         more + "}";
}

inline std::string shows(const std::string& text) {
  return R"({"type":"ocr_contains_text","region":"form","text_to_find":")" + text + R"("})";
}

inline const std::string kDeleteId = "5b9c0f7e-2d41-4c5a-9a1b-0123456789ab";
inline constexpr const char* kStop = R"(,"stop":true)";
inline constexpr const char* kPressF5 = R"({"type":"press_key","key":"f5"})";

class RuleTaskTest : public testing::Test {
 protected:
  RuleTaskTest() {
    world_.open_window({"w2", "Other", "/usr/bin/other", {900, 0, 300, 600}});
    world_.open_window({"w1", "Form", "/usr/bin/form", {0, 0, 800, 600}});
    world_.add({.id = "name",
                .window_id = "w1",
                .role = "text",
                .name = "Name",
                .bounds = {100, 100, 200, 20},
                .editable = true});
    world_.add({.id = "save", .window_id = "w1", .role = "push button", .name = "Save", .bounds = {300, 300, 80, 20}});
    world_.add(
        {.id = kDeleteId, .window_id = "w2", .role = "push button", .name = "Delete", .bounds = {1000, 300, 80, 20}});
    observer_.on_call = [this] { world_.advance(Milliseconds(50)); };
    auto scripted = std::make_unique<model::ScriptedModel>();
    model_ = scripted.get();
    models_.add("gemini-1.5-flash-latest",
                std::make_shared<ProfileModels::Opened>(ProfileModels::Opened{std::move(scripted), v1::ImageLimits()}));
    run_.set_name("test.json");
    run_.set_once(true);
  }

  // Runs the rules like the task queue.
  v1::TaskResult run(const std::string& rules, const std::string& settings = "") {
    run_.set_text(R"({"settings":{"monitoring_interval_seconds":0.01)" + settings + R"(},"regions":[
      {"name":"form","window":"Form","x":0,"y":0,"width":0,"height":0},
      {"name":"top","window":"Form","x":0,"y":0,"width":0,"height":200},
      {"name":"other","window":"Other","x":0,"y":0,"width":0,"height":0}],"templates":[],"rules":[)" +
                  rules + "]}");
    const auto loaded = load(run_);
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
    if (!loaded) return {};
    TaskView view(observer_, world_.clock, cancel_, "t1", "token", world_.clock.now() + std::chrono::seconds(3600));
    ModelCalls calls(models_, settings_, view.time_limit(), world_.clock, cancel_,
                     [this](v1::ModelCall&&) { ++calls_; });
    RuleProposer proposer(*loaded,
                          {.task_id = "t1", .once = loaded->once, .run_for = loaded->run_for, .dry_run = dry_run_},
                          view, calls, publisher_);
    const OnState on_state = [](v1::TaskState, const std::string&) {};
    const TaskIdentity identity{"t1", "secret"};
    const PolicyWatch watch(policy_, world_.clock, identity.task_token, cancel_, Heed::kHaltsAndPauses);
    if (dry_run_) return dry_run(identity, proposer, policy_, view, publisher_, Plans::kUntilDone, on_state);
    return TaskRunner(identity, proposer, policy_, view, questions_, publisher_, kOnlyTimeLimits, on_state).run();
  }

  void deny_all() {
    policy_.intercept = [](const v1::SubmitRequest&) { return verdict(v1::Verdict::DECISION_DENY); };
  }

  const v1::Step& submitted(std::size_t n) { return policy_.submitted.at(n).step(); }

  std::vector<v1::RuleEvent> events(v1::RuleEvent::Kind kind) {
    while (true) {
      const auto fact = facts_.next(system_clock().now());
      if (!fact || !*fact) break;
      if (const auto* event = (*fact)->as<v1::RuleEvent>()) events_.push_back(*event);
    }
    std::vector<v1::RuleEvent> found;
    std::ranges::copy_if(events_, std::back_inserter(found), [&](const auto& one) { return one.kind() == kind; });
    return found;
  }

  // The newest message of the n-th question, from 0.
  std::string told(std::size_t n) const {
    return n < model_->requests.size() ? model_->requests[n].messages.back().text : "(never asked)";
  }

  FakeWorld world_;
  FakeObserver observer_{world_};
  FakePolicy policy_{world_};
  TaskCancel cancel_;
  model::ScriptedModel* model_;
  ProfileModels models_;
  model::Settings settings_;
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  bus::Publisher publisher_{bus_->sink(), {"planner", "fake:1"}, world_.clock};
  bus::Subscriber facts_{bus_->source({bus::topic_name<v1::RuleEvent>()})};
  Questions questions_{publisher_, world_.clock, kDefaultQuestionExpiry};
  std::vector<v1::RuleEvent> events_;
  v1::ProfileRun run_;
  bool dry_run_ = false;
  int calls_ = 0;
};

}  // namespace da::planner::rules::task_test
