#include "services/policy/rejudging/recorded_typing.h"
#include "lib/contract/repetition.h"

namespace da::policy {
namespace {

constexpr std::size_t kMostOutcomes = 100'000;
constexpr std::size_t kMaxGrantIdBytes = 100;

}  // namespace

Result<void> RecordedOutcomes::add(const v1::Outcome& outcome) {
  const bool whole = contract::was_begun(outcome) && outcome.done() >= outcome.total();
  if (whole || outcome.grant_id().empty() || outcome.grant_id().size() > kMaxGrantIdBytes) return ok();
  if (by_grant_.size() >= kMostOutcomes) {
    return Error{Code::kResourceExhausted,
                 "more than " + std::to_string(kMostOutcomes) + " refused or interrupted steps"};
  }
  v1::Outcome kept;
  kept.set_kind(outcome.kind());
  kept.set_done(outcome.done());
  kept.set_total(outcome.total());
  by_grant_.emplace(outcome.grant_id(), std::move(kept));
  return ok();
}

std::optional<v1::Outcome> RecordedOutcomes::of(const std::string& grant_id) const {
  const auto found = by_grant_.find(grant_id);
  if (found == by_grant_.end()) return std::nullopt;
  return found->second;
}

void RecordedTyping::allowed(const v1::StepJudged& judged) {
  settle();
  step_ = judged;
}

void RecordedTyping::granted(const v1::GrantIssued& grant) {
  if (step_ && step_->step().step_id() == grant.claims().step_id()) grant_id_ = grant.claims().grant_id();
}

void RecordedTyping::ended(const v1::PolicyOutcome& outcome) {
  if (step_ && step_->step().step_id() == outcome.outcome().step_id()) outcome_ = outcome.outcome();
}

EarlierTyping RecordedTyping::before(const v1::Evidence& evidence) {
  settle();
  return typed_.before(evidence);
}

void RecordedTyping::settle() {
  if (step_ && !grant_id_.empty()) {
    auto outcome = outcome_ ? outcome_ : outcomes_.of(grant_id_);
    // As in the policy, a lost outcome counts as all of the action.
    if (!outcome) outcome.emplace();
    if (contract::was_begun(*outcome)) {
      typed_.add(carried_out(step_->step().action(), *outcome), step_->evidence());
    }
  }
  step_.reset();
  grant_id_.clear();
  outcome_.reset();
}

}  // namespace da::policy
