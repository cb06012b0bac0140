// A file without a name, in memory: bytes of any length for a child's stdin. Linux.
#pragma once

#include <string_view>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::os {

// Open at its beginning; closed on exec.
Result<UniqueFd> make_memory_file(std::string_view bytes);

}  // namespace da::os
