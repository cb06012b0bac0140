#include "services/console/terminal/service_text.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lib/base/text.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {

std::string service_text(const std::string& name, const Result<v1::ServiceDescription>& description) {
  std::ostringstream text;
  text << std::left << std::setw(10) << name;
  if (!description) {
    text << "NOT REACHABLE  " << escape_foreign_lines(description.error().message, 4000);
    return text.str();
  }
  text << "serving  pid " << description->pid() << ", " << static_cast<long>(description->uptime_s()) << " s, version "
       << escape_foreign(description->version()) << ", desktop " << escape_foreign(description->desktop_id());
  for (const auto& property : description->properties()) {
    text << "\n            " << escape_foreign(property.name()) << ": " << escape_foreign(property.value());
  }
  return text.str();
}

std::string summary_text(const std::string& name, const Result<v1::ServiceDescription>& description) {
  constexpr std::string_view kTold[] = {"task", "goal", "step", "halted", "paused"};
  if (!description) return "  da-" + name + ": NOT REACHABLE\n";
  std::string text;
  for (const auto& property : description->properties()) {
    const std::string& what = property.name();
    const bool waits = what.starts_with("approval ") || what.starts_with("question ");
    const bool says_nothing = property.value() == "no";
    if (says_nothing || (!waits && std::ranges::find(kTold, what) == std::end(kTold))) continue;
    text += "  " + escape_foreign(what) + ": " + escape_foreign(property.value()) + "\n";
  }
  return text;
}

std::string service_json(const std::string& name, const Result<v1::ServiceDescription>& description) {
  nlohmann::json line = {{"service", name}, {"reachable", description.has_value()}};
  if (description) {
    line["pid"] = description->pid();
    line["version"] = description->version();
    line["uptime_s"] = description->uptime_s();
    line["desktop"] = description->desktop_id();
    for (const auto& property : description->properties()) line["properties"][property.name()] = property.value();
  } else {
    line["error"] = description.error().message;
  }
  return json_line(line);
}

}  // namespace da::console
