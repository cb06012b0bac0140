// Owner of a POSIX file descriptor.
#pragma once

#include <unistd.h>

#include "lib/os/unique_handle.h"

namespace da::os {

struct FdTraits {
  using Handle = int;
  static constexpr int kInvalid = -1;
  static void close(int fd) { ::close(fd); }
};
using UniqueFd = UniqueHandle<FdTraits>;

}  // namespace da::os
