// A pipe. Both ends close with their owners, and on exec.
#pragma once

#include <optional>
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

// The reading end of a closed pipe with these bytes in it, at most 64 KiB.
Result<UniqueFd> make_filled_pipe(std::string_view bytes);

// Reads until the other end is closed. kInvalidArgument: more than max_bytes.
Result<std::string> read_to_end(UniqueFd reader, std::size_t max_bytes);

// A message of a conversation: its length (4 bytes, the lowest first), and its bytes. kUnavailable: nobody reads.
Result<void> write_message(int fd, std::string_view bytes);
// Waits for one. nullopt: the other end is closed. kDataLoss: it was closed within a message. kInvalidArgument: the
// message is longer than max_bytes.
Result<std::optional<std::string>> read_message(int fd, std::size_t max_bytes);

}  // namespace da::os
