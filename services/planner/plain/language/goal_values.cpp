#include "services/planner/plain/language/goal_values.h"

#include <algorithm>
#include <cctype>
#include <functional>

#include "lib/base/text.h"
#include "services/planner/tools/element_query.h"

namespace da::planner::plain {
namespace {

constexpr std::size_t kMostCharacters = 2'000;  // The contract cuts an element's text after these.

using Edit = std::function<std::string(const std::string&)>;

// Applies `edit` to each text that a person wrote in quotes.
struct EditTexts {
  const Edit& edit;

  void text(std::string& each) const { each = edit(each); }
  void target(std::string& written) const {
    ElementQuery query = parse_element_query(written);
    for (std::string* part : {&query.name, &query.anchor, &query.window}) text(*part);
    written = to_text(query);
  }
  void target(Target& either) const {
    if (auto* written = std::get_if<std::string>(&either)) target(*written);
  }
  void condition(Check& check) const {
    const bool window = check.property == Property::kWindowOpen || check.property == Property::kWindowClosed;
    if (window) {
      text(check.target);
    } else {
      target(check.target);
    }
    text(check.expected);
  }

  void operator()(OpenApp&) const {}
  void operator()(FocusWindow& c) const { text(c.title); }
  void operator()(CloseWindow& c) const { text(c.title); }
  void operator()(TerminateApp& c) const { text(c.title); }
  void operator()(DeleteFile& c) const { text(c.path); }
  void operator()(TypeText& c) const {
    text(c.text);
    if (c.field) target(*c.field);
  }
  void operator()(PasteText& c) const { text(c.text); }
  void operator()(PressKeys&) const {}
  void operator()(Click& c) const { target(c.target); }
  void operator()(Hover& c) const { target(c.target); }
  void operator()(SetValue& c) const { target(c.target); }
  void operator()(Scroll& c) const {
    if (c.target) target(*c.target);
  }
  void operator()(Drag& c) const {
    target(c.from);
    target(c.to);
  }
  void operator()(Select& c) const {
    text(c.item);
    target(c.list);
  }
  void operator()(SelectRows& c) const {
    for (std::string& row : c.rows) target(row);
  }
  void operator()(Copy& c) const { target(c.target); }
  void operator()(WaitSeconds&) const {}
  void operator()(WaitForText& c) const { target(c.text); }
  void operator()(WaitUntil& c) const { condition(c.condition); }
  void operator()(Check& c) const { condition(c); }
  void operator()(If& c) const { condition(c.condition); }
  void operator()(While& c) const { condition(c.condition); }
  void operator()(EndWhile&) const {}
};

bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
}

// Copies `text` with each {{NAME}} passed through `value`.
template <class Value>
std::string replace_names(const std::string& text, const Value& value) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto begin = text.find("{{", at);
    const auto end = begin == std::string::npos ? begin : text.find("}}", begin);
    if (end == std::string::npos) break;
    const std::string name = text.substr(begin + 2, end - begin - 2);
    out += text.substr(at, begin - at);
    if (is_name(name)) {
      out += value(name);
      at = end + 2;
    } else {
      out += "{{";
      at = begin + 2;
    }
  }
  return out + text.substr(std::min(at, text.size()));
}

}  // namespace

Sentence with_values(const Sentence& sentence, const Values& values) {
  Sentence filled = sentence;
  if (values.empty()) return filled;
  const Edit edit = [&](const std::string& text) {
    return replace_names(text, [&](const std::string& name) {
      const auto found = values.find(name);
      return found == values.end() ? "{{" + name + "}}" : found->second;
    });
  };
  std::visit(EditTexts{edit}, filled.command);
  return filled;
}

std::vector<std::string> names_used(const Command& command) {
  std::vector<std::string> names;
  const Edit read = [&](const std::string& text) {
    return replace_names(text, [&](const std::string& name) {
      names.push_back(name);
      return "{{" + name + "}}";
    });
  };
  Command copy = command;
  std::visit(EditTexts{read}, copy);
  return names;
}

Result<std::string> value_of(std::string_view text) {
  const auto refused = [](const std::string& why) { return Error{Code::kFailedPrecondition, why}; };
  const std::string value(trim(text));
  const auto scalars = decode_utf8(value);
  if (value.empty()) return refused("it shows no text that can be read");
  if (!scalars) return refused("its text is not valid UTF-8");
  if (scalars->size() >= kMostCharacters) return refused("its text is too long to be read whole (2000 characters)");
  if (value.find("{{") != std::string::npos) return refused("its text has \"{{\", which could name a secret");
  const bool control = std::ranges::any_of(*scalars, [](char32_t c) { return c < 0x20 || c == 0x7f; });
  if (control) return refused("its text has several lines or control characters, which would press keys when typed");
  return value;
}

}  // namespace da::planner::plain
