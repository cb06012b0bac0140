// Compares the summary of an MCAP file with its content. Pure; any thread.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "lib/recording/mcap/mcap_file.h"

namespace da::recording {

// What the data section holds; records by their offset.
struct McapExpected {
  bool is_whole = true;  // False: parts of the data cannot be read, so definitions and statistics are not compared.
  McapDefinitions definitions;
  McapStatistics statistics;  // Counts messages only; the numbers of other records stay 0.
  std::map<std::uint64_t, McapChunkIndex> chunks;
  std::map<std::uint64_t, std::string> attachments;  // The content of the index record that they should have.
  std::map<std::uint64_t, std::string> metadata;
};

void check_summary(const McapFile::Summary& summary, const McapExpected& expected,
                   const std::function<void(const std::string& fault)>& fault);

}  // namespace da::recording
