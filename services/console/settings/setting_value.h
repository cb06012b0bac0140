// The value of a setting, checked. Pure; any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lib/base/result.h"
#include "services/console/settings/setting.h"

namespace da::console {

// kSwitch, kCount, kMoney, kTexts; everything else is a text.
using SettingValue = std::variant<bool, std::int64_t, double, std::vector<std::string>, std::string>;

// Reads a flag, a variable or an argument of `settings set`. A list has one text here. kInvalidArgument: says what the
// setting may be, without the setting's name, and suggests the nearest word.
Result<SettingValue> parse_value(const Setting& setting, std::string_view text);

// Checks a value of the right type, such as one from TOML.
Result<SettingValue> check_value(const Setting& setting, SettingValue value);

std::string to_toml(const SettingValue& value);
nlohmann::json to_json(const SettingValue& value);
// Returns the value to show to people; a text is escaped.
std::string text_of(const SettingValue& value);

}  // namespace da::console
