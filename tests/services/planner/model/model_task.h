// A task with a scripted model, on the small desktop of fake_world.h. Images have half the desktop's width and height:
// pixel (x,y) of an image is pixel (2x+1,2y+1) of the desktop. One thread.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "da/v1/model.pb.h"
#include "da/v1/plan.pb.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/contract/json/parse.h"
#include "services/planner/model/model_caller.h"
#include "services/planner/model/model_planner.h"
#include "services/planner/task/task_runner.h"
#include "tests/services/planner/fake_observer.h"
#include "tests/services/planner/fake_policy.h"
#include "tests/services/planner/fake_world.h"
#include "tests/services/planner/model/scripted_model.h"

namespace da::planner::model {

inline constexpr char kGoal[] = "load the page again";
inline constexpr char kDone[] = R"({"steps":[],"done":"It is done."})";

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// One step of a model's reply.
inline std::string tool_step(const std::string& tool, const std::string& args) {
  return R"({"tool":")" + tool + R"(","args":)" + args + R"(,"human_readable_justification":"It has to be."})";
}

// A model's reply with these steps.
inline std::string plan(const std::vector<std::string>& tool_steps) {
  std::string steps;
  for (const std::string& step : tool_steps) steps += (steps.empty() ? "" : ",") + step;
  return R"({"steps":[)" + steps + R"(],"done":null})";
}

inline std::string click_described(const std::string& target) {
  return tool_step("click_described_element", R"({"target_description":")" + target + R"("})");
}

class ModelTask : public testing::Test {
 protected:
  // Runs a task like the task queue.
  v1::TaskResult run(ModelPlannerOptions options = {}) {
    TaskView view(observer_, world_.clock, cancel_, "t1", "token", world_.clock.now() + std::chrono::seconds(600));
    Budget budget({});
    ModelCaller caller(model_, {}, budget, prices_, world_.clock, cancel_,
                       [this](v1::ModelCall&& call) { calls_.push_back(std::move(call)); });
    ModelPlanner planner(kGoal, *dialect_, caller, view, options);
    Limits limits;
    limits.max_turns = options.max_turns * (contract::kMaxStepsPerTurn + 1) + 1;
    limits.max_failures = kMaxFailures;
    TaskRunner runner({"t1", "secret"}, planner, policy_, view, questions_, publisher_, limits, on_state_);
    return runner.run();
  }

  // The plans that were published since the last call.
  std::vector<v1::Plan> plans() {
    std::vector<v1::Plan> found;
    while (const auto fact = subscriber_.next(system_clock().now()).value()) {
      if (const auto* plan = fact->as<v1::Plan>()) found.push_back(*plan);
    }
    return found;
  }

  // The newest message of the n-th request, from 0.
  std::string told(std::size_t n) const {
    return n < model_.requests.size() ? model_.requests[n].messages.back().text : "(never asked)";
  }

  FakeWorld world_;
  FakeObserver observer_{world_};
  FakePolicy policy_{world_};
  TaskCancel cancel_;
  ScriptedModel model_;
  const PriceTable prices_;
  std::unique_ptr<Dialect> dialect_ = steps_dialect({});
  std::vector<v1::ModelCall> calls_;
  OnState on_state_ = [](v1::TaskState, const std::string&) {};
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  bus::Publisher publisher_{bus_->sink(), {"planner", "fake:1"}, world_.clock};
  Questions questions_{publisher_, world_.clock, kDefaultQuestionExpiry};
  bus::Subscriber subscriber_{bus_->source(bus::all_topics(bus::Images::kWithout))};
};

}  // namespace da::planner::model
