#include "services/planner/model/retry.h"

#include <algorithm>

namespace da::planner::model {
namespace {

bool is_temporary(Code code) {
  return code == Code::kUnavailable || code == Code::kResourceExhausted || code == Code::kDeadlineExceeded ||
         code == Code::kDataLoss;
}

}  // namespace

std::optional<Milliseconds> wait_before_retry(const RetryRules& rules, const FailedTry& failed, double random) {
  if (!is_temporary(failed.error.code) || failed.tries >= rules.max_tries) return std::nullopt;
  const auto doubled = rules.first_wait * (1 << std::min(failed.tries - 1, 16));
  const auto most = static_cast<double>(std::min(doubled, rules.longest_wait).count());
  const Milliseconds own(static_cast<std::int64_t>(most * (0.5 + random / 2)));
  const Milliseconds wait = std::max(own, failed.retry_after.value_or(Milliseconds(0)));
  if (failed.spent + wait > rules.longest_in_all) return std::nullopt;
  return wait;
}

}  // namespace da::planner::model
