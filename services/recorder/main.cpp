// Records every task: reads all facts of the bus and writes one file for each task. The policy grants nothing to a task
// that is not recorded. Has no input device, no model key and no signing key.
//
//   [recorder]
//   directory = "recordings"   optional: where recordings go; default: "recordings" in the state directory
//   keep_days = 30             optional: older recordings are deleted
//   keep_gb = 20               optional: the oldest recordings beyond this size are deleted
#include <spdlog/spdlog.h>

#include <thread>

#include "lib/base/plain_output.h"
#include "lib/bus/topics.h"
#include "lib/bus/zmq_transport.h"
#include "lib/os/files/files.h"
#include "lib/recording/published_facts_rpc.h"
#include "lib/service/service.h"
#include "services/recorder/bus_reader.h"
#include "services/recorder/fact_queue.h"
#include "services/recorder/lease_keeper_rpc.h"
#include "services/recorder/recorder_rpc.h"

namespace da::recorder {
namespace {

constexpr const char* kPublishers[] = {"observer", "planner", "policy", "actuator"};
constexpr std::size_t kQueueBytes = 128 << 20;  // Limit for one service's facts.
// Short, because the end of the parent is noticed only afterwards.
constexpr Milliseconds kBeginTimeout{2'000};
constexpr Milliseconds kLongestStart{12'000};
constexpr std::int64_t kMostDays = 36'500;
constexpr std::int64_t kMostGigabytes = 1 << 20;

Result<std::filesystem::path> recordings_directory(const service::Config& config) {
  ASSIGN_OR_RETURN(const auto configured, config.find_path("recorder.directory"));
  ASSIGN_OR_RETURN(const auto state, service::state_directory(config, "recorder"));
  const auto path = configured.value_or(state / "recordings");
  RETURN_IF_ERROR(os::make_private_directory(path));
  return path;
}

Result<std::int64_t> limit(const service::Config& config, const std::string& key, std::int64_t usual,
                           std::int64_t most) {
  ASSIGN_OR_RETURN(const auto value, config.find_integer(key));
  if (value && (*value < 1 || *value > most)) {
    return Error{Code::kInvalidArgument, key + " must be 1 to " + std::to_string(most)};
  }
  return value.value_or(usual);
}

Result<recording::RecordingLimits> read_limits(const service::Config& config) {
  ASSIGN_OR_RETURN(const auto days, limit(config, "recorder.keep_days", 30, kMostDays));
  ASSIGN_OR_RETURN(const auto gigabytes, limit(config, "recorder.keep_gb", 20, kMostGigabytes));
  return recording::RecordingLimits{std::chrono::hours(24) * days, static_cast<std::uint64_t>(gigabytes) << 30};
}

Result<std::unique_ptr<bus::Source>> connect(const service::Context& context) {
  std::vector<bus::Peer> peers;
  for (const std::string name : kPublishers) {
    ASSIGN_OR_RETURN(const auto facts, context.config().string("bus." + name + ".facts"));
    ASSIGN_OR_RETURN(const auto images, context.config().find_string("bus." + name + ".images"));
    ASSIGN_OR_RETURN(const auto role, identity::parse_role(name));
    peers.push_back({role, {facts, images.value_or("")}});
  }
  return bus::connect_zmq(peers, bus::all_topics(bus::Images::kWith), context.credentials());
}

// Adds what the bus's thread has queued. Returns when the queue is closed and empty.
void write_recordings(FactQueue& queue, Recordings& recordings) {
  pthread_setname_np(pthread_self(), "disk");
  while (!queue.is_done()) {
    if (const auto received = queue.pop(recordings.next_sync())) {
      if (const auto* fact = std::get_if<recording::RecordedFact>(&received->what)) recordings.add(*fact, received->at);
      if (const auto* gap = std::get_if<v1::RecordingGap>(&received->what)) recordings.add(*gap, received->at);
      if (const auto* over = std::get_if<TaskOver>(&received->what)) recordings.finish(over->task_id, over->cut);
    }
    recordings.sync_if_due();
  }
  recordings.finish_all("da-recorder was stopped");
}

// All facts of a publisher that comes later are read, too. In an embedded run none may come later.
Result<void> begin(BusReader& reader, const service::Context& context) {
  const MonoTime deadline = context.clock().now() + kLongestStart;
  for (;;) {
    const auto begun = reader.begin(context.clock().now() + kBeginTimeout);
    if (begun || context.must_stop()) return ok();
    if (context.keeps_connections() && context.clock().now() >= deadline) return begun;
    spdlog::info("{}", begun.error().message);
    if (!context.keeps_connections()) return ok();
  }
}

Result<void> service_main(service::Context& context) {
  ASSIGN_OR_RETURN(const auto directory, recordings_directory(context.config()));
  ASSIGN_OR_RETURN(const auto limits, read_limits(context.config()));
  ASSIGN_OR_RETURN(auto source, connect(context));
  std::vector<recording::PublishedFactsRpc::Publisher> publishers;
  for (const char* name : kPublishers) {
    ASSIGN_OR_RETURN(auto channel, context.channel_to(name));
    publishers.push_back({name, std::move(channel)});
  }
  ASSIGN_OR_RETURN(auto policy, context.channel_to("policy"));
  recording::PublishedFactsRpc published(std::move(publishers));
  FactQueue queue(kQueueBytes);
  std::function<void()> renew_lease = [] {};
  Recordings recordings({.directory = directory,
                         .limits = limits,
                         .descriptions = [&] { return published.known(); },
                         .lease_changed = [&] { renew_lease(); }},
                        context.clock());
  BusReader reader(std::move(source), published, queue, context.clock());
  RETURN_IF_ERROR(begin(reader, context));
  LeaseKeeperRpc lease(
      std::move(policy), [&] { return recordings.lease(); },
      [&](const v1::RenewRecordingReply& reply) { reader.check_open_tasks(reply); });
  renew_lease = [&] { lease.renew_now(); };
  std::jthread disk([&] { write_recordings(queue, recordings); });
  std::jthread bus([&](const std::stop_token& stop) { reader.run(stop); });
  RecorderRpc rpc(recordings);
  const auto describe = [&] {
    return service::Properties{{"recordings", directory.string()},
                               {"open recordings", std::to_string(recordings.lease().recordings_size())},
                               {"lost facts", std::to_string(reader.lost() + queue.dropped())}};
  };
  return context.serve({&rpc}, describe, [&] {
    bus.request_stop();
    bus.join();
    disk.join();
  });
}

// It reads what every service publishes, so that a fault in its readers must not give its user's files away.
Result<service::Needs> needs(const service::Config& config) {
  ASSIGN_OR_RETURN(const auto directory, recordings_directory(config));
  return service::Needs{.files = {.read = {}, .write = {directory}, .sockets = {}}};
}

}  // namespace
}  // namespace da::recorder

int main(int argc, char** argv) {
  const da::PlainOutput output;
  return da::service::run(
      argc, argv, {.name = "recorder", .summary = "Records the facts of every task.", .needs = da::recorder::needs},
      da::recorder::service_main);
}
