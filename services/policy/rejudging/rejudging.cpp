#include "services/policy/rejudging/rejudging.h"

#include <algorithm>
#include <set>

#include "da/v1/outcome.pb.h"
#include "lib/base/text.h"
#include "lib/bus/topics.h"
#include "lib/recording/lost_facts.h"
#include "services/policy/rejudging/recorded_order.h"

namespace da::policy {
namespace {

constexpr std::size_t kMostRules = 16;   // Rule files that change within a recording.
constexpr std::size_t kMostTasks = 100;  // At a time, of a recording of the bus; that of a task has one.
constexpr std::size_t kMaxFactBytes = 4 << 20;

std::set<std::string> needed_topics() {
  return {bus::topic_name<v1::TaskOpened>(),      bus::topic_name<v1::TaskClosed>(),
          bus::topic_name<v1::RuleFile>(),        bus::topic_name<v1::RulesState>(),
          bus::topic_name<v1::StepJudged>(),      bus::topic_name<v1::Verdict>(),
          bus::topic_name<v1::ApprovalRequest>(), bus::topic_name<v1::ApprovalDecision>(),
          bus::topic_name<v1::GrantIssued>(),     bus::topic_name<v1::PolicyOutcome>()};
}

std::string in_words(v1::Verdict::Decision decision, const std::string& rule, v1::Risk risk, bool second_factor) {
  return v1::Verdict::Decision_Name(decision) + " by " + escape_foreign(rule, 80) + ", " + v1::Risk_Name(risk) +
         (second_factor ? ", second factor" : "");
}

}  // namespace

Result<void> Rejudging::read(const recording::RecordingReader& recording) {
  // Outcomes are the actuator's, whose clock may be another: they are found by their grants.
  const auto outcomes = recording.facts({.topics = {bus::topic_name<v1::Outcome>()}},
                                        [&](const Fact& fact) { return outcomes_.add(*fact.as<v1::Outcome>()); });
  RecordedOrder order([this](const Fact& fact) { return add(fact); });
  const auto facts = recording.facts({.topics = needed_topics()}, [&](const Fact& fact) {
    // Out of order, because the policy may judge by a changed file just before it publishes the file.
    const auto* file = fact.as<v1::RuleFile>();
    if (file != nullptr && fact.payload.size() <= kMaxFactBytes) learn_rules(*file);
    return order.add(fact);
  });
  const auto last = order.finish();
  for (const std::string& id : forgettable_) tasks_.at(id)->finish();
  RETURN_IF_ERROR(facts);
  RETURN_IF_ERROR(last);
  RETURN_IF_ERROR(outcomes);
  return count_lost(recording);
}

Result<void> Rejudging::count_lost(const recording::RecordingReader& recording) {
  ASSIGN_OR_RETURN(const auto gaps, recording.gaps());
  auto needed = needed_topics();
  needed.insert(bus::topic_name<v1::Outcome>());
  for (const v1::RecordingGap& gap : gaps) {
    if (needed.contains(gap.topic())) recording::count_lost(gap, reproduction_.lost);
  }
  return ok();
}

Result<void> Rejudging::add(const Fact& fact) {
  if (fact.message->ByteSizeLong() > kMaxFactBytes) {
    return Error{Code::kDataLoss, "a fact of " + fact.topic + " is larger than any that a policy publishes"};
  }
  if (const auto* opened = fact.as<v1::TaskOpened>()) {
    open(*opened);
  } else if (const auto* state = fact.as<v1::RulesState>()) {
    rules_problem_ = state->problem();
  } else if (const auto* step = fact.as<v1::StepJudged>()) {
    judged(*step);
  } else if (const auto task = tasks_.find(fact.header.task_id()); task != tasks_.end()) {
    follow(*task->second, fact);
  }
  return ok();
}

void Rejudging::open(const v1::TaskOpened& opened) {
  rules_problem_ = opened.state().rules_problem();
  const std::string& id = opened.header().task_id();
  if (tasks_.contains(id)) return;
  if (tasks_.size() >= kMostTasks) {
    const auto oldest = tasks_.find(forgettable_.front());
    oldest->second->finish();
    tasks_.erase(oldest);
    forgettable_.pop_front();
  }
  tasks_.emplace(id, std::make_unique<RejudgedTask>(opened, rules_, outcomes_, take_));
  forgettable_.push_back(id);
}

void Rejudging::follow(RejudgedTask& task, const Fact& fact) {
  if (const auto* verdict = fact.as<v1::Verdict>()) {
    if (!task.verdict(*verdict)) ++verdicts_without_judgement_;
  }
  if (const auto* asked = fact.as<v1::ApprovalRequest>()) task.asked(*asked);
  if (const auto* answered = fact.as<v1::ApprovalDecision>()) task.answered(*answered);
  if (const auto* grant = fact.as<v1::GrantIssued>()) task.granted(*grant);
  if (const auto* outcome = fact.as<v1::PolicyOutcome>()) task.ended(*outcome);
  if (fact.as<v1::TaskClosed>() == nullptr) return;
  // A step of a closed task may still end, so only forget it first.
  std::erase(forgettable_, fact.header.task_id());
  forgettable_.push_front(fact.header.task_id());
}

void Rejudging::judged(const v1::StepJudged& fact) {
  const auto task = tasks_.find(fact.header().task_id());
  ++reproduction_.judgements;
  if (task == tasks_.end()) {
    ++reproduction_.without_task;
    return;
  }
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
  if (!rules || rules->version() != file.version()) return;  // Recorded by another version of this program.
  own_rules_.push_back(*std::move(rules));
  if (own_rules_.size() > kMostRules) own_rules_.pop_front();
}

const Rules* Rejudging::own_rules(const std::string& version) const {
  const auto found = std::ranges::find(own_rules_, version, &Rules::version);
  return found == own_rules_.end() ? nullptr : &*found;
}

void Rejudging::compare(const v1::StepJudged& recorded, const Judgement& again) {
  const std::string before = in_words(recorded.decision(), recorded.rule(), recorded.risk(), recorded.second_factor());
  const std::string now = in_words(again.decision, again.rule, again.risk, again.second_factor);
  if (before == now) return;
  if (reproduction_.different++ == 0) {
    reproduction_.first_difference =
        "step " + escape_foreign(recorded.step().step_id(), 60) + ": recorded " + before + ", judged again " + now;
  }
}

}  // namespace da::policy
