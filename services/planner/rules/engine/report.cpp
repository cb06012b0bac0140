#include "services/planner/rules/engine/report.h"

#include <nlohmann/json.hpp>

#include "lib/base/text.h"

namespace da::planner::rules {
namespace {

constexpr std::size_t kShown = 200;

void append(std::string& text, const ConditionReport& report, std::size_t indent) {
  text += std::string(indent, ' ') + report.type;
  if (!report.region.empty()) text += " in " + quote_foreign(report.region);
  text += ": " + std::string(to_text(report.outcome));
  if (!report.expected.empty()) text += "; expected " + escape_foreign(report.expected, kShown);
  if (!report.measured.empty()) text += "; measured " + escape_foreign(report.measured, kShown);
  if (!report.reason.empty()) text += "; " + escape_foreign(report.reason, kShown);
  text += "\n";
  for (const ConditionReport& part : report.parts) append(text, part, indent + 2);
}

nlohmann::ordered_json condition_json(const ConditionReport& report) {
  nlohmann::ordered_json json = {{"type", report.type}, {"outcome", to_text(report.outcome)}};
  const std::pair<const char*, const std::string&> texts[] = {{"region", report.region},
                                                              {"expected", report.expected},
                                                              {"measured", report.measured},
                                                              {"reason", report.reason}};
  for (const auto& [name, value] : texts) {
    if (!value.empty()) json[name] = value;
  }
  for (const ConditionReport& part : report.parts) json["parts"].push_back(condition_json(part));
  return json;
}

}  // namespace

std::string_view to_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::kNotEvaluated: return "not evaluated";
    case Outcome::kHolds: return "holds";
    case Outcome::kFails: return "does not hold";
    case Outcome::kUnavailable: return "not on the screen";
    case Outcome::kError: return "error";
    case Outcome::kPending: return "not known yet";
  }
  return "?";
}

std::string to_text(const RuleReport& report) {
  std::string text = "rule " + quote_foreign(report.rule) + ": " + std::string(to_text(report.outcome));
  if (!report.reason.empty()) text += "; " + escape_foreign(report.reason, kShown);
  text += "\n";
  append(text, report.condition, 2);
  for (const std::string& action : report.actions) text += "  would " + escape_foreign(action, kShown) + "\n";
  return text;
}

nlohmann::ordered_json to_json(const RuleReport& report) {
  nlohmann::ordered_json json = {{"rule", report.rule}, {"outcome", to_text(report.outcome)}};
  if (!report.reason.empty()) json["reason"] = report.reason;
  json["condition"] = condition_json(report.condition);
  json["actions"] = report.actions;
  return json;
}

}  // namespace da::planner::rules
