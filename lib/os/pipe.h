// A pipe whose two ends close when they go, and in programs that this process starts.
#pragma once

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::os {

struct Pipe {
  UniqueFd reader;
  UniqueFd writer;
};

Result<Pipe> make_pipe();

}  // namespace da::os
