#include "lib/os/pipe.h"

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
  // What the kernel's buffer does not take would block.
  if (::fcntl(pipe.writer.get(), F_SETFL, O_NONBLOCK) != 0) return posix_error("fill a pipe", errno);
  if (::write(pipe.writer.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    return Error{Code::kFailedPrecondition, "fill a pipe: it does not take " + std::to_string(bytes.size()) + " bytes"};
  }
  return std::move(pipe.reader);
}

}  // namespace da::os
