// Shows the audit log to people and scripts: filters, records as text and as rows, verification reports. Records are
// hostile input: their text is escaped. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/policy/audit/verify.h"

namespace da::policy {

struct AuditFilter {
  std::string task;                // The start of its id.
  std::vector<std::string> kinds;  // Empty: all.
  std::string since;               // "2026-11-21T09:30:00.000Z" or the start of it.
};

enum class ViewAs { kText, kJson, kCsv };

// nullopt if the filter drops the line, or the line is a head of an export. kText also shows invalid lines.
std::optional<std::string> view(std::string_view line, const AuditFilter& filter, ViewAs as);
std::string csv_header();
// The task id of a record; empty if the line has none.
std::string task_of(std::string_view line);

// The time "10m" before now, or a given time in the format of the records. kInvalidArgument for anything else.
Result<std::string> since_time(const std::string& given, WallTime now);

// The first word is the result: "intact" or "NOT INTACT".
std::string to_text(const AuditReport& report);
nlohmann::json to_json(const AuditReport& report);

}  // namespace da::policy
