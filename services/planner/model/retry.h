// Decides whether and when a failed call is retried. Pure; any thread.
#pragma once

#include <optional>

#include "lib/base/clock.h"
#include "lib/base/error.h"

namespace da::planner::model {

struct RetryRules {
  int max_tries = 6;
  Milliseconds first_wait{500};  // Doubles with each try, up to longest_wait.
  Milliseconds longest_wait{20'000};
  Milliseconds longest_in_all{120'000};  // All tries and waits, including a wait that the server demands.
};

struct FailedTry {
  int tries = 1;  // Number of tries so far.
  Milliseconds spent{0};
  Error error;
  std::optional<Milliseconds> retry_after;  // The server's demand.
};

// The wait before the next try; nullopt if a retry is useless or does not fit. `random` is uniform in [0,1) and decides
// half of the wait, so that many callers do not retry at the same time.
std::optional<Milliseconds> wait_before_retry(const RetryRules& rules, const FailedTry& failed, double random);

}  // namespace da::planner::model
