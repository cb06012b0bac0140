// The settings file, ~/.config/desktopassist/settings.toml: names of settings and their values, without sections. It
// must not be writable for others, because it can name another model server. Any thread; the functions on texts are
// pure.
//
//   # how long a model may try
//   max_turns = 20
//   prices = ["gpt-5 1.25 0.125 10"]
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "services/console/settings/setting_value.h"

namespace da::console {

using SettingValues = std::map<std::string, SettingValue, std::less<>>;

// Below os::config_directory(); empty if there is none.
std::filesystem::path settings_file();

// kInvalidArgument: names `file`, line and column; an unknown name comes with the nearest one.
Result<SettingValues> parse_settings(std::string_view toml, const std::string& file);

// No values if the file does not exist. Relative paths in it begin at its directory. kPermissionDenied: others may
// write the file, or it is a link.
Result<SettingValues> read_settings_file(const std::filesystem::path& path);

// Changes one value in the text of a file; comments and all other lines stay as they are. kInvalidArgument: the text is
// not a settings file, so that it must be corrected first.
Result<std::string> with_setting(std::string_view toml, const std::string& file, const std::string& name,
                                 const SettingValue& value);
// Removes the lines of `name`, which need not be a known setting. kNotFound: it is not set.
Result<std::string> without_setting(std::string_view toml, const std::string& file, const std::string& name);

// The same on the file, which is replaced atomically, and created with mode 0600. Two changes at the same time happen
// one after the other.
Result<void> set_in_file(const std::filesystem::path& path, const std::string& name, const SettingValue& value);
Result<void> unset_in_file(const std::filesystem::path& path, const std::string& name);

// "there is no setting NAME (did you mean ...)"; also knows flags, and that keys are no settings.
Error no_such_setting(const std::string& name);

}  // namespace da::console
