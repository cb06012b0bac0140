#include "lib/base/toml.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da {

Error toml_error(const toml::node& at, const std::string& message) {
  const auto& begin = at.source().begin;
  return {Code::kInvalidArgument,
          "line " + std::to_string(begin.line) + ", column " + std::to_string(begin.column) + ": " + message};
}

Result<void> check_toml_keys(const toml::table& table, std::initializer_list<std::string_view> known) {
  for (auto&& [key, node] : table) {
    if (std::ranges::find(known, key.str()) == known.end()) {
      return toml_error(node, "unknown key \"" + escape_foreign(key.str(), 40) + "\"");
    }
  }
  return ok();
}

}  // namespace da
