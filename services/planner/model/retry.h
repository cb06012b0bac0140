// Whether and when a call that failed is tried again. Pure; any thread.
#pragma once

#include <optional>

#include "lib/base/clock.h"
#include "lib/base/error.h"

namespace da::planner::model {

struct RetryRules {
  int max_tries = 6;
  Milliseconds first_wait{500};  // Doubled each time, up to the longest.
  Milliseconds longest_wait{20'000};
  Milliseconds longest_in_all{
      120'000};  // Waits included, from the first try on. What a server demands must fit in too.
};

struct FailedTry {
  int tries = 1;  // Made until now.
  Milliseconds spent{0};
  Error error;
  std::optional<Milliseconds> retry_after;  // As the server said.
};

// How long to wait; nullopt where trying again is no use, or there is no time. `dice` is uniform in [0,1): half of the
// wait is left to chance, so that many callers do not come back together.
std::optional<Milliseconds> wait_before_retry(const RetryRules& rules, const FailedTry& failed, double dice);

}  // namespace da::planner::model
