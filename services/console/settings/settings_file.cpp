#include "services/console/settings/settings_file.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <functional>

#include "lib/base/nearest.h"
#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/base/toml.h"
#include "lib/os/files/files.h"
#include "lib/os/unique_fd.h"

namespace da::console {
namespace {

constexpr std::size_t kMaxBytes = 256 * 1024;
constexpr std::size_t kShownOfName = 60;

Result<toml::table> parse_table(std::string_view text, const std::string& file) {
  if (text.size() > kMaxBytes) {
    return Error{Code::kInvalidArgument, file + " has more than " + std::to_string(kMaxBytes) + " bytes"};
  }
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    return Error{Code::kInvalidArgument, file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                                             escape_foreign(error.description())};
  } catch (const std::logic_error& failure) {
    return Error{Code::kInvalidArgument, file + ": " + failure.what()};
  }
}

// nullopt: another type.
std::optional<SettingValue> value_of(const Setting& setting, const toml::node& node) {
  switch (setting.kind) {
    case SettingKind::kSwitch:
      if (const auto value = node.value_exact<bool>()) return *value;
      return std::nullopt;
    case SettingKind::kCount:
      if (const auto value = node.value_exact<std::int64_t>()) return *value;
      return std::nullopt;
    case SettingKind::kMoney:
      if (node.is_number()) return node.value<double>();
      return std::nullopt;
    case SettingKind::kTexts: {
      const toml::array* list = node.as_array();
      if (list == nullptr) return std::nullopt;
      std::vector<std::string> texts;
      for (const toml::node& item : *list) {
        const auto text = item.value_exact<std::string>();
        if (!text) return std::nullopt;
        texts.push_back(*text);
      }
      return texts;
    }
    case SettingKind::kText:
    case SettingKind::kPath:
    case SettingKind::kDuration:
    case SettingKind::kWord: break;
  }
  if (const auto value = node.value_exact<std::string>()) return *value;
  return std::nullopt;
}

Error at(const toml::source_region& where, const std::string& file, const std::string& message) {
  return {Code::kInvalidArgument,
          file + ":" + std::to_string(where.begin.line) + ":" + std::to_string(where.begin.column) + ": " + message};
}

Result<SettingValues> values_of(const toml::table& table, const std::string& file) {
  SettingValues values;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const Setting* setting = find_setting(name);
    if (setting == nullptr) return at(key.source(), file, no_such_setting(name).message);
    const auto value = value_of(*setting, node);
    if (!value) return at(node.source(), file, name + " must be " + kind_text(*setting));
    auto checked = check_value(*setting, *value);
    if (!checked) return at(node.source(), file, name + ": " + checked.error().message);
    values.insert_or_assign(name, *std::move(checked));
  }
  return values;
}

// toml++ counts code points from 1; nullopt if the text ends before.
std::optional<std::size_t> offset_of(std::string_view text, toml::source_position position) {
  std::size_t offset = 0;
  for (toml::source_index line = 1; line < position.line; ++line) {
    offset = text.find('\n', offset);
    if (offset == std::string_view::npos) return std::nullopt;
    ++offset;
  }
  for (toml::source_index column = 1; column < position.column; ++column) {
    if (offset >= text.size()) return std::nullopt;
    ++offset;
    while (offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80) ++offset;
  }
  return offset;
}

Error cannot_edit(const std::string& file, const std::string& name) {
  return {Code::kFailedPrecondition, file + " is written in a way that cannot be changed here: edit " +
                                         quote_foreign(name, kShownOfName) + " by hand"};
}

// Without `name`, which may be in one of them only, both tables have the same content.
bool same_but(const toml::table& one, const toml::table& other, const std::string& name) {
  toml::table left = one;
  toml::table right = other;
  left.erase(name);
  right.erase(name);
  return left == right;
}

Result<void> change_file(const std::filesystem::path& path,
                         const std::function<Result<std::string>(const std::string&)>& change) {
  if (path.empty()) {
    return Error{Code::kFailedPrecondition, "there is no directory for settings: set HOME or XDG_CONFIG_HOME"};
  }
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) {
    return Error{Code::kFailedPrecondition, "create " + text_of(path.parent_path()) + ": " + error.message()};
  }
  const os::UniqueFd lock(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock || ::flock(lock.get(), LOCK_EX) != 0) return posix_error("lock " + path.parent_path().string(), errno);
  ASSIGN_OR_RETURN(const bool exists, os::exists(path));
  std::string before;
  if (exists) {
    ASSIGN_OR_RETURN(before, os::read_trusted_file(path, kMaxBytes));
  }
  ASSIGN_OR_RETURN(const std::string after, change(before));
  RETURN_IF_ERROR(os::write_private_file(path, after));
  return os::sync_directory(path.parent_path());
}

}  // namespace

