// The limits of one task, and its use of them. Fixed when the task is opened; the planner cannot change them.
// Not thread-safe: Tasks guards it.
#pragma once

#include <cstdint>
#include <optional>

#include "da/v1/policy_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

struct Limits {
  std::uint32_t steps = 1'000;           // Steps that act.
  Milliseconds time{4 * 3'600'000};      // Counted from the opening of the task.
  std::uint32_t steps_per_second = 200;  // Submissions, in bursts of up to this number. In total 20 * steps.
  std::uint32_t text_characters = 1'000'000;
  std::uint32_t launches = 50;

  // 0 means the default above.
  static Limits from(const v1::TaskLimits& wanted);
};

class TaskUse {
 public:
  // A rejected submission is reported (recorded and published) at most once a second.
  enum class Admission { kAccepted, kRejectAndReport, kReject };

  TaskUse(const Limits& limits, MonoTime opened)
      : limits_(limits), opened_(opened), tokens_(limits.steps_per_second), counted_at_(opened) {}

  Admission submit(MonoTime now);
  // Zero or less: the task may not act any more.
  Milliseconds time_left(MonoTime now) const;
  // Counts an action. kResourceExhausted names the limit that is reached; then nothing is counted.
  Result<void> act(const v1::Action& action, MonoTime now);

 private:
  Limits limits_;
  MonoTime opened_;
  double tokens_;  // Token bucket: the submissions that may come now, at most those of one second.
  MonoTime counted_at_;
  std::uint64_t submissions_ = 0;
  std::optional<MonoTime> reported_;  // The last kRejectAndReport.
  std::uint32_t steps_ = 0;
  std::uint64_t text_characters_ = 0;
  std::uint32_t launches_ = 0;
};

}  // namespace da::policy
