#pragma once

#include <functional>

#include "lib/base/result.h"

namespace da::actuator {

// Called between chunks of input (at most 10 ms each). An error stops the input and releases all held keys and buttons.
using Checkpoint = std::function<Result<void>()>;

// Whether waiting for the effect of an action that was carried out must end. A target that went away or was covered may
// be the effect.
inline bool must_stop_waiting(const Checkpoint& checkpoint) {
  const auto still = checkpoint();
  return !still && still.error().code != Code::kAborted;
}

}  // namespace da::actuator
