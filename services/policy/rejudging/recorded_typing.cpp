#include "services/policy/rejudging/recorded_typing.h"

namespace da::policy {
namespace {

// A policy has at most some steps between grant and outcome.
constexpr std::size_t kKeptOutcomes = 4096;

}  // namespace

void RecordedOutcomes::add(const v1::Outcome& outcome) {
  if (outcome.grant_id().empty() || !by_grant_.emplace(outcome.grant_id(), outcome).second) return;
  order_.push_back(outcome.grant_id());
  if (order_.size() <= kKeptOutcomes) return;
  by_grant_.erase(order_.front());
  order_.pop_front();
}

std::optional<v1::Outcome> RecordedOutcomes::take(const std::string& grant_id) {
  auto found = by_grant_.extract(grant_id);
  if (found.empty()) return std::nullopt;
  return std::move(found.mapped());
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
    auto outcome = outcome_ ? outcome_ : outcomes_.take(grant_id_);
    // As in the policy, a lost outcome counts as all of the action.
    if (!outcome) outcome.emplace();
    if (outcome->kind() != v1::Outcome::KIND_REFUSED) {
      typed_.add(carried_out(step_->step().action(), *outcome), step_->evidence());
    }
  }
  step_.reset();
  grant_id_.clear();
  outcome_.reset();
}

}  // namespace da::policy
