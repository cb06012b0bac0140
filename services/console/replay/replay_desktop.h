// The desktop id of a recording's replays: "replay:" and the beginning of the task's id. Pure; any thread.
#pragma once

#include <string>

#include "lib/recording/reading/recording_reader.h"
#include "lib/service/replay.h"

namespace da::console {

inline std::string replay_desktop(const recording::RecordingReader& recording) {
  constexpr std::size_t kIdCharacters = 8;
  const std::string id = recording::RecordingReader::value(recording.about(), "task");
  return std::string(service::kReplayDesktop) + id.substr(0, kIdCharacters);
}

}  // namespace da::console
