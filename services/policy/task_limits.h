// What one task may use up, and what it has used. Fixed when the task is opened; the planner has no say in it.
// Not for several threads at once: Tasks guards it.
#pragma once

#include <cstdint>

#include "da/v1/policy_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

struct Limits {
  std::uint32_t steps = 1'000;           // That act.
  Milliseconds time{4 * 3'600'000};      // Since the task was opened.
  std::uint32_t steps_per_second = 200;  // Submitted; as many at once after a pause.
  std::uint32_t text_characters = 1'000'000;
  std::uint32_t launches = 50;

  // What is 0 there stays as it is here.
  static Limits from(const v1::TaskLimits& wanted);
};

// Each call counts, unless it returns kResourceExhausted with the limit that is reached.
class TaskUse {
 public:
  TaskUse(const Limits& limits, MonoTime opened)
      : limits_(limits), opened_(opened), submissions_(limits.steps_per_second), counted_at_(opened) {}

  Result<void> submit(MonoTime now);
  Result<void> act(const v1::Action& action, MonoTime now);

 private:
  Limits limits_;
  MonoTime opened_;
  double submissions_;  // How many may still come now; grows by the second, up to a second's worth.
  MonoTime counted_at_;
  std::uint32_t steps_ = 0;
  std::uint64_t text_characters_ = 0;
  std::uint32_t launches_ = 0;
};

}  // namespace da::policy
