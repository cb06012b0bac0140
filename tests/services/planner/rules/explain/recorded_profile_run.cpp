#include "tests/services/planner/rules/explain/recorded_profile_run.h"

#include <gtest/gtest.h>

#include "da/v1/history.pb.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/publisher.h"
#include "lib/bus/topics.h"
#include "lib/contract/profile_goal.h"
#include "lib/contract/task_token.h"
#include "lib/recording/recording_file.h"
#include "services/planner/planner.h"
#include "services/planner/rules/run/profile_task.h"
#include "services/planner/rules/run/rule_proposer.h"
#include "tests/services/planner/fake_observer.h"

namespace da::planner::rules {
namespace {

constexpr Milliseconds kRunTimeout{20'000};
constexpr Milliseconds kObserverTakes{50};
constexpr const char* kTask = "t1";

// Publishes what the observer service publishes of analyses and elements.
class TellingObserver final : public Observer {
 public:
  TellingObserver(FakeObserver& observer, bus::Publisher& bus) : observer_(observer), bus_(bus) {}

  Result<v1::Observation> observe(const v1::ObserveRequest& request, std::stop_token stop) override {
    return observer_.observe(request, stop);
  }
  Result<v1::LocateReply> locate(const v1::LocateRequest& request, std::stop_token stop) override {
    auto reply = observer_.locate(request, stop);
    v1::ObserverAnswer fact;
    *fact.mutable_locate() = request;
    if (reply) {
      *fact.mutable_located() = *reply;
    } else {
      fact.set_error(reply.error().message);
    }
    bus_.publish(fact, kTask, request.cause());
    return reply;
  }
  Result<v1::AnalyzeReply> analyze(const v1::AnalyzeRequest& request, std::stop_token stop) override {
    auto reply = observer_.analyze(request, stop);
    v1::ObserverAnswer fact;
    *fact.mutable_analyze() = request;
    if (reply) {
      *fact.mutable_analysis() = *reply;
    } else {
      fact.set_error(reply.error().message);
    }
    bus_.publish(fact, kTask, request.cause());
    return reply;
  }
  Result<v1::ImageFact> read_image(const v1::ReadImageRequest& request, std::stop_token stop) override {
    return observer_.read_image(request, stop);
  }
  Result<v1::ImageFact> zoom(const v1::ZoomRequest& request, std::stop_token stop) override {
    return observer_.zoom(request, stop);
  }
  Result<v1::UiTree> read_ui(const v1::ReadUiRequest& request, std::stop_token stop) override {
    return observer_.read_ui(request, stop);
  }

 private:
  FakeObserver& observer_;
  bus::Publisher& bus_;
};

void record(bus::Source& facts, const std::filesystem::path& path) {
  auto file = recording::RecordingFile::create(path, {{"task", kTask}});
  ASSERT_TRUE(file) << file.error().message;
  while (true) {
    auto raw = facts.receive(system_clock().now());
    ASSERT_TRUE(raw);
    if (!*raw) break;
    auto fact = recording::recorded_fact(*std::move(*raw));
    ASSERT_TRUE(fact);
    ASSERT_TRUE((*file)->add(*fact, WallTime(Nanoseconds(fact->header.wall_ns()))));
  }
  ASSERT_TRUE((*file)->finish({{"result", "done"}}));
}

}  // namespace

RecordedProfileRun::RecordedProfileRun() {
  world.open_window({"w1", "Form", "/usr/bin/form"});
  world.add({.id = "name", .window_id = "w1", .role = "text", .name = "Name", .editable = true});
  world.add({.id = "save", .window_id = "w1", .role = "push button", .name = "Save", .bounds = {300, 300, 80, 20}});
  profile.set_name("test.json");
  profile.set_for_ms(5'000);
}

v1::TaskResult RecordedProfileRun::run(const std::string& text, const std::filesystem::path& recording) {
  const auto bus = bus::MemoryBus::create();
  std::vector<std::string> topics;
  for (const auto* fact : bus::all_facts()) topics.push_back(bus::topic_of(*fact)->name());
  const auto facts = bus->source(topics);
  bus::Publisher planner(bus->sink(), {"planner", "fake:1"}, world.clock);
  bus::Publisher observing(bus->sink(), {"observer", "fake:1"}, world.clock);
  FakeObserver observer(world);
  observer.on_call = [this] { world.advance(kObserverTakes); };
  TellingObserver telling(observer, observing);
  const model::Settings models;
  v1::TaskResult result;
  {
    Planner whole({telling, policy, planner, world.clock, models, [](const std::string&) { return std::nullopt; }});
    TaskQueue& queue = whole.tasks();
    profile.set_text(text);
    v1::StartTaskRequest request;
    request.set_goal(contract::profile_goal(profile));
    request.set_task_id(kTask);
    request.set_task_token(contract::task_token("secret", request.goal()));
    request.set_planner(kProfile);
    *request.mutable_profile() = profile;
    const auto started = queue.start(request);
    EXPECT_TRUE(started) << (started ? "" : started.error().message);
    const auto ended = queue.await(kTask, kRunTimeout);
    EXPECT_TRUE(ended && ended->ended());
    if (ended) result = ended->result();
  }
  record(*facts, recording);
  return result;
}

}  // namespace da::planner::rules
