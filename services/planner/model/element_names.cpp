#include "services/planner/model/element_names.h"

#include <charconv>

#include "lib/base/text.h"

namespace da::planner::model {
namespace {

constexpr std::size_t kIdLength = 36;  // RFC 4122: 8-4-4-4-12.

bool is_id(std::string_view text) {
  for (std::size_t i = 0; i < kIdLength; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const char c = text[i];
    if (dash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
  }
  return true;
}

}  // namespace

std::string ElementNames::name_of(const std::string& element_id) {
  const auto [entry, is_new] = names_.try_emplace(element_id);
  if (is_new) {
    ids_.push_back(element_id);
    entry->second = "e" + std::to_string(ids_.size());
  }
  return entry->second;
}

std::string ElementNames::shorten(std::string_view text) {
  std::string shortened;
  while (text.size() >= kIdLength) {
    if (is_id(text)) {
      shortened += name_of(std::string(text.substr(0, kIdLength)));
      text.remove_prefix(kIdLength);
    } else {
      shortened += text.front();
      text.remove_prefix(1);
    }
  }
  return shortened.append(text);
}

Result<v1::Action> ElementNames::resolve(const v1::Action& action) const {
  if (!action.has_ui_click()) return action;
  const std::string& name = action.ui_click().element_id();
  if (name.size() == kIdLength && is_id(name)) return action;
  const bool is_name = name.starts_with('e');
  const std::vector<std::string>& known = is_name ? ids_ : marked_;
  std::size_t number = 0;
  const char* end = name.data() + name.size();
  const bool is_number = std::from_chars(name.data() + (is_name ? 1 : 0), end, number).ptr == end;
  if (!is_number || number == 0 || number > known.size()) {
    return Error{Code::kNotFound, "ui_click names the element \"" + escape_foreign(name, 60) +
                                      "\", which is none that you were told of; ask ui_find or ui_snapshot"};
  }
  v1::Action resolved = action;
  resolved.mutable_ui_click()->set_element_id(known[number - 1]);
  return resolved;
}

}  // namespace da::planner::model
