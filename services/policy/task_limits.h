// What one task may use up, and what it has used. Fixed when the task is opened; the planner has no say in it.
// Not for several threads at once: Tasks guards it.
#pragma once

#include <cstdint>
#include <optional>

#include "da/v1/policy_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

struct Limits {
  std::uint32_t steps = 1'000;           // That act.
  Milliseconds time{4 * 3'600'000};      // Since the task was opened.
  std::uint32_t steps_per_second = 200;  // Submitted; as many at once after a pause. In all, 20 for each that may act.
  std::uint32_t text_characters = 1'000'000;
  std::uint32_t launches = 50;

  // What is 0 there stays as it is here.
  static Limits from(const v1::TaskLimits& wanted);
};

class TaskUse {
 public:
  // What becomes of a submission. Of those that come too often only one a second is worth telling.
  enum class Admission { kAccepted, kTooManyTold, kTooMany };

  TaskUse(const Limits& limits, MonoTime opened)
      : limits_(limits), opened_(opened), may_come_(limits.steps_per_second), counted_at_(opened) {}

  Admission submit(MonoTime now);
  // Not above 0: it may act no more.
  Milliseconds time_left(MonoTime now) const;
  // Counts, unless it returns kResourceExhausted with the limit that is reached.
  Result<void> act(const v1::Action& action, MonoTime now);

 private:
  Limits limits_;
  MonoTime opened_;
  double may_come_;  // Submissions now; grows by the second, up to a second's worth.
  MonoTime counted_at_;
  std::uint64_t submissions_ = 0;
  std::optional<MonoTime> told_;  // When it was last said that they are too many.
  std::uint32_t steps_ = 0;
  std::uint64_t text_characters_ = 0;
  std::uint32_t launches_ = 0;
};

}  // namespace da::policy
