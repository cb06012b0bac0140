#include "services/actuator/privacy/toml_fields.h"

namespace da::actuator {

Error toml_error(const std::string& file, const toml::node& at, const std::string& message) {
  const auto& begin = at.source().begin;
  return {Code::kInvalidArgument,
          file + ":" + std::to_string(begin.line) + ":" + std::to_string(begin.column) + ": " + message};
}

Result<std::vector<toml::table*>> toml_tables(const std::string& file, toml::table& root, std::string_view name) {
  std::vector<toml::table*> tables;
  for (auto&& [key, node] : root) {
    auto* list = node.as_array();
    if (key.str() != name || list == nullptr) {
      return toml_error(file, node, "only [[" + std::string(name) + "]] tables are expected");
    }
    for (toml::node& item : *list) {
      if (!item.is_table()) return toml_error(file, item, "only [[" + std::string(name) + "]] tables are expected");
      tables.push_back(item.as_table());
    }
  }
  return tables;
}

Result<std::string> toml_string(const std::string& file, const toml::node& node, std::string_view key) {
  const auto* value = node.as_string();
  if (value == nullptr) return toml_error(file, node, std::string(key) + " must be a string");
  if (value->get().empty()) return toml_error(file, node, std::string(key) + " is empty");
  return value->get();
}

Result<std::vector<std::string>> toml_strings(const std::string& file, const toml::node& node, std::string_view key) {
  std::vector<std::string> found;
  const auto* list = node.as_array();
  if (list == nullptr) {
    ASSIGN_OR_RETURN(auto value, toml_string(file, node, key));
    found.push_back(std::move(value));
    return found;
  }
  for (const toml::node& item : *list) {
    ASSIGN_OR_RETURN(auto value, toml_string(file, item, "each item of " + std::string(key)));
    found.push_back(std::move(value));
  }
  if (found.empty()) return toml_error(file, node, std::string(key) + " is an empty list and would match nothing");
  return found;
}

Result<Pattern> toml_pattern(const std::string& file, const toml::node& node, std::string_view key) {
  ASSIGN_OR_RETURN(auto expressions, toml_strings(file, node, key));
  for (const std::string& expression : expressions) {
    if (const auto one = Pattern::compile(expression); !one) {
      return toml_error(file, node, std::string(key) + ": " + one.error().message);
    }
  }
  auto pattern = Pattern::compile_any(std::move(expressions));
  if (!pattern) return toml_error(file, node, std::string(key) + ": " + pattern.error().message);
  return pattern;
}

}  // namespace da::actuator
