// What can be said of a recording without reading its messages: from its metadata and its summary section. Of a
// recording without a summary, a limited part is read. The texts are foreign.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "lib/recording/mcap/mcap_reader.h"

namespace da::recording {

// State of a recording. to_string() gives "complete", "being written", "cut" or "not complete".
enum class RecordingState {
  kComplete,
  kBeingWritten,
  kCut,          // Its writer is gone, and its end is missing.
  kNotComplete,  // One of these two.
};
std::string_view to_string(RecordingState state);

struct RecordingSummary {
  using Values = std::map<std::string, std::string>;

  std::unique_ptr<McapReader> reader;
  RecordingState state = RecordingState::kComplete;
  std::string problem;  // Why it is not complete; empty if it is.
  Values about;         // See RecordingReader::about().
  Values end;
  std::uint64_t facts = 0;                    // Those that were found.
  std::map<std::string, std::uint64_t> lost;  // Number of published facts that are not in the file, by topic.

  std::uint64_t lost_facts() const;
  // Time from the first to the last message.
  double seconds() const;
};

// Reads up to `max_scan` bytes of a recording without a summary. kInvalidArgument if it is no recording of ours.
Result<RecordingSummary> summarize(const std::filesystem::path& file, std::uint64_t max_scan = kWholeFile);

}  // namespace da::recording
