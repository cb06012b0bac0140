#include "services/policy/judgement/rules.h"

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/base/toml.h"
#include "lib/contract/catalogue.h"
#include "lib/os/files/files.h"
#include "services/policy/judgement/element_states.h"

namespace da::policy {
namespace {

constexpr std::size_t kMaxRuleFileBytes = 1 << 20;
constexpr std::size_t kMaxRules = 1000;
constexpr std::size_t kMaxRuleNameCharacters = 60;

// Reserved: verdicts use them if no rule of the file decided (judge.h).
constexpr std::string_view kBuiltInNames[] = {"default",      "write-lock", "critical", "malformed",
                                              "refine-first", "evidence",   "halted",   "recorded",
                                              "task-tools",   "limits",     "concern",  "long-name"};

constexpr std::pair<std::string_view, Ruling> kRulings[] = {{"allow", Ruling::kAllow},
                                                            {"ask", Ruling::kAsk},
                                                            {"ask_second_factor", Ruling::kAskSecondFactor},
                                                            {"deny", Ruling::kDeny}};

// Units of a repetition's time.
constexpr std::pair<std::string_view, Milliseconds> kUnits[] = {
    {"ms", Milliseconds(1)}, {"s", Milliseconds(1'000)}, {"m", Milliseconds(60'000)}, {"h", Milliseconds(3'600'000)}};
constexpr Milliseconds kLongestRepetition{24 * 3'600'000};

struct FileContent {
  std::vector<Rule> rules;
  std::vector<Error> problems;  // `rules` lacks each rule that has one.
};

std::string list(const auto& items, const auto& name_of_item) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + std::string(std::invoke(name_of_item, item));
  return text;
}

std::string in_quotes(std::string_view foreign) { return "\"" + escape_foreign(foreign, 80) + "\""; }

// Reads one file. Every error names file, line and column.
class RuleReader {
 public:
  explicit RuleReader(const std::string& file) : file_(file) {}

  FileContent read(const toml::table& root) {
    FileContent content;
    if (const auto* node = root.get("patterns")) read_patterns(*node, content);
    for (const auto& [key, node] : root) {
      if (key.str() == "patterns") continue;
      if (key.str() == "rule") {
        read_rules(node, content);
      } else {
        content.problems.push_back(error(node.source(), "unknown key " + in_quotes(key.str()) +
                                                            "; the file is a list of [[rule]] and has [patterns]"));
      }
    }
    return content;
  }

 private:
  Error error(const toml::source_region& at, const std::string& message) const {
    return {Code::kInvalidArgument,
            file_ + ":" + std::to_string(at.begin.line) + ":" + std::to_string(at.begin.column) + ": " + message};
  }

  Result<std::string> text(const toml::node& node, std::string_view key) const {
    const auto* value = node.as_string();
    if (value == nullptr) return error(node.source(), std::string(key) + " must be a string");
    return value->get();
  }

  Result<std::vector<std::pair<std::string, toml::source_region>>> texts(const toml::node& node,
                                                                         std::string_view key) const {
    std::vector<std::pair<std::string, toml::source_region>> found;
    if (const auto* array = node.as_array()) {
      for (const toml::node& item : *array) {
        ASSIGN_OR_RETURN(auto value, text(item, "each item of " + std::string(key)));
        found.emplace_back(std::move(value), item.source());
      }
    } else {
      ASSIGN_OR_RETURN(auto value, text(node, key));
      found.emplace_back(std::move(value), node.source());
    }
    if (found.empty()) return error(node.source(), std::string(key) + " is an empty list and would match nothing");
    return found;
  }

  template <class Table>
  auto one_of(const toml::node& node, std::string_view key, const Table& allowed) const
      -> Result<std::decay_t<decltype(std::begin(allowed)->second)>> {
    ASSIGN_OR_RETURN(const std::string value, text(node, key));
    for (const auto& [name, meaning] : allowed) {
      if (name == value) return meaning;
    }
    return error(node.source(), std::string(key) + " is " + in_quotes(value) + "; allowed are " +
                                    list(allowed, [](const auto& pair) { return pair.first; }));
  }

