#include "services/planner/task/proof_tally.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::planner {
namespace {

constexpr std::size_t kMostKept = 20;
constexpr std::size_t kMostShown = 3;  // Unproven parts that the summary names.
constexpr std::size_t kShownCharacters = 80;

}  // namespace

void ProofTally::take_back() {
  --parts_;
  if (last_was_proven_) return;
  --unproven_;
  if (unproven_ < kMostKept) kept_.pop_back();
}

void ProofTally::add(const Part& part, const std::string& step, bool proven, const std::string& why) {
  if (part.number != 0 && part.number == last_part_) {
    if (part.visit != last_visit_ && !last_was_proven_) earlier_round_is_unproven_ = true;
    last_visit_ = part.visit;
    if (earlier_round_is_unproven_) return;
    take_back();
  } else {
    earlier_round_is_unproven_ = false;
  }
  last_part_ = part.number;
  last_visit_ = part.visit;
  last_was_proven_ = proven;
  ++parts_;
  if (proven) return;
  ++unproven_;
  if (kept_.size() >= kMostKept) return;
  v1::UnprovenPart& kept = kept_.emplace_back();
  kept.set_part(part.number != 0 ? part.text : step);
  kept.set_why(why);
}

void ProofTally::leave_out(std::uint32_t part) {
  if (part == 0 || part != last_part_) return;
  take_back();
  last_part_ = 0;
}

void ProofTally::write(std::uint32_t carried_out, const Part& stopped_at, v1::TaskResult& result) {
  const bool unfinished = result.end() != v1::TASK_END_DONE && last_part_ != 0 && last_part_ == stopped_at.number;
  if (unfinished && parts_ > carried_out) take_back();
  const std::uint32_t all = std::max(carried_out, parts_);
  result.set_parts_carried_out(all);
  result.set_parts_proven(all - unproven_);
  result.mutable_unproven()->Assign(kept_.begin(), kept_.end());
  if (result.end() != v1::TASK_END_DONE || all == 0) return;
  std::string text = "all proven";
  if (unproven_ > 0) {
    text = std::to_string(all - unproven_) + " proven, " + std::to_string(unproven_) + " not: " + unproven_words();
  }
  const std::string steps = std::to_string(all) + (all == 1 ? " step, " : " steps, ");
  result.set_summary(result.summary() + (carried_out > 0 ? ", " + text : " (" + steps + text + ")"));
}

std::string ProofTally::unproven_words() const {
  std::string text;
  const std::size_t shown = std::min(kMostShown, kept_.size());
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i == 0 ? "" : ", ") + escape_foreign(kept_[i].part(), kShownCharacters);
    if (!kept_[i].why().empty()) text += " (" + escape_foreign(kept_[i].why(), kShownCharacters) + ")";
  }
  if (unproven_ > shown) text += ", and " + std::to_string(unproven_ - shown) + " more";
  return text;
}

}  // namespace da::planner
