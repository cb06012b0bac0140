#include "services/console/replay/playback/republish.h"

#include <poll.h>

#include <algorithm>
#include <iostream>

#include "lib/bus/topics.h"
#include "services/console/replay/replay_desktop.h"
#include "services/console/replay/stand_in/stand_ins.h"
#include "services/console/session/embedded_services.h"

namespace da::console {
namespace {

// Returns the fact as it was sent, except for desktop and origin.
std::string as_replay(const Playback::Fact& fact, const std::string& desktop) {
  const std::unique_ptr<google::protobuf::Message> message(fact.message->New());
  message->CopyFrom(*fact.message);
  const auto* field = message->GetDescriptor()->FindFieldByNumber(1);
  auto& header = static_cast<v1::Header&>(*message->GetReflection()->MutableMessage(message.get(), field));
  header.set_desktop_id(desktop);
  header.set_origin(v1::Header::ORIGIN_REPLAY);
  return message->SerializeAsString();
}

Nanoseconds percentile(std::vector<Nanoseconds>& sorted, std::size_t percent) {
  return sorted.empty() ? Nanoseconds(0) : sorted[(sorted.size() - 1) * percent / 100];
}

}  // namespace

Result<Republished> republish(const recording::RecordingReader& recording, Playback& playback, Milliseconds wait,
                              int signal_fd) {
  const std::string desktop = replay_desktop(recording);
  std::unique_ptr<Publishers> publishers;
  EmbeddedOptions options{.backend = "fake"};
  options.only = std::vector<std::string>();
  options.recorded = false;
  options.replay =
      EmbeddedReplay{.desktop = desktop,
                     .stand_in = [&](const std::filesystem::path& run, const HandedOver& handed_over) -> Result<void> {
                       ASSIGN_OR_RETURN(publishers, start_publishers(run, handed_over, recording.path().string()));
                       return ok();
                     }};
  ASSIGN_OR_RETURN(const auto run, EmbeddedServices::start(options));
  std::cerr << "published again on a bus of its own, in " << std::chrono::duration<double>(wait).count()
            << " s; to see it: da-console watch --config " << run.console_config().string() << std::endl;
  pollfd polled{signal_fd, POLLIN, 0};
  Republished republished;
  if (::poll(&polled, 1, static_cast<int>(wait.count())) > 0) return republished;
  std::vector<Nanoseconds> late;
  RETURN_IF_ERROR(playback.run(signal_fd, [&](const Playback::Fact& fact, MonoTime due) -> Result<void> {
    const v1::Topic& topic = *bus::topic_of(*fact.message->GetDescriptor());
    late.push_back(system_clock().now() - due);
    return publishers->send(topic.writer(), topic.image() ? bus::Lane::kImages : bus::Lane::kFacts, fact.topic,
                            as_replay(fact, desktop));
  }));
  std::ranges::sort(late);
  republished.facts = late.size();
  republished.jitter_p50 = percentile(late, 50);
  republished.jitter_p99 = percentile(late, 99);
  return republished;
}

}  // namespace da::console
