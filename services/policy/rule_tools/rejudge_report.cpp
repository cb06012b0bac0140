#include "services/policy/rule_tools/rejudge_report.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "lib/base/text.h"
#include "lib/contract/describe.h"

namespace da::policy {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kTaskIdCharacters = 8;
constexpr std::size_t kRuleCharacters = 80;

void print_line(const Json& object) {
  std::cout << object.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
}

std::string decision_name(const Judgement& judgement) {
  switch (judgement.decision) {
    case v1::Verdict::DECISION_ALLOW: return "allow";
    case v1::Verdict::DECISION_ASK: return "ask";
    default: return "deny";
  }
}

std::string effect_of(const Judgement& judgement) {
  return decision_name(judgement) + (judgement.second_factor ? " with a code" : "");
}

// Empty if nothing changes.
std::string change_of(const RejudgedStep& step) {
  const Judgement& before = step.recorded.judgement;
  const Judgement& now = step.now.judgement;
  if (effect_of(before) != effect_of(now)) return effect_of(before) + " -> " + effect_of(now);
  if (before.rule != now.rule) return "only the rule";
  return before.risk == now.risk ? "" : "only the risk";
}

std::string side_text(const Judgement& judgement) {
  return effect_of(judgement) + " by " + escape_foreign(judgement.rule, kRuleCharacters) + ", " +
         std::string(contract::risk_name(judgement.risk));
}

Json side_json(const StepVerdict& verdict) {
  return {{"decision", decision_name(verdict.judgement)},
          {"rule", verdict.judgement.rule},
          {"risk", contract::risk_name(verdict.judgement.risk)},
          {"second_factor", verdict.judgement.second_factor},
          {"question", verdict.question}};
}

void print_text(const RejudgedStep& step) {
  std::cout << format_wall(step.time) << "  task " << escape_foreign(step.task_id.substr(0, kTaskIdCharacters)) << "  "
            << step.action_text << (step.edited ? "  (as edited)" : "") << (step.dry_run ? "  (dry run)" : "")
            << "\n    before: " << side_text(step.recorded.judgement)
            << "\n    now:    " << side_text(step.now.judgement) << ": " << step.now.judgement.reason << "\n";
}

void print_json(const RejudgedStep& step, const std::string& change) {
  Json now = side_json(step.now);
  now["reason"] = step.now.judgement.reason;
  print_line({{"task", step.task_id},
              {"step", step.step_id},
              {"time", format_wall(step.time)},
              {"action", step.action_text},
              {"edited", step.edited},
              {"dry_run", step.dry_run},
              {"change", change},
              {"before", side_json(step.recorded)},
              {"now", std::move(now)}});
}

}  // namespace

void RejudgeReport::Count::add(bool in_before, bool in_now) {
  before += in_before ? 1 : 0;
  now += in_now ? 1 : 0;
}

std::string RejudgeReport::Count::text() const {
  const std::string difference = (now >= before ? "+" : "") + std::to_string(now - before);
  return std::to_string(before) + " before, " + std::to_string(now) + " now (" + difference + ")";
}

void RejudgeReport::add(const RejudgedStep& step) {
  ++steps_;
  if (!step.comparable) {
    ++not_comparable_;
    return;
  }
  const StepVerdict& before = step.recorded;
  const StepVerdict& now = step.now;
  questions_.add(before.question, now.question);
  codes_.add(before.question && before.judgement.second_factor, now.question && now.judgement.second_factor);
  const std::string change = change_of(step);
  if (change.empty()) {
    ++unchanged_;
    return;
  }
  ++changes_[change];
  if (as_ == ReportAs::kJson) {
    print_json(step, change);
  } else {
    print_text(step);
  }
}

void RejudgeReport::add(const std::string& file, const Rejudging& rejudging) {
  ++recordings_;
  not_by_rules_ += rejudging.verdicts_without_judgement();
  const Reproduction& own = rejudging.reproduction();
  if (own.complete()) {
    ++reproduced_;
    return;
  }
  const std::string of_all = " of " + std::to_string(own.judgements) + " judgements";
  std::vector<std::string> why;
  if (own.different > 0) {
    why.push_back("its own rules give " + std::to_string(own.different) + of_all + " differently; " +
                  own.first_difference);
  }
  if (own.without_rules > 0)
    why.push_back("the rules of " + std::to_string(own.without_rules) + of_all + " are missing");
  if (own.without_task > 0) {
    why.push_back("it began after the tasks of " + std::to_string(own.without_task) + of_all + ", which are left out");
  }
  if (own.lost > 0) why.push_back(std::to_string(own.lost) + " facts that count are lost");
  std::cerr << "da-policy: " << file << ": do not trust these figures: " << join(why, "; ") << "\n";
}

void RejudgeReport::print_totals() const {
  if (as_ == ReportAs::kJson) {
    print_line({{"recordings", recordings_},
                {"reproduced", reproduced_},
                {"steps", steps_},
                {"unchanged", unchanged_},
                {"not_comparable", not_comparable_},
                {"not_by_rules", not_by_rules_},
                {"changes", changes_},
                {"questions", {{"before", questions_.before}, {"now", questions_.now}}},
                {"codes", {{"before", codes_.before}, {"now", codes_.now}}}});
    return;
  }
  std::cout << steps_ << " steps of " << recordings_ << " recordings: " << unchanged_ << " unchanged";
  for (const auto& [change, count] : changes_) std::cout << ", " << count << " " << change;
  std::cout << "\nquestions to a person: " << questions_.text() << "; with a code: " << codes_.text() << "\n";
  if (not_comparable_ > 0) {
    std::cout << not_comparable_ << " steps were judged without evidence, because the rule file was broken\n";
  }
  if (not_by_rules_ > 0) std::cout << not_by_rules_ << " verdicts were not by rules (halted, a limit, already done)\n";
}

}  // namespace da::policy
