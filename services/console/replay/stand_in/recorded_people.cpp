#include "services/console/replay/stand_in/recorded_people.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "lib/base/text.h"
#include "lib/contract/digest.h"

namespace da::console {
namespace {

constexpr const char* kReplay = "the replay";

}  // namespace

std::vector<std::string> approvers_in(const std::string& approvers) {
  std::vector<std::string> names;
  constexpr std::string_view kBetween = ", ";
  for (std::size_t begin = 0; begin < approvers.size();) {
    const std::size_t end = std::min(approvers.find(kBetween, begin), approvers.size());
    names.push_back(approvers.substr(begin, end - begin));
    begin = end + kBetween.size();
  }
  return names;
}

RecordedPeople::RecordedPeople(const RecordedTask& task, const ThrowawayCodes& codes, const PolicyClient& policy,
                               const PlannerClient& planner)
    : codes_(codes), policy_(policy), planner_(planner) {
  const auto& questions = task.questions();
  for (auto question = questions.rbegin(); question != questions.rend(); ++question) {
    recorded_[contract::digest(question->asked.step().action())].push_back(&*question);
  }
  const auto& answers = task.user_answers();
  for (auto answer = answers.rbegin(); answer != answers.rend(); ++answer) user_answers_.push_back(&*answer);
}

void RecordedPeople::answer() {
  if (const auto pending = policy_.pending()) {
    for (const v1::ApprovalRequest& question : pending->pending()) answer_approval(question);
  }
  answer_models();
}

void RecordedPeople::answer_approval(const v1::ApprovalRequest& question) {
  const auto [found, is_new] = asked_.try_emplace(question.approval_id());
  Asked& asked = found->second;
  if (is_new) {
    asked.since = system_clock().now();
    auto& recorded = recorded_[contract::digest(question.step().action())];
    if (!recorded.empty()) {
      asked.recorded = recorded.back();
      recorded.pop_back();
    }
  }
  if (asked.answered) return;
  if (asked.recorded == nullptr) {
    v1::DenyRequest request;
    request.set_approval_id(question.approval_id());
    request.set_approver(kReplay);
    request.set_reason("the recording has no answer to this question");
    asked.answered = policy_.deny(request).has_value();
    return;
  }
  const auto& decided = asked.recorded->decided;
  if (!decided || system_clock().now() - asked.since < asked.recorded->answered_after) return;
  const auto repeated = repeat(*decided, question);
  if (!repeated) spdlog::warn("a recorded answer cannot be repeated: {}", repeated.error().message);
  asked.answered = true;
}

Result<void> RecordedPeople::repeat(const v1::ApprovalDecision& decision, const v1::ApprovalRequest& question) {
  using Decision = v1::ApprovalDecision;
  switch (decision.answer()) {
    case Decision::ANSWER_APPROVED: return approve(decision, question);
    case Decision::ANSWER_EDITED: {
      v1::EditRequest request;
      request.set_approval_id(question.approval_id());
      request.set_approver(decision.approver());
      *request.mutable_action() = decision.action();
      return policy_.edit(request);
    }
    case Decision::ANSWER_DENIED:
    case Decision::ANSWER_SKIPPED: {
      v1::DenyRequest request;
      request.set_approval_id(question.approval_id());
      request.set_approver(decision.approver());
      request.set_reason(decision.reason());
      if (decision.answer() == Decision::ANSWER_SKIPPED) request.set_then(v1::DenyRequest::THEN_SKIP);
      if (decision.stops_task()) request.set_then(v1::DenyRequest::THEN_STOP_TASK);
      return policy_.deny(request);
    }
    default: return ok();  // It expires, or is withdrawn, as it was then.
  }
}

Result<void> RecordedPeople::approve(const v1::ApprovalDecision& decision, const v1::ApprovalRequest& question) {
  for (const std::string& name : approvers_in(decision.approver())) {
    v1::ApproveRequest request;
    request.set_approval_id(question.approval_id());
    request.set_approver(name);
    request.set_repeats_in_task(decision.repeats_in_task());
    if (question.second_factor()) request.set_code(codes_.code_now(name));
    RETURN_IF_ERROR(policy_.approve(request));
  }
  return ok();
}

void RecordedPeople::answer_models() {
  const auto questions = planner_.questions();
  if (!questions) return;
  for (const v1::UserQuestion& question : questions->questions()) {
    if (user_answers_.empty() || !answered_models_.insert(question.question_id()).second) continue;
    const v1::UserAnswer& recorded = *user_answers_.back();
    user_answers_.pop_back();
    if (!recorded.answered()) continue;
    const auto answered = planner_.answer(question.question_id(), recorded.answer(), recorded.by());
    if (!answered) spdlog::warn("a recorded answer cannot be repeated: {}", answered.error().message);
  }
}

}  // namespace da::console
