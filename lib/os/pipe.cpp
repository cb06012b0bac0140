#include "lib/os/pipe.h"

#include <fcntl.h>

#include <cerrno>

namespace da::os {

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return posix_error("make a pipe", errno);
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

}  // namespace da::os
