#pragma once

#include <functional>

#include "lib/base/result.h"

namespace da::actuator {

// Called between chunks of input (at most 10 ms each). An error stops the input and releases all held keys and buttons.
using Checkpoint = std::function<Result<void>()>;

}  // namespace da::actuator
