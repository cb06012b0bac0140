// Where the messages, attachments and metadata of an MCAP file are, and what its channels mean. It is taken from the
// summary if that tells everything, else from reading the file from its start: the specification makes the summary, its
// parts, and chunks optional, and other writers leave them out. Pure, but for reading the file; any thread.
#pragma once

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "lib/recording/mcap/mcap_file.h"
#include "lib/recording/mcap/mcap_format.h"

namespace da::recording {

// Messages, schemas and channels that follow one another outside of chunks.
struct McapLooseRecords {
  std::uint64_t offset = 0;
  std::uint64_t end = 0;
  McapStatistics messages;
};

enum class McapState {
  kComplete,
  kCut,      // The end is missing, or only a part was asked for; everything before it was read.
  kDamaged,  // Parts cannot be read or mean nothing: a wrong checksum, an unknown compression, undefined channels.
};

struct McapContents {
  McapDefinitions definitions;
  std::vector<McapChunkIndex> chunks;   // Sorted by offset.
  std::vector<McapLooseRecords> loose;  // Sorted by offset.
  std::set<std::uint64_t> attachments;  // Offsets.
  std::set<std::uint64_t> metadata;
  McapStatistics statistics;
  bool by_scan = false;  // The file was read from its start.
  McapState state = McapState::kComplete;
  std::string problem;  // Empty if the file is complete.
};

inline constexpr std::uint64_t kWholeFile = std::numeric_limits<std::uint64_t>::max();

// Without a good summary, the file is read up to `max_scan` bytes, or up to its first damage.
McapContents find_contents(const McapFile& file, std::uint64_t max_scan = kWholeFile);

}  // namespace da::recording
