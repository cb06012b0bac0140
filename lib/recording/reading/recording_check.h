// Checks a whole recording: the MCAP file (mcap_check.h), that each message is of the type that the file's own schema
// says, and that the facts follow one another without a hole that is not marked.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "lib/recording/mcap/mcap_file.h"

namespace da::recording {

struct CheckCounts {
  std::uint64_t messages = 0;
  std::uint64_t facts = 0;
  std::uint64_t lost = 0;  // Marked ones.
  std::uint64_t faults = 0;
  // Sequence numbers that the recording of one task neither has nor marks as lost. They belong to other tasks, because
  // a finished recording also says how many facts it has.
  std::uint64_t of_other_tasks = 0;
};

// Texts of faults hold foreign text.
CheckCounts check_recording(const McapFile& file, const std::function<void(const std::string& fault)>& fault);

}  // namespace da::recording
