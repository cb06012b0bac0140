// A .env file is read completely, or refused with an error that is short.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "services/console/environment/dotenv.h"
#include "services/console/settings/settings_file.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using da::fuzz::require;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr std::size_t kLongestError = 1000;
  const auto entries = da::console::parse_dotenv(text, ".env");
  if (!entries) {
    require(!entries.error().message.empty() && entries.error().message.size() < kLongestError, "a refusal is short");
    return 0;
  }
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  std::size_t line = 0;
  for (const auto& entry : *entries) {
    require(entry.line > line && entry.line <= lines, "entries are on different lines, in order");
    require(!entry.name.empty() && entry.value.size() <= size, "an entry has a name, and no more than the file");
    line = entry.line;
  }
  return 0;
}
