#include "services/console/flags.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "services/console/duration.h"

namespace da::console {

CLI::Validator utf8_text() {
  const auto check = [](const std::string& text) { return std::string(is_valid_utf8(text) ? "" : "is not UTF-8"); };
  return CLI::Validator(check, "");
}

CLI::Validator known_tool() {
  const auto check = [](const std::string& tool) {
    const auto names = contract::names_in(v1::DIALECT_STEPS);
    if (std::ranges::find(names, tool) != names.end()) return std::string();
    return "there is no tool " + quote_foreign(tool, 60) + did_you_mean(tool, names) +
           "; `da-console tools` lists them";
  };
  return CLI::Validator(check, "");
}

CLI::Validator milliseconds() {
  const auto transform = [](std::string& text) {
    const auto duration = parse_duration(text);
    if (!duration) return duration.error().message;
    text = std::to_string(duration->count());
    return std::string();
  };
  return CLI::Validator(transform, "");
}

CLI::Validator at_least_one() { return CLI::Range(1U, std::numeric_limits<std::uint32_t>::max()).description(""); }

}  // namespace da::console
