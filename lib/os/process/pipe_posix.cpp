#include "lib/os/process/pipe.h"

#include <fcntl.h>

#include <cerrno>

namespace da::os {

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return posix_error("make a pipe", errno);
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

Result<UniqueFd> make_filled_pipe(std::string_view bytes) {
  ASSIGN_OR_RETURN(Pipe pipe, make_pipe());
  // A blocking write would wait forever for bytes beyond the kernel's buffer.
  if (::fcntl(pipe.writer.get(), F_SETFL, O_NONBLOCK) != 0) return posix_error("fill a pipe", errno);
  if (::write(pipe.writer.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    return Error{Code::kFailedPrecondition, "fill a pipe: " + std::to_string(bytes.size()) + " bytes do not fit"};
  }
  return std::move(pipe.reader);
}

Result<std::string> read_to_end(UniqueFd reader, std::size_t max_bytes) {
  // Allocated at full size, so that no part of a secret stays in memory freed by a reallocation.
  std::string bytes(max_bytes + 1, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = ::read(reader.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return posix_error("read a descriptor", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > max_bytes) {
    return Error{Code::kInvalidArgument, "read a descriptor: more than " + std::to_string(max_bytes) + " bytes"};
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace da::os
