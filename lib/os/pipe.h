// A pipe whose two ends close when they go, and in programs that this process starts.
#pragma once

#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::os {

struct Pipe {
  UniqueFd reader;
  UniqueFd writer;
};

Result<Pipe> make_pipe();

// The reading end of a pipe that holds these bytes, at most 64 KiB, and then ends.
Result<UniqueFd> make_filled_pipe(std::string_view bytes);

// All that comes until the other end is closed. kInvalidArgument: it is more than that, or cannot be read.
Result<std::string> read_to_end(UniqueFd reader, std::size_t max_bytes);

}  // namespace da::os
