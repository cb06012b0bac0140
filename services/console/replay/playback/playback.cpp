#include "services/console/replay/playback/playback.h"

#include <poll.h>

#include <algorithm>
#include <iostream>

#include "da/v1/plan.pb.h"
#include "lib/bus/topics.h"

namespace da::console {
namespace {

constexpr double kFaster = 2;
constexpr double kSlowest = 0.1;
constexpr double kFastest = 100;
constexpr const char* kEnd = "the playback ends";  // Never shown.

std::uint64_t nanoseconds(WallTime time) { return static_cast<std::uint64_t>(time.time_since_epoch().count()); }
WallTime wall(std::uint64_t ns) { return WallTime(Nanoseconds(static_cast<std::int64_t>(ns))); }

}  // namespace

Result<std::unique_ptr<Playback>> Playback::open(const recording::RecordingReader& recording, PlaybackOptions options,
                                                 ReplayKeys* keys) {
  std::unique_ptr<Playback> playback(new Playback(recording, std::move(options), keys));
  RETURN_IF_ERROR(recording.facts({.topics = {bus::topic_name<v1::Plan>()}}, [&](const Fact& fact) {
    playback->steps_.push_back(nanoseconds(fact.received));
    return ok();
  }));
  playback->began_ = wall(recording.file().statistics().start_ns);
  playback->from_ = nanoseconds(playback->began_);
  const std::size_t step = playback->options_.from_step;
  if (step > playback->steps_.size()) {
    return Error{Code::kNotFound, "the recording has only " + std::to_string(playback->steps_.size()) + " plans"};
  }
  if (step > 0) playback->from_ = playback->steps_[step - 1];
  return playback;
}

Result<void> Playback::run(int signal_fd, const Take& take) {
  pace_.begin_at(wall(from_));
  bool quit = false;
  do {
    jump_ = false;
    const auto read = recording_.facts({.from_ns = from_, .topics = options_.topics}, [&](const Fact& fact) {
      const bool is_plan = fact.topic == bus::topic_name<v1::Plan>();
      if (is_plan && std::exchange(one_step_, false)) pace_.pause();
      const Next next = wait(fact.received, signal_fd);
      quit = next == Next::kQuit;
      if (next != Next::kPass) return Result<void>(Error{Code::kCancelled, kEnd});
      return take(fact, pace_.due(fact.received));
    });
    if (!read && !quit && !jump_) return read;
  } while (jump_);
  return ok();
}

Playback::Next Playback::wait(WallTime recorded, int signal_fd) {
  while (true) {
    const MonoTime due = pace_.due(recorded);
    const auto left = due - system_clock().now();
    const bool is_due = due != MonoTime::max() && left <= Nanoseconds(0);
    timespec timeout{};
    if (!is_due && due != MonoTime::max()) {
      timeout.tv_sec = std::chrono::duration_cast<std::chrono::seconds>(left).count();
      timeout.tv_nsec = left.count() % 1'000'000'000;
    }
    pollfd polled[] = {{signal_fd, POLLIN, 0}, {keys_ == nullptr ? -1 : keys_->descriptor(), POLLIN, 0}};
    ::ppoll(polled, 2, due == MonoTime::max() ? nullptr : &timeout, nullptr);
    if (polled[0].revents != 0) return Next::kQuit;
    if (polled[1].revents != 0) {
      const auto key = keys_->read();
      if (key == ReplayKeys::Key::kQuit) return Next::kQuit;
      from_ = nanoseconds(recorded);
      obey(key);
      if (jump_) return Next::kJump;
      continue;
    }
    if (is_due) return Next::kPass;
  }
}

std::size_t Playback::step_at(WallTime recorded) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(steps_, nanoseconds(recorded)) - steps_.begin());
}

void Playback::obey(ReplayKeys::Key key) {
  const std::size_t step = step_at(wall(from_));
  const auto jump_to = [&](std::uint64_t time) {
    from_ = time;
    jump_ = true;
    const bool paused = pace_.is_paused();
    pace_.begin_at(wall(from_));
    if (paused) pace_.pause();
  };
  switch (key) {
    case ReplayKeys::Key::kPause: pace_.is_paused() ? pace_.resume() : pace_.pause(); break;
    case ReplayKeys::Key::kStep:
      one_step_ = true;
      if (pace_.is_paused()) pace_.resume();
      break;
    case ReplayKeys::Key::kFaster: pace_.set_speed(std::min(kFastest, pace_.speed() * kFaster)); break;
    case ReplayKeys::Key::kSlower: pace_.set_speed(std::max(kSlowest, pace_.speed() / kFaster)); break;
    case ReplayKeys::Key::kNext:
      if (step < steps_.size()) jump_to(steps_[step]);
      break;
    case ReplayKeys::Key::kPrevious: jump_to(step >= 2 ? steps_[step - 2] : nanoseconds(began_)); break;
    default: return;
  }
  say_status();
}

void Playback::say_status() const {
  std::cerr << "  " << (pace_.is_paused() ? "paused" : "playing") << ", step " << step_at(wall(from_)) << " of "
            << steps_.size() << ", speed " << pace_.speed() << std::endl;
}

}  // namespace da::console
