#include "services/policy/task/task_limits.h"

#include <algorithm>
#include <string>

#include "lib/base/text.h"
#include "services/policy/judgement/caret_model.h"

namespace da::policy {
namespace {

// Stale and refused steps may be submitted again. More submissions than this are only attempts.
constexpr std::uint32_t kSubmissionsForEachStep = 20;
constexpr Milliseconds kReportInterval{1'000};

Error reached(const std::string& limit) {
  return {Code::kResourceExhausted, "the task has reached its limit of " + limit};
}

}  // namespace

Limits Limits::from(const v1::TaskLimits& wanted) {
  Limits limits;
  if (wanted.steps() > 0) limits.steps = wanted.steps();
  if (wanted.time_s() > 0) limits.time = std::chrono::seconds(wanted.time_s());
  if (wanted.steps_per_second() > 0) limits.steps_per_second = wanted.steps_per_second();
  if (wanted.text_characters() > 0) limits.text_characters = wanted.text_characters();
  if (wanted.launches() > 0) limits.launches = wanted.launches();
  return limits;
}

TaskUse::Admission TaskUse::submit(MonoTime now) {
  const double most = limits_.steps_per_second;
  const double passed = std::chrono::duration<double>(now - counted_at_).count();
  tokens_ = std::min(most, tokens_ + passed * most);
  counted_at_ = now;
  if (tokens_ >= 1 && submissions_ < std::uint64_t{kSubmissionsForEachStep} * limits_.steps) {
    tokens_ -= 1;
    ++submissions_;
    return Admission::kAccepted;
  }
  if (reported_ && now - *reported_ < kReportInterval) return Admission::kReject;
  reported_ = now;
  return Admission::kRejectAndReport;
}

Milliseconds TaskUse::time_left(MonoTime now) const {
  return std::chrono::ceil<Milliseconds>(opened_ + limits_.time - now);
}

Result<void> TaskUse::act(const v1::Action& action, MonoTime now) {
  const std::uint64_t characters = characters_in(typed_by(action));
  if (time_left(now) <= Milliseconds(0)) {
    return reached(std::to_string(std::chrono::duration_cast<std::chrono::seconds>(limits_.time).count()) + " s");
  }
  if (steps_ >= limits_.steps) return reached(std::to_string(limits_.steps) + " steps");
  if (action.has_launch() && launches_ >= limits_.launches)
    return reached(std::to_string(limits_.launches) + " launches");
  if (text_characters_ + characters > limits_.text_characters) {
    return reached(std::to_string(limits_.text_characters) + " typed characters");
  }
  ++steps_;
  text_characters_ += characters;
  if (action.has_launch()) ++launches_;
  return ok();
}

}  // namespace da::policy
