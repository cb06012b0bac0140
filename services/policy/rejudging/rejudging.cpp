#include "services/policy/rejudging/rejudging.h"

#include <algorithm>

#include "da/v1/outcome.pb.h"
#include "lib/base/text.h"
#include "lib/bus/topics.h"
#include "services/policy/rejudging/recorded_order.h"

namespace da::policy {
namespace {

constexpr std::size_t kMostRules = 16;   // Rule files that change within a recording.
constexpr std::size_t kMostTasks = 100;  // Of a recording of the bus; that of a task has one.

std::string in_words(v1::Verdict::Decision decision, const std::string& rule, v1::Risk risk, bool second_factor) {
  return v1::Verdict::Decision_Name(decision) + " by " + escape_foreign(rule, 80) + ", " + v1::Risk_Name(risk) +
         (second_factor ? ", second factor" : "");
}

}  // namespace

Result<void> Rejudging::read(const recording::RecordingReader& recording) {
  const recording::McapRange range{
      .topics = {bus::topic_name<v1::TaskOpened>(), bus::topic_name<v1::RuleFile>(), bus::topic_name<v1::RulesState>(),
                 bus::topic_name<v1::StepJudged>(), bus::topic_name<v1::Verdict>(),
                 bus::topic_name<v1::ApprovalRequest>(), bus::topic_name<v1::ApprovalDecision>(),
                 bus::topic_name<v1::GrantIssued>(), bus::topic_name<v1::PolicyOutcome>()}};
  // Outcomes are the actuator's, whose clock may be another: they are found by their grants.
  RETURN_IF_ERROR(recording.facts({.topics = {bus::topic_name<v1::Outcome>()}}, [&](const Fact& fact) {
    outcomes_.add(*fact.as<v1::Outcome>());
    return ok();
  }));
  RecordedOrder order([this](const Fact& fact) {
    add(fact);
    return ok();
  });
  const auto read = recording.facts(range, [&](const Fact& fact) { return order.add(fact); });
  RETURN_IF_ERROR(order.finish());
  for (const auto& [id, task] : tasks_) task->finish();
  return read;
}

void Rejudging::add(const Fact& fact) {
  if (const auto* opened = fact.as<v1::TaskOpened>()) {
    if (tasks_.size() >= kMostTasks) return;
    rules_problem_ = opened->state().rules_problem();
    tasks_.try_emplace(fact.header.task_id(),
                       std::make_unique<RejudgedTask>(opened->request(), rules_, outcomes_, take_));
    return;
  }
  if (const auto* file = fact.as<v1::RuleFile>()) return learn_rules(*file);
  if (const auto* state = fact.as<v1::RulesState>()) {
    rules_problem_ = state->problem();
    return;
  }
  if (const auto* step = fact.as<v1::StepJudged>()) return judged(*step);
  const auto found = tasks_.find(fact.header.task_id());
  if (found == tasks_.end()) return;
  RejudgedTask& task = *found->second;
  if (const auto* verdict = fact.as<v1::Verdict>()) {
    if (!task.verdict(*verdict)) ++verdicts_without_judgement_;
  }
  if (const auto* asked = fact.as<v1::ApprovalRequest>()) task.asked(*asked);
  if (const auto* answered = fact.as<v1::ApprovalDecision>()) task.answered(*answered);
  if (const auto* grant = fact.as<v1::GrantIssued>()) task.granted(*grant);
  if (const auto* outcome = fact.as<v1::PolicyOutcome>()) task.ended(*outcome);
}

void Rejudging::judged(const v1::StepJudged& fact) {
  const auto task = tasks_.find(fact.header().task_id());
  if (task == tasks_.end()) return;
  ++reproduction_.judgements;
  const Rules* own = own_rules(fact.rules_version());
  const auto again = task->second->judged(fact, own, rules_problem_);
  if (!again) {
    ++reproduction_.without_rules;
  } else {
    compare(fact, *again);
  }
}

void Rejudging::learn_rules(const v1::RuleFile& file) {
  if (own_rules(file.version()) != nullptr) return;
  auto rules = Rules::parse(file.toml(), "the recording's rules");
  if (!rules || rules->version() != file.version()) return;  // Of another version of this program.
  own_rules_.push_back(*std::move(rules));
  if (own_rules_.size() > kMostRules) own_rules_.pop_front();
}

const Rules* Rejudging::own_rules(const std::string& version) const {
  const auto found = std::ranges::find(own_rules_, version, &Rules::version);
  return found == own_rules_.end() ? nullptr : &*found;
}

void Rejudging::compare(const v1::StepJudged& recorded, const Judgement& again) {
  const std::string before =
      in_words(recorded.decision(), recorded.rule(), recorded.risk(), recorded.second_factor());
  const std::string now = in_words(again.decision, again.rule, again.risk, again.second_factor);
  if (before == now) return;
  if (reproduction_.different++ == 0) {
    reproduction_.first_difference = "step " + escape_foreign(recorded.step().step_id(), 60) + ": recorded " + before +
                                     ", judged again " + now;
  }
}

}  // namespace da::policy
