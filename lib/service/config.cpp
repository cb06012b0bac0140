#include "lib/service/config.h"

#include "lib/base/path_text.h"
#include "lib/base/toml.h"
#include "lib/os/files/files.h"
#include "lib/os/process/environment.h"

namespace da::service {

struct Config::Table {
  toml::table root;
};

Result<Config> Config::load(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(const std::string content, os::read_file(path));
  ASSIGN_OR_RETURN(Config config, parse(content, text_of(path)));
  std::error_code error;
  config.directory_ = std::filesystem::absolute(path, error).parent_path();
  if (error) return Error{Code::kNotFound, "find the directory of " + text_of(path) + ": " + error.message()};
  return config;
}

Result<Config> Config::parse(std::string_view text, const std::string& name) {
  try {
    Config config;
    config.name_ = name;
    config.toml_ = text;
    config.table_ = std::make_shared<const Table>(Table{toml::parse(text, name)});
    return config;
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    return Error{Code::kInvalidArgument, name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                                             std::string(error.description())};
  } catch (const std::logic_error& failure) {
    return Error{Code::kInvalidArgument, name + ": " + failure.what()};
  }
}

Result<std::optional<std::string>> Config::find_string(std::string_view key) const {
  const auto node = table_->root.at_path(key);
  if (!node) return std::optional<std::string>();
  if (auto value = node.value_exact<std::string>()) return value;
  return Error{Code::kInvalidArgument, name_ + ": " + std::string(key) + " must be a string"};
}

Result<std::optional<std::int64_t>> Config::find_integer(std::string_view key) const {
  const auto node = table_->root.at_path(key);
  if (!node) return std::optional<std::int64_t>();
  if (auto value = node.value_exact<std::int64_t>()) return value;
  return Error{Code::kInvalidArgument, name_ + ": " + std::string(key) + " must be an integer"};
}

Result<std::optional<double>> Config::find_number(std::string_view key) const {
  const auto node = table_->root.at_path(key);
  if (!node) return std::optional<double>();
  if (node.is_number()) return node.value<double>();
  return Error{Code::kInvalidArgument, name_ + ": " + std::string(key) + " must be a number"};
}

Result<std::optional<bool>> Config::find_boolean(std::string_view key) const {
  const auto node = table_->root.at_path(key);
  if (!node) return std::optional<bool>();
  if (auto value = node.value_exact<bool>()) return value;
  return Error{Code::kInvalidArgument, name_ + ": " + std::string(key) + " must be true or false"};
}

Result<std::vector<std::string>> Config::strings(std::string_view key) const {
  std::vector<std::string> found;
  const auto node = table_->root.at_path(key);
  if (!node) return found;
  const Error wrong{Code::kInvalidArgument, name_ + ": " + std::string(key) + " must be a list of strings"};
  const toml::array* list = node.as_array();
  if (list == nullptr) return wrong;
  for (const toml::node& item : *list) {
    auto value = item.value_exact<std::string>();
    if (!value) return wrong;
    found.push_back(*std::move(value));
  }
  return found;
}

Result<std::optional<std::filesystem::path>> Config::find_path(std::string_view key) const {
  ASSIGN_OR_RETURN(const auto value, find_string(key));
  if (!value) return std::optional<std::filesystem::path>();
  return std::optional<std::filesystem::path>(directory_ / path_of(*value));
}

Result<std::filesystem::path> Config::path(std::string_view key) const {
  ASSIGN_OR_RETURN(const std::string value, string(key));
  return directory_ / path_of(value);
}

Result<std::optional<std::filesystem::path>> Config::find_secret_path(std::string_view key) const {
  ASSIGN_OR_RETURN(auto path, find_path(key));
  const auto credentials = os::environment_variable(os::kCredentialsDirectory);
  if (!path || !credentials) return path;
  const auto handed_over = path_of(*credentials) / path->filename();
  ASSIGN_OR_RETURN(const bool there, os::exists(handed_over));
  return there ? handed_over : path;
}

Result<std::filesystem::path> Config::secret_path(std::string_view key) const {
  ASSIGN_OR_RETURN(auto path, find_secret_path(key));
  if (!path) return Error{Code::kNotFound, name_ + ": " + std::string(key) + " is missing"};
  return *std::move(path);
}

Result<std::string> Config::string(std::string_view key) const {
  ASSIGN_OR_RETURN(auto value, find_string(key));
  if (!value) return Error{Code::kNotFound, name_ + ": " + std::string(key) + " is missing"};
  return *std::move(value);
}

}  // namespace da::service
