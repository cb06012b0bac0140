#include "services/policy/rule_tools/audit_view.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "services/policy/audit/head.h"

namespace da::policy {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kShownCharacters = 1'200;
constexpr std::array kColumns = {"seq",    "time",   "boot",    "kind",   "task",    "step",    "approval", "decision",
                                 "answer", "said",   "outcome", "code",   "rule",    "risk",    "by",       "approver",
                                 "action", "window", "process", "reason", "message", "problem", "grant",    "hash"};
// Members that only machines need.
constexpr std::array kNotShown = {"seq",           "prev",          "time",           "kind",
                                  "boot",          "hash",          "text_digest",    "action_digest",
                                  "rules_version", "actuator_boot", "evidence_digest"};

std::string text_of(const OrderedJson& record, const std::string& name) {
  const auto found = record.find(name);
  if (found == record.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  return found->dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

bool passes(const OrderedJson& record, const AuditFilter& filter) {
  if (!filter.task.empty() && !text_of(record, "task").starts_with(filter.task)) return false;
  if (!filter.since.empty() && text_of(record, "time") < filter.since) return false;
  return filter.kinds.empty() || std::ranges::find(filter.kinds, text_of(record, "kind")) != filter.kinds.end();
}

std::string record_text(const OrderedJson& record) {
  std::string text = escape_foreign(text_of(record, "time"), 40) + "  " + escape_foreign(text_of(record, "seq"), 40) +
                     "  " + escape_foreign(text_of(record, "kind"), 40);
  for (const auto& [name, value] : record.items()) {
    if (std::ranges::find(kNotShown, name) != kNotShown.end()) continue;
    text += "  " + escape_foreign(name, 40) + "=";
    text +=
        escape_foreign(name == "task" || name == "step" ? text_of(record, name).substr(0, 8) : text_of(record, name),
                       kShownCharacters);
  }
  return text;
}

// Quotes the text, and marks it as text if a spreadsheet would take it for a formula.
std::string cell(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) text.insert(0, "'");
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string as_row(const OrderedJson& record) {
  std::string row;
  for (const char* column : kColumns) row += (row.empty() ? "" : ",") + cell(escape_foreign(text_of(record, column)));
  return row;
}

}  // namespace

std::optional<std::string> view(std::string_view line, const AuditFilter& filter, ViewAs as) {
  if (looks_like_head(line)) return std::nullopt;
  const OrderedJson record = OrderedJson::parse(line, nullptr, false);
  if (!record.is_object()) {
    if (as != ViewAs::kText) return std::nullopt;
    return "(not a record) " + escape_foreign(line, 100);
  }
  if (!passes(record, filter)) return std::nullopt;
  switch (as) {
    case ViewAs::kJson: return record.dump(-1, ' ', true, OrderedJson::error_handler_t::replace);
    case ViewAs::kCsv: return as_row(record);
    case ViewAs::kText: break;
  }
  return record_text(record);
}

std::string task_of(std::string_view line) {
  const OrderedJson record = OrderedJson::parse(line, nullptr, false);
  return record.is_object() ? text_of(record, "task") : "";
}

std::string csv_header() {
  std::string header;
  for (const char* column : kColumns) header += (header.empty() ? "" : ",") + std::string(column);
  return header;
}

Result<std::string> since_time(const std::string& given, WallTime now) {
  std::int64_t count = 0;
  const char* end = given.data() + given.size();
  const auto number = std::from_chars(given.data(), end, count);
  if (number.ec == std::errc() && number.ptr + 1 == end && count >= 0 && count < 1'000'000) {
    switch (*number.ptr) {
      case 's': return format_wall(now - std::chrono::seconds(count));
      case 'm': return format_wall(now - std::chrono::minutes(count));
      case 'h': return format_wall(now - std::chrono::hours(count));
      case 'd': return format_wall(now - std::chrono::hours(24 * count));
      default: break;
    }
  }
  if (given.size() >= 10 && given[4] == '-' && given[7] == '-' &&
      given.find_first_not_of("0123456789-:.TZ") == std::string::npos) {
    return given;
  }
  return Error{Code::kInvalidArgument, "--since \"" + escape_foreign(given, 40) +
                                           "\": say 30s, 10m, 2h or 7d, or a time such as 2026-11-21T09:30"};
}

std::string to_text(const AuditReport& report) {
  std::string text = (report.intact() ? "intact: " : "NOT INTACT: ") + std::to_string(report.records) + " records of " +
                     std::to_string(report.starts) + " starts, signed up to record " +
                     std::to_string(report.signed_up_to) + "\n";
  for (const AuditFault& fault : report.faults) {
    text += std::string(name_of(fault.kind)) + ": " +
            (fault.line == 0 ? "" : "line " + std::to_string(fault.line) + ": ") + fault.what + "\n";
  }
  if (report.fault_count > report.faults.size()) {
    text += "and " + std::to_string(report.fault_count - report.faults.size()) + " more\n";
  }
  for (const std::string& note : report.notes) text += "note: " + note + "\n";
  for (const auto& [key, count] : report.keys) {
    text += "key " + key + " signed " + std::to_string(count) + (count == 1 ? " head\n" : " heads\n");
  }
  return text;
}

nlohmann::json to_json(const AuditReport& report) {
  nlohmann::json faults = nlohmann::json::array();
  for (const AuditFault& fault : report.faults) {
    faults.push_back({{"fault", name_of(fault.kind)}, {"line", fault.line}, {"seq", fault.seq}, {"what", fault.what}});
  }
  return {{"intact", report.intact()},
          {"records", report.records},
          {"last_seq", report.last_seq},
          {"starts", report.starts},
          {"heads", report.heads},
          {"signed_up_to", report.signed_up_to},
          {"keys", report.keys},
          {"notes", report.notes},
          {"faults", faults},
          {"fault_count", report.fault_count}};
}

}  // namespace da::policy
