// How people and scripts read the audit log: filters, records in words and as rows, the report of a verification.
// A record is taken as hostile input: its text is shown escaped. Pure; any thread.
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
  std::vector<std::string> kinds;  // Any of them; empty: all.
  std::string since;               // "2026-11-21T09:30:00.000Z" or the start of it.
};

enum class ViewAs { kText, kJson, kCsv };

// nullopt where the filter leaves the line out, or it is a head of an export. A line that is no record is shown as one.
std::optional<std::string> view(std::string_view line, const AuditFilter& filter, ViewAs as);
std::string csv_header();
// The task that a record is of; empty for a line that names none.
std::string task_of(std::string_view line);

// "10m" before now, or a time as records have it. kInvalidArgument for anything else.
Result<std::string> since_time(const std::string& given, WallTime now);

// Begins with the verdict.
std::string to_text(const AuditReport& report);
nlohmann::json to_json(const AuditReport& report);

}  // namespace da::policy