std::filesystem::path settings_file() {
  const auto directory = os::config_directory();
  return directory.empty() ? directory : directory / "settings.toml";
}

Error no_such_setting(const std::string& name) {
  const std::string shown = quote_foreign(name, kShownOfName);
  if (name.ends_with("_API_KEY") || name.ends_with("_api_key")) {
    return {Code::kInvalidArgument,
            "a key is not a setting: put it into the environment, into .env, or into a file "
            "that key_file names"};
  }
  std::vector<std::string> names = setting_names();
  std::string flag = name.starts_with("--") ? name : "--" + name;
  std::ranges::replace(flag, '_', '-');
  for (const Setting& setting : all_settings()) {
    if (flag == setting.flag) {
      return {Code::kInvalidArgument,
              "there is no setting " + shown + "; the setting of " + setting.flag + " is " + setting.name};
    }
  }
  return {Code::kInvalidArgument,
          "there is no setting " + shown + did_you_mean(name, names) + "; `da-console settings` lists them"};
}

Result<SettingValues> parse_settings(std::string_view toml, const std::string& file) {
  ASSIGN_OR_RETURN(const toml::table table, parse_table(toml, file));
  return values_of(table, file);
}

Result<SettingValues> read_settings_file(const std::filesystem::path& path) {
  if (path.empty()) return SettingValues();
  ASSIGN_OR_RETURN(const bool exists, os::exists(path));
  if (!exists) return SettingValues();
  ASSIGN_OR_RETURN(const std::string toml, os::read_trusted_file(path, kMaxBytes));
  ASSIGN_OR_RETURN(auto values, parse_settings(toml, text_of(path)));
  for (auto& [name, value] : values) {
    if (find_setting(name)->kind != SettingKind::kPath) continue;
    value = text_of(path.parent_path() / path_of(std::get<std::string>(value)));
  }
  return values;
}

Result<std::string> with_setting(std::string_view toml, const std::string& file, const std::string& name,
                                 const SettingValue& value) {
  ASSIGN_OR_RETURN(const toml::table before, parse_table(toml, file));
  RETURN_IF_ERROR(values_of(before, file));
  std::string text(toml);
  const std::string written = to_toml(value);
  if (const toml::node* node = before.get(name)) {
    const auto begin = offset_of(toml, node->source().begin);
    const auto end = offset_of(toml, node->source().end);
    if (!begin || !end || *end < *begin) return cannot_edit(file, name);
    text.replace(*begin, *end - *begin, written);
  } else {
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    text.append(name).append(" = ").append(written).append("\n");
  }
  const auto after = parse_table(text, file);
  if (!after || !same_but(before, *after, name)) return cannot_edit(file, name);
  const auto values = values_of(*after, file);
  if (!values) return values.error();
  const auto found = values->find(name);
  if (found == values->end() || found->second != value) return cannot_edit(file, name);
  return text;
}

Result<std::string> without_setting(std::string_view toml, const std::string& file, const std::string& name) {
  ASSIGN_OR_RETURN(const toml::table before, parse_table(toml, file));
  const auto found = before.find(name);
  if (found == before.end()) {
    if (find_setting(name) == nullptr) return no_such_setting(name);
    return Error{Code::kNotFound, quote_foreign(name, kShownOfName) + " is not set in " + file};
  }
  const toml::source_position first{found->first.source().begin.line, 1};
  const auto begin = offset_of(toml, first);
  const auto end = offset_of(toml, found->second.source().end);
  if (!begin || !end || *end < *begin) return cannot_edit(file, name);
  std::string text(toml);
  const std::size_t line_end = text.find('\n', *end);
  text.erase(*begin, line_end == std::string::npos ? std::string::npos : line_end + 1 - *begin);
  const auto after = parse_table(text, file);
  if (!after || after->contains(name) || !same_but(before, *after, name)) return cannot_edit(file, name);
  return text;
}

Result<void> set_in_file(const std::filesystem::path& path, const std::string& name, const SettingValue& value) {
  return change_file(path, [&](const std::string& before) { return with_setting(before, text_of(path), name, value); });
}

Result<void> unset_in_file(const std::filesystem::path& path, const std::string& name) {
  return change_file(path, [&](const std::string& before) { return without_setting(before, text_of(path), name); });
}

}  // namespace da::console
