#include "services/console/recordings/summary_text.h"

#include <cstdio>

#include "lib/base/clock.h"
#include "lib/base/text.h"

namespace da::console {

using recording::RecordingSummary;

std::string value_of(const RecordingSummary::Values& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? "" : found->second;
}

std::string result_word(const RecordingSummary& summary) {
  constexpr std::string_view kPrefix = "TASK_END_";
  const std::string end = value_of(summary.end, "result");
  std::string word = fold_case(end.starts_with(kPrefix) ? end.substr(kPrefix.size()) : end);
  for (char& c : word) {
    if (c == '_') c = ' ';
  }
  return escape_foreign(word, 40);
}

std::string duration_text(double seconds) {
  char text[40];
  if (seconds < 60) {
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  } else if (seconds < 3600) {
    const auto whole = static_cast<unsigned>(seconds);
    std::snprintf(text, sizeof text, "%u m %02u s", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%.1f h", seconds / 3600);
  }
  return text;
}

std::string size_text(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
  double size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 999.5; ++unit) size /= 1000;
  char text[40];
  std::snprintf(text, sizeof text, unit > 0 && size < 9.95 ? "%.1f %s" : "%.0f %s", size, kUnits[unit]);
  return text;
}

std::string time_text(std::uint64_t wall_ns) {
  if (wall_ns == 0) return {};
  return format_wall(WallTime(Nanoseconds(static_cast<std::int64_t>(wall_ns))));
}

nlohmann::ordered_json summary_json(const RecordingSummary& summary) {
  const auto& statistics = summary.reader->statistics();
  nlohmann::ordered_json json = {{"file", summary.reader->file().path().string()},
                                 {"state", recording::to_string(summary.state)}};
  if (!summary.problem.empty()) json["problem"] = summary.problem;
  for (const char* name : {"task", "goal", "opened_by", "planner", "desktop"}) {
    if (const std::string value = value_of(summary.about, name); !value.empty()) json[name] = value;
  }
  if (const std::string word = result_word(summary); !word.empty()) json["result"] = word;
  for (const char* name : {"summary", "cut"}) {
    if (const std::string value = value_of(summary.end, name); !value.empty()) json[name] = value;
  }
  json["began"] = time_text(statistics.start_ns);
  json["ended"] = time_text(statistics.end_ns);
  json["seconds"] = summary.seconds();
  json["bytes"] = summary.reader->file().size();
  json["facts"] = summary.facts;
  json["lost"] = summary.lost_facts();
  return json;
}

}  // namespace da::console