  Result<std::string> rule_name(const toml::node& node) const {
    ASSIGN_OR_RETURN(auto name, text(node, "name"));
    const bool plain =
        std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
    if (name.empty() || name.size() > kMaxRuleNameCharacters || !plain) {
      return error(node.source(), "name is " + in_quotes(name) + "; it takes 1 to " +
                                      std::to_string(kMaxRuleNameCharacters) + " lower case letters, digits and \"-\"");
    }
    if (std::ranges::find(kBuiltInNames, name) != std::end(kBuiltInNames)) {
      return error(node.source(), "the name " + in_quotes(name) + " is reserved by the policy; choose another");
    }
    return name;
  }

  void read_patterns(const toml::node& node, FileContent& content) {
    const auto* lists = node.as_table();
    if (lists == nullptr) {
      content.problems.push_back(error(node.source(), "patterns are written as [patterns], with a list for each name"));
      return;
    }
    for (const auto& [name, expressions] : *lists) {
      auto compiled = pattern(expressions, "patterns." + escape_foreign(name.str(), 80));
      if (compiled)
        patterns_.emplace(name.str(), *std::move(compiled));
      else
        content.problems.push_back(std::move(compiled).error());
    }
  }

  Result<Pattern> named_pattern(const toml::table& use, const std::string& key) const {
    const auto* name = use.size() == 1 ? use.get("patterns") : nullptr;
    if (name == nullptr) return error(use.source(), key + R"( takes patterns, or {patterns = "NAME"})");
    ASSIGN_OR_RETURN(const std::string wanted, text(*name, key + ".patterns"));
    const auto found = patterns_.find(wanted);
    if (found == patterns_.end()) return error(name->source(), "[patterns] has no list " + in_quotes(wanted));
    return found->second;
  }

  // Compiles each expression alone first, so that an error names its place in the list.
  Result<Pattern> pattern(const toml::node& node, const std::string& key) const {
    if (const auto* use = node.as_table()) return named_pattern(*use, key);
    ASSIGN_OR_RETURN(const auto expressions, texts(node, key));
    std::vector<std::string> any;
    for (const auto& [expression, at] : expressions) {
      const auto alone = Pattern::compile(expression);
      if (!alone) return error(at, key + ": " + alone.error().message);
      any.push_back(expression);
    }
    auto compiled = Pattern::compile_any(std::move(any));
    if (!compiled) return error(node.source(), key + ": " + compiled.error().message);
    return compiled;
  }

  Result<Match> conditions(const toml::node& node, const std::string& table) const {
    const auto* keys = node.as_table();
    if (keys == nullptr) return error(node.source(), table + " must be a table of conditions");
    Match match;
    for (const auto& [key, value] : *keys) RETURN_IF_ERROR(condition(match, table, key.str(), value));
    return match;
  }

  Result<std::vector<Match>> exceptions(const toml::node& node) const {
    std::vector<Match> all;
    const auto add = [&](const toml::node& one) -> Result<void> {
      ASSIGN_OR_RETURN(Match match, conditions(one, "except"));
      if (one.as_table()->empty()) return error(one.source(), "except is empty and would exempt everything");
      if (match.repetition) return error(one.source(), "a repetition belongs in match, not in except");
      all.push_back(std::move(match));
      return ok();
    };
    const auto* several = node.as_array();
    if (several == nullptr) {
      RETURN_IF_ERROR(add(node));
      return all;
    }
    for (const toml::node& each : *several) RETURN_IF_ERROR(add(each));
    return all;
  }

