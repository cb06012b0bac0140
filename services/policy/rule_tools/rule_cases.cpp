#include "services/policy/rule_tools/rule_cases.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lib/base/text.h"
#include "lib/base/toml.h"
#include "lib/contract/describe.h"
#include "services/policy/rule_tools/explanation.h"

namespace da::policy {
namespace {

constexpr std::size_t kMaxCases = 10'000;

Json table_json(const toml::table& table) {
  std::ostringstream text;
  text << toml::json_formatter{table};
  return Json::parse(text.str(), nullptr, false);
}

// Removes a key from the case and returns its value, one of `allowed` (empty: any); "" if the case has no such key.
Result<std::string> take(Json& object, const std::string& key, std::initializer_list<std::string_view> allowed = {}) {
  const auto found = object.find(key);
  if (found == object.end()) return std::string();
  if (!found->is_string()) return Error{Code::kInvalidArgument, key + " must be a string"};
  auto value = found->get<std::string>();
  object.erase(found);
  if (allowed.size() == 0 || std::ranges::find(allowed, value) != allowed.end()) return value;
  std::string names;
  for (const auto name : allowed) names += (names.empty() ? "" : ", ") + std::string(name);
  return Error{Code::kInvalidArgument, key + " is \"" + escape_foreign(value, 40) + "\"; allowed are " + names};
}

Result<RuleCase> case_of(const toml::table& table) {
  Json object = table_json(table);
  if (!object.is_object()) return Error{Code::kInvalidArgument, "the case cannot be converted to JSON"};
  RuleCase one;
  ASSIGN_OR_RETURN(one.name, take(object, "name"));
  ASSIGN_OR_RETURN(one.expect, take(object, "expect", {"allow", "ask", "ask_second_factor", "deny"}));
  ASSIGN_OR_RETURN(one.rule, take(object, "rule"));
  ASSIGN_OR_RETURN(one.risk, take(object, "risk", {"safe", "write", "critical"}));
  if (one.name.empty()) return Error{Code::kInvalidArgument, "the case has no name"};
  if (one.expect.empty())
    return Error{Code::kInvalidArgument, "the case has no expect: allow, ask, ask_second_factor or deny"};
  ASSIGN_OR_RETURN(one.described, describe_step(object));
  one.line = table.source().begin.line;
  return one;
}

Error at(const std::string& file, const toml::source_region& place, const std::string& problem) {
  return {Code::kInvalidArgument, file + ":" + std::to_string(place.begin.line) + ": " + problem};
}

Result<std::vector<RuleCase>> cases_of(const toml::table& root, const std::string& file) {
  std::vector<RuleCase> cases;
  for (const auto& [key, node] : root) {
    const auto* tables = node.as_array();
    if (key.str() != "case" || tables == nullptr) {
      return at(file, node.source(),
                "unknown key \"" + escape_foreign(key.str(), 80) + "\"; the file is a list of [[case]]");
    }
    if (tables->size() > kMaxCases) return at(file, node.source(), "more than " + std::to_string(kMaxCases) + " cases");
    for (const toml::node& item : *tables) {
      const auto* table = item.as_table();
      if (table == nullptr) return at(file, item.source(), "a case must be a [[case]] table");
      auto one = case_of(*table);
      if (!one) return at(file, table->source(), one.error().message);
      if (std::ranges::find(cases, one->name, &RuleCase::name) != cases.end()) {
        return at(file, table->source(), "a case called \"" + escape_foreign(one->name, 80) + "\" exists already");
      }
      cases.push_back(*std::move(one));
    }
  }
  return cases;
}

}  // namespace

Result<std::vector<RuleCase>> parse_cases(std::string_view toml, const std::string& file) {
  try {
    return cases_of(toml::parse(toml, file), file);
  } catch (const toml::parse_error& failure) {
    return at(file, failure.source(), std::string(failure.description()));
  } catch (const std::logic_error& failure) {
    return Error{Code::kInvalidArgument, file + ": " + failure.what()};
  }
}

std::optional<std::string> failure(const Rules& rules, const RuleCase& one) {
  const Judgement judgement = explain(rules, one.described).judgement;
  const bool verdict_holds = verdict_name(judgement) == one.expect;
  const bool rule_holds = one.rule.empty() || one.rule == judgement.rule;
  const bool risk_holds = one.risk.empty() || one.risk == contract::risk_name(judgement.risk);
  if (verdict_holds && rule_holds && risk_holds) return std::nullopt;
  std::ostringstream text;
  text << "expected " << one.expect << (one.rule.empty() ? "" : " by " + one.rule)
       << (one.risk.empty() ? "" : ", risk " + one.risk) << "; got " << verdict_name(judgement) << " by "
       << judgement.rule << ", risk " << contract::risk_name(judgement.risk) << ": " << judgement.reason;
  return text.str();
}

}  // namespace da::policy
