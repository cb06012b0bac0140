#include "services/console/settings/setting.h"

#include <algorithm>

namespace da::console {

const Setting* find_setting(std::string_view name) {
  const auto all = all_settings();
  const auto found = std::ranges::find(all, name, [](const Setting& each) { return std::string_view(each.name); });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const Setting& setting : all_settings()) names.emplace_back(setting.name);
  return names;
}

std::string variable_of(const Setting& setting) {
  if (setting.variable != nullptr) return setting.variable;
  std::string name = "DA_";
  for (const char* letter = setting.name; *letter != '\0'; ++letter) {
    name += *letter >= 'a' && *letter <= 'z' ? static_cast<char>(*letter - 'a' + 'A') : *letter;
  }
  return name;
}

std::string kind_text(const Setting& setting) {
  using enum SettingKind;
  switch (setting.kind) {
    case kText: return "a text";
    case kPath: return "a path";
    case kCount: return "a whole number from " + std::to_string(setting.least) + " to " + std::to_string(setting.most);
    case kMoney: return "a number above 0, at most " + std::to_string(setting.most);
    case kDuration: return "a duration, such as \"10m\"";
    case kSwitch: return "true or false";
    case kWord: break;
    case kTexts: return "a list of texts";
  }
  std::string words;
  for (const char* word : setting.words) {
    words += (words.empty() ? "" : word == setting.words.back() ? " or " : ", ") + std::string(word);
  }
  return words;
}

}  // namespace da::console