  Result<void> condition(Match& match, const std::string& table, std::string_view key, const toml::node& node) const {
    if (key == "tool") {
      ASSIGN_OR_RETURN(const auto tools, texts(node, table + ".tool"));
      for (const auto& [tool, at] : tools) {
        if (std::ranges::find(contract::tools(), tool, &contract::Tool::name) == contract::tools().end()) {
          return error(at, "no tool is called " + in_quotes(tool) + "; allowed are " +
                               list(contract::tools(), &contract::Tool::name));
        }
        match.tools.insert(tool);
      }
      return ok();
    }
    if (key == "element_state") {
      ASSIGN_OR_RETURN(const auto states, texts(node, table + ".element_state"));
      for (const auto& [name, at] : states) {
        const auto state = element_state(name);
        if (!state) {
          return error(at, "no element state is called " + in_quotes(name) + "; allowed are " + element_state_names());
        }
        match.element_states.insert(*state);
      }
      return ok();
    }
    if (key == "time") {
      ASSIGN_OR_RETURN(const auto spans, texts(node, table + ".time"));
      for (const auto& [text, at] : spans) {
        const auto span = TimeSpan::parse(text);
        if (!span) return error(at, table + ".time: " + span.error().message);
        match.times.insert(*span);
      }
      return ok();
    }
    if (key == "repetition") {
      ASSIGN_OR_RETURN(match.repetition, repetition(node, table + ".repetition"));
      return ok();
    }
    for (const Condition& condition : kConditions) {
      if (condition.name != key) continue;
      ASSIGN_OR_RETURN(match.*condition.pattern, pattern(node, table + "." + std::string(key)));
      return ok();
    }
    return error(node.source(), "unknown condition " + table + "." + escape_foreign(key, 80) + "; allowed are tool, " +
                                    list(kConditions, &Condition::name) + ", element_state, time, repetition");
  }

  // "5 in 10s".
  Result<Repetition> repetition(const toml::node& node, const std::string& key) const {
    ASSIGN_OR_RETURN(const std::string value, text(node, key));
    std::istringstream words(value);
    Repetition found;
    std::string in;
    std::int64_t amount = 0;
    std::string unit;
    std::string rest;
    const bool shaped = words >> found.times >> in >> amount >> unit && in == "in" && !(words >> rest);
    const auto* known = std::ranges::find(kUnits, unit, &std::pair<std::string_view, Milliseconds>::first);
    if (!shaped || known == std::end(kUnits)) {
      return error(node.source(), key + " is " + in_quotes(value) + "; it is written \"5 in 10s\", with ms, s, m or h");
    }
    if (found.times < 2 || found.times > kMaxRepetition) {
      return error(node.source(), key + " counts from 2 up to " + std::to_string(kMaxRepetition) + " steps");
    }
    if (amount < 1 || amount > kLongestRepetition / known->second) {
      return error(node.source(), key + " must look back more than nothing and at most 24h");
    }
    found.within = known->second * amount;
    return found;
  }

  Result<void> rule_key(Rule& rule, std::string_view key, const toml::node& node) const {
    if (key == "name") {
      ASSIGN_OR_RETURN(rule.name, rule_name(node));
    } else if (key == "verdict") {
      ASSIGN_OR_RETURN(rule.ruling, one_of(node, key, kRulings));
    } else if (key == "reason") {
      ASSIGN_OR_RETURN(rule.reason, text(node, key));
    } else if (key == "risk") {
      constexpr std::pair<std::string_view, v1::Risk> kRaises[] = {{"write", v1::RISK_WRITE},
                                                                   {"critical", v1::RISK_CRITICAL}};
      ASSIGN_OR_RETURN(rule.raised_to, one_of(node, key, kRaises));
    } else if (key == "match") {
      ASSIGN_OR_RETURN(rule.match, conditions(node, "match"));
    } else if (key == "except") {
      ASSIGN_OR_RETURN(rule.except, exceptions(node));
    } else {
      return error(node.source(),
                   "unknown key " + in_quotes(key) + "; a rule has name, verdict, reason, risk, match and except");
    }
    return ok();
  }

