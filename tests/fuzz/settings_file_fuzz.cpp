// A settings file is read or refused. What is set in it can be read back, and all other settings stay.
#include <cstdint>
#include <string_view>

#include "services/console/settings/settings_file.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace da::console;
  using da::fuzz::require;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const SettingValue value = std::int64_t{42};
  const auto before = parse_settings(text, "s.toml");
  const auto changed = with_setting(text, "s.toml", "max_turns", value);
  if (!before) {
    require(!before.error().message.empty(), "a refusal says why");
    require(!changed, "a file that cannot be read is not changed");
    return 0;
  }
  if (!changed) return 0;  // Written in a way that cannot be changed.
  auto expected = *before;
  expected.insert_or_assign("max_turns", value);
  const auto after = parse_settings(*changed, "s.toml");
  require(after && *after == expected, "one setting changes");
  const auto removed = without_setting(*changed, "s.toml", "max_turns");
  if (!removed) return 0;
  expected.erase("max_turns");
  const auto rest = parse_settings(*removed, "s.toml");
  require(rest && *rest == expected, "one setting is removed");
  return 0;
}
