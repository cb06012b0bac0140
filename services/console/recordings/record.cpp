#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <optional>
#include <span>

#include "lib/base/text.h"
#include "lib/bus/topics.h"
#include "lib/os/unique_fd.h"
#include "lib/recording/fact_intake.h"
#include "lib/recording/published_facts_rpc.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/commands.h"
#include "services/console/recordings/rotation.h"
#include "services/console/recordings/summary_text.h"
#include "services/console/session/session.h"
#include "services/console/terminal/stream/status_line.h"

namespace da::console {
namespace {

constexpr Milliseconds kBeginTimeout{5'000};
constexpr Milliseconds kTurn{50};
constexpr Milliseconds kLastFacts{20};

Result<std::vector<recording::PublishedFactsRpc::Publisher>> publishers_of(const Session& session) {
  std::vector<recording::PublishedFactsRpc::Publisher> publishers;
  for (const std::string name : std::span(kAllServices).first<kPublishers>()) {
    ASSIGN_OR_RETURN(auto channel, session.channel_to(name));
    publishers.push_back({name, std::move(channel)});
  }
  return publishers;
}

std::uint64_t lost_facts(const Rotation& rotation) {
  std::uint64_t all = 0;
  for (const auto& [topic, facts] : rotation.lost())
    all += std::min(facts, std::numeric_limits<std::uint64_t>::max() - all);
  return all;
}

// Reads the bus into the files. Owner's thread.
class BusRecorder {
 public:
  BusRecorder(std::unique_ptr<bus::Source> source, recording::PublishedFacts& published, Rotation& rotation)
      : rotation_(rotation),
        intake_(std::move(source), published,
                {.fact = [this](const recording::RecordedFact& fact) { keep(rotation_.add(fact)); },
                 .gap = [this](const v1::RecordingGap& gap) { keep(rotation_.add(gap)); }}) {}

  Result<void> begin() { return intake_.begin(system_clock().now() + kBeginTimeout); }

  // Until a signal, the deadline, or an error of the file or the bus.
  Result<void> run(std::optional<MonoTime> deadline) {
    const sigset_t signals = stop_signals();
    const os::UniqueFd stopped(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    const MonoTime began = system_clock().now();
    while (state_ && (!deadline || system_clock().now() < *deadline)) {
      pollfd polled{stopped.get(), POLLIN, 0};
      if (::poll(&polled, 1, 0) == 1) break;
      RETURN_IF_ERROR(intake_.read(system_clock().now() + kTurn));
      keep(rotation_.sync_if_due());
      show_progress(began);
    }
    status_.hold();
    while (state_ && intake_.read(system_clock().now() + kLastFacts).value_or(false)) {
    }
    if (state_) intake_.catch_up();
    return state_;
  }

 private:
  void keep(Result<void> result) {
    if (state_) state_ = std::move(result);
  }

  void show_progress(MonoTime began) {
    if (::isatty(STDOUT_FILENO) == 0) return;
    const double seconds = std::chrono::duration<double>(system_clock().now() - began).count();
    status_.draw("recording: " + duration_text(seconds) + ", " + std::to_string(rotation_.facts()) + " facts, " +
                 size_text(rotation_.bytes()) + ", " + std::to_string(lost_facts(rotation_)) + " lost; Ctrl+C ends it");
  }

  Rotation& rotation_;
  Result<void> state_;  // The first error.
  recording::FactIntake intake_;
  StatusLine status_;
};

void print_end(const Rotation& rotation) {
  std::cout << "recorded " << rotation.facts() << " facts, " << size_text(rotation.bytes()) << ", "
            << lost_facts(rotation) << " lost\n";
  for (const auto& [topic, facts] : rotation.lost()) std::cout << "  lost of " << topic << ": " << facts << "\n";
  for (const auto& file : rotation.files()) std::cout << file.string() << "\n";
}

}  // namespace

int record_bus(const RecordOptions& options) {
  ASSIGN_OR_REPORT(const auto session, Session::open(options.config));
  ASSIGN_OR_REPORT(auto publishers, publishers_of(session));
  ASSIGN_OR_REPORT(auto source, session.connect_bus(bus::all_topics(bus::Images::kWith)));
  ASSIGN_OR_REPORT(auto rotation,
                   Rotation::create(options.file,
                                    {.bytes = options.rotate_bytes, .age = options.rotate_every, .files = options.keep},
                                    system_clock()));
  recording::PublishedFactsRpc published(std::move(publishers));
  BusRecorder recorder(std::move(source), published, rotation);
  // Facts of a service that is not there yet are recorded once it is.
  if (const auto begun = recorder.begin(); !begun)
    std::cerr << "da-console: " << escape_foreign(begun.error().message, 4000) << std::endl;
  std::cerr << "recording into " << options.file.string() << std::endl;
  const auto recorded = recorder.run(
      options.duration.count() == 0 ? std::nullopt : std::optional(system_clock().now() + options.duration));
  if (!recorded) return report(recorded.error());
  if (const auto finished = rotation.finish("the recording was stopped"); !finished) return report(finished.error());
  print_end(rotation);
  return kDone;
}

}  // namespace da::console
