#include "services/planner/rules/profile/object_reader.h"

#include <algorithm>
#include <iterator>

#include "lib/contract/catalogue.h"
#include "lib/contract/secret_placeholder.h"
#include "services/planner/rules/profile/element_states.h"
#include "services/planner/rules/profile/key_chord.h"

namespace da::planner::rules {
namespace {

constexpr std::size_t kShownName = 60;
constexpr std::size_t kMaxTextCharacters = 20'000;  // Limit of the tool write.
constexpr std::size_t kMaxTextBytes = 20'000;       // Limit of names and comments.

std::string shown(const Document& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  if (value.is_string()) return "the text " + quote_foreign(value.get<std::string>(), 60);
  return value.dump();
}

// A text, or a number or a truth value as text.
std::optional<std::string> as_text(const Document& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  return std::nullopt;
}

std::optional<bool> as_flag(const Document& value) {
  if (value.is_boolean()) return value.get<bool>();
  const std::string word = value.is_string() ? fold_case(trim(value.get<std::string>())) : std::string();
  if (word == "true") return true;
  if (word == "false") return false;
  return std::nullopt;
}

std::vector<std::string> names_of(const std::map<std::string, std::size_t, std::less<>>& indices) {
  std::vector<std::string> names;
  for (const auto& [name, index] : indices) {
    if (escape_foreign(name, kShownName) == name) names.push_back(name);  // Suggestions are shown without escapes.
  }
  return names;
}

// True if the path stays in or below the folder templates/.
bool is_template_file(std::string_view name) {
  if (name.find_first_of(std::string_view("\\:\0", 3)) != std::string_view::npos) return false;
  std::size_t begin = 0;
  while (begin <= name.size()) {
    const std::size_t slash = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, slash - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = slash + 1;
  }
  return true;
}

}  // namespace

ObjectReader::ObjectReader(const Document& value, std::string pointer, ReadContext& context)
    : object_(value), pointer_(std::move(pointer)), context_(context), is_object_(value.is_object()) {
  if (!is_object_) context_.problems.error(pointer_, "an object is needed here, not " + shown(value));
}

const Document* ObjectReader::take(std::string_view name) {
  known_.emplace(name);
  if (!is_object_) return nullptr;
  const auto found = object_.find(name);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

void ObjectReader::error(std::string_view name, std::string message) {
  context_.problems.error(has(name) ? member(name) : pointer_, std::move(message));
}

std::string ObjectReader::text(std::string_view name, Need need) {
  const Document* value = take(name);
  if (value == nullptr) {
    if (need == Need::kRequired && is_object_) error(name, std::string(name) + " is missing");
    return {};
  }
  const auto found = as_text(*value);
  if (!found) error(name, std::string(name) + " must be a text, not " + shown(*value));
  if (found && need == Need::kRequired && trim(*found).empty()) error(name, std::string(name) + " is empty");
  if (found && found->size() > kMaxTextBytes) {  // Each event of a rule has the rule's name.
    error(name, std::string(name) + " has more than " + std::to_string(kMaxTextBytes) + " bytes");
  }
  return found.value_or("");
}

bool ObjectReader::flag(std::string_view name, bool otherwise) {
  bool value = otherwise;
  (*this)(value, Field{name, ""});
  return value;
}

void ObjectReader::check_template_file(std::string_view name, const std::string& file) {
  if (!is_template_file(file)) {
    error(name, quote_foreign(file, 60) + " is not a file of the folder templates/");
  } else if (context_.check_file) {
    if (const auto problem = context_.check_file(file)) error(name, *problem);
  }
}

void ObjectReader::take_all() {
  if (!is_object_) return;
  for (const auto& [key, value] : object_.items()) known_.insert(key);
}

void ObjectReader::finish() {
  if (!is_object_) return;
  const std::vector<std::string> names(known_.begin(), known_.end());
  const auto severity = context_.unknown_keys == UnknownKeys::kRefuse ? Severity::kError : Severity::kWarning;
  for (const auto& [key, value] : object_.items()) {
    if (known_.contains(key) || context_.problems.full()) continue;
    context_.problems.at_key(severity, member(key), "unknown key " + quote_foreign(key, 60) + did_you_mean(key, names));
  }
}

const Document* ObjectReader::required(const Field& field) {
  const Document* value = take(field.name);
  if (!field.other_name.empty()) {
    const Document* other = take(field.other_name);
    if (value == nullptr) value = other;
  }
  if (value == nullptr && field.need == Need::kRequired) {
    context_.problems.error(pointer_, std::string(field.name) + " is missing: " + std::string(field.meaning));
  }
  return value;
}

void ObjectReader::check_placeholders(const std::string& pointer, const TextTemplate& text, const Field& field) {
  const auto characters = decode_utf8(text.text());
  if (!characters || characters->size() > kMaxTextCharacters) {
    return context_.problems.error(
        pointer, std::string(field.name) + " has more than " + std::to_string(kMaxTextCharacters) + " characters");
  }
  for (const std::string& path : text.paths()) {
    const std::string name = variable_of(path);
    if (context_.variables.contains(name)) continue;
    if (context_.problems.full()) break;
    const std::vector<std::string> names(context_.variables.begin(), context_.variables.end());
    context_.problems.error(pointer, "the placeholder {" + escape_foreign(path, kShownName) +
                                         "} has no value: no condition of this rule before it has \"capture_as\": \"" +
                                         escape_foreign(name, kShownName) + "\"" + did_you_mean(name, names));
  }
  if (!contract::mentions_secret(text.text())) return;
  if (!field.takes_secrets) {
    context_.problems.error(pointer,
                            "a secret may only stand in the text of type_text, not in " + std::string(field.name));
  } else if (const auto pieces = contract::split_placeholders(text.text()); !pieces) {
    context_.problems.error(pointer, pieces.error().message);
  }
}

void ObjectReader::operator()(TextTemplate& target, const Field& field) {
  const Document* value = required(field);
  if (value == nullptr) return;
  const auto found = as_text(*value);
  if (!found) return error(field.name, std::string(field.name) + " must be a text, not " + shown(*value));
  if (field.need == Need::kRequired && found->empty()) return error(field.name, std::string(field.name) + " is empty");
  target = TextTemplate(*found);
  check_placeholders(member(field.name), target, field);
}

std::vector<std::pair<std::string, std::string>> ObjectReader::list(const Field& field) {
  std::vector<std::pair<std::string, std::string>> texts;
  const Document* value = required(field);
  if (value == nullptr) return texts;
  const auto add = [&](const std::string& pointer, std::string_view text) {
    if (!trim(text).empty()) texts.emplace_back(pointer, trim(text));
  };
  if (value->is_array()) {
    for (std::size_t i = 0; i < value->size(); ++i) {
      const std::string pointer = contract::json_pointer(member(field.name), std::to_string(i));
      const auto text = as_text((*value)[i]);
      if (!text) context_.problems.error(pointer, "a text is needed here, not " + shown((*value)[i]));
      if (text) add(pointer, *text);
      if (context_.problems.full()) break;
    }
  } else if (const auto text = as_text(*value)) {
    std::size_t begin = 0;
    while (begin <= text->size()) {
      const std::size_t comma = std::min(text->find(',', begin), text->size());
      add(member(field.name), std::string_view(*text).substr(begin, comma - begin));
      begin = comma + 1;
    }
  } else {
    error(field.name, std::string(field.name) + " must be a text with commas or a list, not " + shown(*value));
    return texts;
  }
  if (texts.empty() && field.need == Need::kRequired) error(field.name, std::string(field.name) + " is empty");
  return texts;
}

void ObjectReader::operator()(TextList& target, const Field& field) {
  for (auto& [pointer, text] : list(field)) {
    if (context_.problems.full()) break;
    target.emplace_back(std::move(text));
    check_placeholders(pointer, target.back(), field);
  }
}

void ObjectReader::operator()(Number& target, const Field& field) {
  target.bounds = field.bounds;
  const Document* value = required(field);
  if (value == nullptr) return;
  const std::string_view name = has(field.name) ? field.name : field.other_name;
  const auto given = as_text(*value);
  if (value->is_boolean() || !given) {
    return error(name, std::string(name) + " must be a number, not " + shown(*value));
  }
  const TextTemplate text(*given);
  if (!text.is_plain()) {
    target.text = text;
    return check_placeholders(member(name), text, field);
  }
  if (trim(*given).empty()) return;  // Mark-I's editor leaves inputs empty.
  const auto number = read_number(*given, field.bounds);
  if (!number) return error(name, std::string(name) + ": " + number.error().message);
  target.value = *number;
}

void ObjectReader::operator()(OptionalNumber& target, const Field& field) {
  known_.emplace(field.name);
  if (!has(field.name)) return void(target.number->bounds = field.bounds);
  const Document& value = object_[std::string(field.name)];
  target.number.reset();
  if (value.is_null() || (value.is_string() && trim(value.get<std::string>()).empty())) return;
  (*this)(target.number.emplace(), field);
}

void ObjectReader::operator()(bool& target, const Field& field) {
  const Document* value = required(field);
  if (value == nullptr) return;
  const auto flag = as_flag(*value);
  if (!flag) return error(field.name, std::string(field.name) + " must be true or false, not " + shown(*value));
  target = *flag;
}

void ObjectReader::operator()(Bgr& target, const Field& field) {
  std::vector<int> channels;
  const auto texts = list(field);
  for (const auto& [pointer, text] : texts) {
    std::string_view digits = text;
    if (digits.starts_with('[')) digits.remove_prefix(1);
    if (digits.ends_with(']')) digits.remove_suffix(1);
    const auto number = read_number(digits, {0, 255, true});
    if (!number) context_.problems.error(pointer, std::string(field.name) + ": " + number.error().message);
    channels.push_back(number ? static_cast<int>(*number) : 0);
  }
  if (channels.size() == 3) {
    target = {channels[0], channels[1], channels[2]};
  } else if (!texts.empty()) {
    error(field.name, std::string(field.name) + " must have three numbers, blue, green and red, not " +
                          std::to_string(channels.size()));
  }
}

std::optional<std::size_t> ObjectReader::region(const std::string& pointer, const std::string& name) {
  if (const auto found = context_.regions.find(name); found != context_.regions.end()) return found->second;
  context_.problems.error(
      pointer, "there is no region " + quote_foreign(name, 60) + did_you_mean(name, names_of(context_.regions)));
  return std::nullopt;
}

void ObjectReader::operator()(RegionRef& target, const Field& field) {
  const std::string name = text(field.name, field.need);
  if (!name.empty()) target.index = region(member(field.name), name);
}

void ObjectReader::operator()(RegionList& target, const Field& field) {
  for (const auto& [pointer, name] : list(field)) {
    if (context_.problems.full()) break;
    if (const auto index = region(pointer, name)) target.regions.push_back({index});
  }
}

// Mark-I's editor writes a name, its files a file name. A file need not be in the list of templates.
void ObjectReader::operator()(TemplateRef& target, const Field& field) {
  auto& templates = context_.profile.templates;
  const std::string name = text(field.name, Need::kOptional);
  const std::string file = text(field.other_name, Need::kOptional);
  if (name.empty() && file.empty()) {
    return context_.problems.error(pointer_, std::string(field.name) + " is missing: " + std::string(field.meaning));
  }
  if (!name.empty()) {
    const auto found = context_.templates.find(name);
    if (found == context_.templates.end()) {
      return error(field.name, "there is no template " + quote_foreign(name, 60) +
                                   did_you_mean(name, names_of(context_.templates)));
    }
    target.index = found->second;
    if (const std::string& has = templates[found->second].filename; !file.empty() && has != file) {
      error(field.other_name, "the template " + quote_foreign(name, 60) + " has the file " + quote_foreign(has, 60) +
                                  ", not " + quote_foreign(file, 60));
    }
    return;
  }
  const auto [at, added] = context_.template_files.emplace(file, templates.size());
  if (added) templates.push_back({file, file, {}});
  if (added) check_template_file(field.other_name, file);
  target.index = at->second;
}

void ObjectReader::operator()(CaptureName& target, const Field& field) {
  target.name = std::string(trim(text(field.name, field.need)));
  if (target.name.empty()) return;
  if (!is_variable_name(target.name)) {
    return error(field.name, quote_foreign(target.name, 40) +
                                 " is not a name for a captured value: it needs letters, digits and \"_\"");
  }
  context_.variables.insert(target.name);
}

void ObjectReader::operator()(VariableRef& target, const Field& field) {
  std::string name(trim(text(field.name, field.need)));
  if (name.starts_with('{') && name.ends_with('}')) name = name.substr(1, name.size() - 2);
  target.name = name;
  if (name.empty() || context_.variables.contains(variable_of(name))) return;
  const std::vector<std::string> names(context_.variables.begin(), context_.variables.end());
  error(field.name, "no condition of this rule captures " + quote_foreign(name, 40) + did_you_mean(name, names));
}

void ObjectReader::operator()(KeyChord& target, const Field& field) {
  (*this)(target.text, field);
  if (target.text.empty() || !target.text.is_plain()) return;
  if (const auto keys = split_chord(target.text.text()); !keys) error(field.name, keys.error().message);
}

void ObjectReader::operator()(ElementStates& target, const Field& field) {
  for (const auto& [pointer, word] : list(field)) {
    if (context_.problems.full()) break;
    if (const auto state = read_state(word)) {
      target.push_back(*state);
    } else {
      context_.problems.error(pointer, quote_foreign(word, 40) + " is not a state of an element" +
                                           did_you_mean(word, state_names()) + "; known: " + join(state_names(), ", "));
    }
  }
}

void ObjectReader::operator()(AllowedTools& target, const Field& field) {
  // The full planner has more tools.
  const auto command = is_object_ ? object_.find("natural_language_command") : object_.end();
  const bool full = command != object_.end() && command->is_string() && !command->get_ref<const std::string&>().empty();
  auto known = contract::names_in(v1::DIALECT_SUGGESTION);
  if (full) std::ranges::copy(contract::names_in(v1::DIALECT_STEPS), std::back_inserter(known));
  for (const auto& [pointer, name] : list(field)) {
    if (context_.problems.full()) break;
    if (std::ranges::find(known, name) == known.end()) {
      context_.problems.error(pointer, quote_foreign(name, 40) + " is not a tool" + (full ? "" : " of a suggestion") +
                                           did_you_mean(name, known) + "; known: " + join(known, ", "));
    } else {
      target.names.push_back(name);
    }
  }
}

}  // namespace da::planner::rules