  Result<void> check(const Rule& rule, const toml::table& table) const {
    for (const std::string_view key : {"name", "verdict", "reason", "match"}) {
      if (!table.contains(key)) return error(table.source(), "the rule has no " + std::string(key));
    }
    if (trim(rule.reason).empty()) return error(table.source(), "the reason is empty; it is shown to people");
    if (rule.ruling == Ruling::kAllow && rule.match.tools.empty()) {
      return error(table.source(), "an allow rule must name its tools in match.tool");
    }
    if (rule.ruling == Ruling::kAllow && rule.match.repetition) {
      return error(table.source(),
                   "an allow rule cannot state a repetition: a planner could repeat a step until the rule allows it");
    }
    return ok();
  }

  Result<Rule> rule(const toml::table& table) const {
    Rule rule;
    for (const auto& [key, node] : table) RETURN_IF_ERROR(rule_key(rule, key.str(), node));
    RETURN_IF_ERROR(check(rule, table));
    return rule;
  }

  void read_rule(const toml::node& node, FileContent& content) const {
    const auto* table = node.as_table();
    if (table == nullptr) {
      content.problems.push_back(error(node.source(), "rules are written as [[rule]]"));
      return;
    }
    auto one = rule(*table);
    if (!one) {
      content.problems.push_back(std::move(one).error());
      return;
    }
    one->line = table->source().begin.line;
    if (std::ranges::find(content.rules, one->name, &Rule::name) != content.rules.end()) {
      content.problems.push_back(error(table->source(), "a rule called " + in_quotes(one->name) + " exists already"));
      return;
    }
    content.rules.push_back(*std::move(one));
  }

  void read_rules(const toml::node& node, FileContent& content) const {
    const auto* tables = node.as_array();
    if (tables == nullptr) {
      content.problems.push_back(error(node.source(), "rules are written as [[rule]]"));
    } else if (tables->size() > kMaxRules) {
      content.problems.push_back(error(node.source(), "more than " + std::to_string(kMaxRules) + " rules"));
    } else {
      for (const toml::node& item : *tables) read_rule(item, content);
    }
  }

  const std::string& file_;
  std::map<std::string, Pattern, std::less<>> patterns_;
};

FileContent read_file(std::string_view toml, const std::string& name) {
  try {
    return RuleReader(name).read(toml::parse(toml, name));
  } catch (const toml::parse_error& failure) {
    const auto& at = failure.source().begin;
    return {{},
            {{Code::kInvalidArgument, name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                                          std::string(failure.description())}}};
  } catch (const std::logic_error& failure) {
    return {{}, {{Code::kInvalidArgument, name + ": " + failure.what()}}};
  }
}

}  // namespace

Rules::Rules(std::vector<Rule> rules)
    : rules_(std::move(rules)),
      count_repetitions_(
          std::ranges::any_of(rules_, [](const Rule& rule) { return rule.match.repetition.has_value(); })) {}

Result<Rules> Rules::parse(std::string_view toml, const std::string& name) {
  FileContent content = read_file(toml, name);
  if (!content.problems.empty()) return content.problems.front();
  Rules rules(std::move(content.rules));
  rules.file_ = name;
  rules.version_ = to_hex(blake2b(toml));
  rules.toml_ = toml;
  return rules;
}

std::vector<Error> Rules::problems(std::string_view toml, const std::string& name) {
  return read_file(toml, name).problems;
}

Result<Rules> Rules::parse(std::string_view toml, const std::string& name, const Rules* known) {
  if (known != nullptr && known->toml_ == toml && known->file_ == name) return *known;
  return parse(toml, name);
}

Result<Rules> Rules::load(const std::filesystem::path& path) { return load(path, nullptr); }

Result<Rules> Rules::load(const std::filesystem::path& path, const Rules* known) {
  ASSIGN_OR_RETURN(const auto text, os::read_file(path, kMaxRuleFileBytes));
  return parse(text, path.string(), known);
}

}  // namespace da::policy
