#include "services/console/replay/replay_diff.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lib/base/text.h"
#include "lib/contract/describe.h"

namespace da::console {
namespace {

using nlohmann::json;

constexpr std::size_t kReasonCharacters = 300;
constexpr const char* kNone = "none";

std::string proposal_text(const TracedStep& step) {
  const std::string why = step.step.justification();
  return contract::describe(step.step.action(), contract::Extent::kWhole) +
         (why.empty() ? "" : " (" + quote_foreign(why, kReasonCharacters) + ")");
}

std::string decision_name(v1::Verdict::Decision decision) {
  switch (decision) {
    case v1::Verdict::DECISION_ALLOW: return "allow";
    case v1::Verdict::DECISION_ASK: return "ask";
    case v1::Verdict::DECISION_DENY: return "deny";
    default: return "unspecified";
  }
}

// Of the rules' last judgement, which a person's answer does not change.
const v1::StepJudged* last_judged(const TracedStep& step) {
  return step.judged.empty() ? nullptr : &step.judged.back();
}

std::string verdict_text(const TracedStep& step) {
  std::string text;
  if (const auto* judged = last_judged(step)) {
    text = decision_name(judged->decision()) + " by rule " + escape_foreign(judged->rule()) + ", " +
           std::string(contract::risk_name(judged->risk())) + (judged->second_factor() ? ", second factor" : "");
  }
  if (step.verdict) {
    text += (text.empty() ? "" : "; ") + std::string("finally ") + decision_name(step.verdict->decision()) + " (" +
            escape_foreign(step.verdict->rule()) + ")";
  }
  return text.empty() ? kNone : text;
}

std::string outcome_text(const TracedStep& step) {
  if (!step.outcome) return kNone;
  std::string text = v1::Outcome::Kind_Name(step.outcome->kind());
  if (step.outcome->code() != v1::Outcome::CODE_UNSPECIFIED) text += " " + v1::Outcome::Code_Name(step.outcome->code());
  return text + " " + std::to_string(step.outcome->done()) + "/" + std::to_string(step.outcome->total());
}

std::string end_text(const StepTrace& trace) {
  if (!trace.result()) return kNone;
  return v1::TaskEnd_Name(trace.result()->end()) + ": " + escape_foreign(trace.end_reason(), kReasonCharacters);
}

}  // namespace

std::vector<Difference> compare(const StepTrace& recorded, const StepTrace& replayed) {
  std::vector<Difference> differences;
  const auto note = [&](std::size_t step, const char* what, std::string before, std::string now) {
    if (before != now) differences.push_back({step, what, std::move(before), std::move(now)});
  };
  const auto all_before = recorded.steps();
  const auto all_now = replayed.steps();
  for (std::size_t i = 0; i < std::max(all_before.size(), all_now.size()); ++i) {
    const TracedStep* before = i < all_before.size() ? all_before[i] : nullptr;
    const TracedStep* now = i < all_now.size() ? all_now[i] : nullptr;
    note(i + 1, "proposal", before ? proposal_text(*before) : kNone, now ? proposal_text(*now) : kNone);
    if (before == nullptr || now == nullptr) continue;
    note(i + 1, "verdict", verdict_text(*before), verdict_text(*now));
    note(i + 1, "outcome", outcome_text(*before), outcome_text(*now));
  }
  note(0, "end", end_text(recorded), end_text(replayed));
  return differences;
}

std::string trace_lines(const StepTrace& trace) {
  std::string lines;
  const auto add = [&lines](const json& object) {
    lines += object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  };
  std::size_t number = 0;
  for (const TracedStep* step : trace.steps()) {
    add({{"step", ++number},
         {"action", contract::call_json(step->step.action())},
         {"justification", step->step.justification()},
         {"verdict", verdict_text(*step)},
         {"outcome", outcome_text(*step)}});
  }
  add({{"end", end_text(trace)}});
  return lines;
}

std::string first_difference(const std::string& expected, const StepTrace& replayed) {
  std::istringstream before(expected);
  std::istringstream now(trace_lines(replayed));
  std::string expected_line;
  std::string line;
  for (int number = 1;; ++number) {
    const bool more_before = static_cast<bool>(std::getline(before, expected_line));
    const bool more_now = static_cast<bool>(std::getline(now, line));
    if (!more_before && !more_now) return {};
    if (more_before && more_now && expected_line == line) continue;
    return "line " + std::to_string(number) + "\n  expected: " + (more_before ? expected_line : kNone) +
           "\n  replayed: " + (more_now ? line : kNone);
  }
}

}  // namespace da::console
