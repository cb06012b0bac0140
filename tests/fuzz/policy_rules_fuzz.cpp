// A rule file must be refused with an error, or all of its rules must work on hostile text.
#include <cstdint>
#include <optional>
#include <string_view>

#include "services/policy/judgement/condition.h"
#include "services/policy/judgement/rules.h"
#include "tests/fuzz/require.h"

namespace {

constexpr std::string_view kHostile = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xff\xc3\x28\n\0ctrl+\xe2\x80\xae";

void try_pattern(const std::optional<da::Pattern>& pattern) {
  if (pattern) static_cast<void>(pattern->matches(kHostile));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using da::fuzz::require;
  const auto rules = da::policy::Rules::parse({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  if (!rules) {
    require(rules.error().message.find("fuzz.toml") != std::string::npos, "a refusal names the file");
    return 0;
  }
  require(!rules->version().empty(), "rules have a version");
  for (const auto& rule : rules->all()) {
    require(!rule.name.empty(), "a rule has a name");
    require(rule.ruling != da::policy::Ruling::kAllow || !rule.match.tools.empty(), "an allow rule names its tools");
    for (const auto& condition : da::policy::kConditions) {
      try_pattern(rule.match.*condition.pattern);
      for (const auto& except : rule.except) try_pattern(except.*condition.pattern);
    }
  }
  return 0;
}
