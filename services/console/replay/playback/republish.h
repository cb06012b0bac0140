// Publishes a recording on a bus of its own, in the recorded order and pace, so that any console of this user sees what
// was seen then. Every fact has the desktop "replay:..." and the origin of a replay; the rest is as it was sent. Main
// thread.
#pragma once

#include "services/console/replay/playback/playback.h"

namespace da::console {

struct Republished {
  std::uint64_t facts = 0;
  // How long after its time a fact was sent.
  Nanoseconds jitter_p50{};
  Nanoseconds jitter_p99{};
};

// wait: the time that subscribers get to connect first.
Result<Republished> republish(const recording::RecordingReader& recording, Playback& playback, Milliseconds wait,
                              int signal_fd);

}  // namespace da::console
