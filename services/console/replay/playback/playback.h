// Shows a recording again, or publishes it again: passes its facts at the pace of the recording, and lets a person
// pause, step, change the speed and jump. Main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lib/recording/reading/recording_reader.h"
#include "services/console/replay/playback/replay_keys.h"
#include "services/console/replay/playback/replay_pace.h"

namespace da::console {

struct PlaybackOptions {
  std::set<std::string> topics;  // Empty: all.
  double speed = 1;              // 0: as fast as possible.
  std::size_t from_step = 0;     // Plan to begin at, counted from 1; 0: the recording's beginning.
};

class Playback {
 public:
  using Fact = recording::RecordingReader::Fact;
  // due: when the fact is to be passed on. An error ends the playback.
  using Take = std::function<Result<void>(const Fact& fact, MonoTime due)>;

  // keys: nullptr: nobody can press any. kNotFound: there is no such step.
  static Result<std::unique_ptr<Playback>> open(const recording::RecordingReader& recording, PlaybackOptions options,
                                                ReplayKeys* keys);

  // Returns at the end, or when a person or a signal (at this descriptor) ends it.
  Result<void> run(int signal_fd, const Take& take);

  // When the recording began.
  WallTime began() const { return began_; }

 private:
  Playback(const recording::RecordingReader& recording, PlaybackOptions options, ReplayKeys* keys)
      : recording_(recording), options_(std::move(options)), keys_(keys), pace_(WallTime(), options_.speed) {}

  enum class Next { kPass, kJump, kQuit };
  // Waits until the fact is due.
  Next wait(WallTime recorded, int signal_fd);
  void obey(ReplayKeys::Key key);
  // The step at this time; 0 before the first.
  std::size_t step_at(WallTime recorded) const;
  void say_status() const;

  const recording::RecordingReader& recording_;
  const PlaybackOptions options_;
  ReplayKeys* const keys_;
  ReplayPace pace_;
  std::vector<std::uint64_t> steps_;  // Log times of the plans.
  WallTime began_;
  std::uint64_t from_ = 0;  // Log time, to begin with or to jump to.
  bool one_step_ = false;   // Pause at the next plan.
  bool jump_ = false;
};

}  // namespace da::console
