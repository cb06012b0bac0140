#include "services/console/settings/setting_value.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "services/console/duration.h"

namespace da::console {
namespace {

constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kMostTexts = 1000;
constexpr std::size_t kShownOfValue = 60;

Error wrong(const Setting& setting, std::string_view given) {
  return {Code::kInvalidArgument, quote_foreign(given, kShownOfValue) + " is not " + kind_text(setting)};
}

template <class Number>
bool parse_whole(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

Result<void> check_price(const std::string& line) {
  std::istringstream words(line);
  words.imbue(std::locale::classic());
  std::string model;
  std::string rest;
  double input = -1;
  double cached = -1;
  double output = -1;
  const bool read = static_cast<bool>(words >> model >> input >> cached >> output);
  if (read && !(words >> rest) && input >= 0 && cached >= 0 && output >= 0) return ok();
  return Error{Code::kInvalidArgument, quote_foreign(line, kShownOfValue) +
                                           " is not \"MODEL INPUT CACHED OUTPUT\", the prices of a million tokens"};
}

Result<void> check_text(const Setting& setting, const std::string& text) {
  if (!is_valid_utf8(text)) return Error{Code::kInvalidArgument, "is not UTF-8"};
  const bool has_control = std::ranges::any_of(text, [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; });
  if (text.empty() || text.size() > kLongestText || has_control) {
    return Error{Code::kInvalidArgument,
                 quote_foreign(text, kShownOfValue) + " must have 1 to 4096 bytes, without control characters"};
  }
  const std::string_view name = setting.name;
  if (name == "base_url" && !text.starts_with("http://") && !text.starts_with("https://")) {
    return Error{Code::kInvalidArgument, quote_foreign(text, kShownOfValue) + " must begin with http:// or https://"};
  }
  // A password here would be readable in `da-console settings` and in the file.
  const bool is_address = name == "base_url" || name == "proxy";
  const std::string_view host = std::string_view(text).substr(0, text.find('/', text.find("://") + 3));
  if (is_address && host.find('@') != std::string_view::npos) {
    return Error{Code::kInvalidArgument,
                 "an address must not contain a user or a password; proxy_login_file is for a proxy's"};
  }
  return name == "prices" ? check_price(text) : ok();
}

Result<void> check_word(const Setting& setting, const std::string& word) {
  const std::vector<std::string> words(setting.words.begin(), setting.words.end());
  if (std::ranges::find(words, word) != words.end()) return ok();
  Error error = wrong(setting, word);
  error.message += did_you_mean(word, words);
  return error;
}

}  // namespace

Result<SettingValue> parse_value(const Setting& setting, std::string_view given) {
  const std::string text(given);
  switch (setting.kind) {
    case SettingKind::kCount: {
      std::int64_t number = 0;
      if (!parse_whole(trim(given), number)) return wrong(setting, given);
      return check_value(setting, number);
    }
    case SettingKind::kMoney: {
      double number = 0;
      if (!parse_whole(trim(given), number)) return wrong(setting, given);
      return check_value(setting, number);
    }
    case SettingKind::kSwitch:
      if (text != "true" && text != "false") return wrong(setting, given);
      return SettingValue(text == "true");
    case SettingKind::kTexts: return check_value(setting, std::vector{text});
    case SettingKind::kDuration: return check_value(setting, std::string(trim(given)));
    case SettingKind::kText:
    case SettingKind::kPath:
    case SettingKind::kWord: break;
  }
  return check_value(setting, text);
}

Result<SettingValue> check_value(const Setting& setting, SettingValue value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    const bool fits = *number >= 0 && static_cast<std::uint64_t>(*number) >= setting.least &&
                      static_cast<std::uint64_t>(*number) <= setting.most;
    if (!fits) return wrong(setting, std::to_string(*number));
  } else if (const auto* money = std::get_if<double>(&value)) {
    // Also refuses NaN.
    if (!(*money > 0 && *money <= static_cast<double>(setting.most))) return wrong(setting, text_of(value));
  } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    if (texts->size() > kMostTexts) return Error{Code::kInvalidArgument, "has more than 1000 texts"};
    for (const std::string& text : *texts) RETURN_IF_ERROR(check_text(setting, text));
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    RETURN_IF_ERROR(check_text(setting, *text));
    if (setting.kind == SettingKind::kWord) RETURN_IF_ERROR(check_word(setting, *text));
    if (setting.kind == SettingKind::kDuration) {
      if (const auto duration = parse_duration(*text); !duration) return duration.error();
    }
  }
  return value;
}

std::string to_toml(const SettingValue& value) {
  if (const auto* is_on = std::get_if<bool>(&value)) return *is_on ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* money = std::get_if<double>(&value)) {
    char digits[64];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, *money);
    std::string text(digits, end);
    // Without a point or an exponent, TOML would read an integer.
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  if (const auto* text = std::get_if<std::string>(&value)) return quote_toml(*text);
  std::string list;
  for (const std::string& text : std::get<std::vector<std::string>>(value)) {
    list += (list.empty() ? "" : ", ") + quote_toml(text);
  }
  return "[" + list + "]";
}

nlohmann::json to_json(const SettingValue& value) {
  return std::visit([](const auto& held) { return nlohmann::json(held); }, value);
}

std::string text_of(const SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return escape_foreign(*text);
  const std::string toml = to_toml(value);
  return std::holds_alternative<double>(value) && toml.ends_with(".0") ? toml.substr(0, toml.size() - 2)
                                                                       : escape_foreign(toml);
}

}  // namespace da::console
