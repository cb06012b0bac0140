#include <sys/signalfd.h>

#include <iostream>

#include "lib/base/text.h"
#include "lib/bus/topics.h"
#include "lib/os/unique_fd.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/replay/commands.h"
#include "services/console/replay/playback/playback.h"
#include "services/console/replay/playback/republish.h"
#include "services/console/terminal/stream/stream_view.h"

namespace da::console {
namespace {

Result<std::set<std::string>> wanted_topics(const ShowReplayOptions& options) {
  if (options.topics.empty()) {
    if (options.publish) return std::set<std::string>();
    const auto shown = bus::shown_topics(bus::Images::kWithout);
    return std::set<std::string>(shown.begin(), shown.end());
  }
  for (const std::string& topic : options.topics) {
    if (bus::fact_of(topic) == nullptr) {
      return Error{Code::kInvalidArgument, "no topic is called " + quote_foreign(topic, 60) +
                                               "; `da-console recording info` lists those of a recording"};
    }
  }
  return std::set<std::string>(options.topics.begin(), options.topics.end());
}

bus::Fact copy(const Playback::Fact& fact) {
  bus::Fact copied{.topic = fact.topic,
                   .message = std::unique_ptr<google::protobuf::Message>(fact.message->New()),
                   .header = fact.header};
  copied.message->CopyFrom(*fact.message);
  return copied;
}

Result<void> show(Playback& playback, Format format, int signal_fd) {
  // Lines show the time since the beginning of the recording.
  const MonoTime start{};
  std::unique_ptr<FactView> view = std::make_unique<LineView>(start);
  if (format == Format::kJson) view = std::make_unique<JsonView>();
  return playback.run(signal_fd, [&](const Playback::Fact& fact, MonoTime) {
    view->show(copy(fact), start + (fact.received - playback.began()));
    return std::cout ? ok() : Result<void>(Error{Code::kUnavailable, "stdout is closed"});
  });
}

void print(const Republished& published) {
  const auto ms = [](Nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); };
  std::cout << published.facts << " facts were published again, p50 " << ms(published.jitter_p50) << " ms and p99 "
            << ms(published.jitter_p99) << " ms after their time\n";
}

}  // namespace

int show_replay(const ShowReplayOptions& options) {
  ASSIGN_OR_REPORT(const auto file, find_recording(options.file));
  ASSIGN_OR_REPORT(const auto recording, recording::RecordingReader::open(file));
  ASSIGN_OR_REPORT(auto topics, wanted_topics(options));
  auto keys = options.format == Format::kJson ? std::nullopt : ReplayKeys::open();
  ASSIGN_OR_REPORT(auto playback, Playback::open(*recording, {std::move(topics), options.speed, options.from_step},
                                                 keys ? &*keys : nullptr));
  if (keys) std::cerr << ReplayKeys::kHelp << std::endl;
  const sigset_t signals = stop_signals();
  const os::UniqueFd signal_fd(::signalfd(-1, &signals, SFD_CLOEXEC));
  if (options.publish) {
    ASSIGN_OR_REPORT(const auto published, republish(*recording, *playback, options.wait, signal_fd.get()));
    print(published);
  } else if (const auto shown = show(*playback, options.format, signal_fd.get()); !shown) {
    return report(shown.error());
  }
  if (!recording->file().problem().empty()) std::cerr << escape_foreign(recording->file().problem()) << "\n";
  return kDone;
}

}  // namespace da::console
