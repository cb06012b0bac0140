// Writes what can be read of a damaged or cut recording into a new one, which is complete. Messages keep their bytes,
// times and numbers. Facts that are missing because of the damage are marked as lost.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "lib/recording/mcap/mcap_walk.h"

namespace da::recording {

struct Recovery {
  std::uint64_t messages = 0;
  std::uint64_t facts = 0;
  std::uint64_t attachments = 0;
  std::uint64_t lost = 0;          // Facts that are now marked as lost, and were not before.
  std::uint64_t undefined = 0;     // Messages that were dropped, because the definition of their channel is lost.
  std::vector<McapDamage> damage;  // The first hundred.
  std::uint64_t missing_bytes = 0;
  // Facts that the recording had by its own count and that are not recovered; also unmarked ones.
  std::uint64_t missing_facts = 0;
  bool had_end = false;  // False: an unknown number of facts may be missing at the end.
};

// kAlreadyExists if `output` has content. kDataLoss if nothing can be read. After an error there is no output.
Result<Recovery> recover(const McapFile& file, const std::filesystem::path& output);

}  // namespace da::recording
