// A text of a profile, in which {name} and {name.path.0} name captured values. Other braces are plain text, such as
// {} or {"a": 1}. Immutable; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"
#include "services/planner/rules/profile/variables.h"

namespace da::planner::rules {

class TextTemplate {
 public:
  TextTemplate() = default;
  TextTemplate(std::string text);

  // The text in the profile, with its placeholders.
  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  // Nothing is to be replaced.
  bool is_plain() const { return placeholders_.empty(); }
  // The paths of the placeholders, without braces.
  std::vector<std::string> paths() const;

  // Replaces the placeholders once: a value that looks like a placeholder stays as it is. kNotFound: a value is
  // missing. kPermissionDenied: a captured value would make a {{secret:NAME}}, which only the profile may do.
  Result<std::string> fill(const Variables& variables) const;

  friend bool operator==(const TextTemplate& a, const TextTemplate& b) { return a.text_ == b.text_; }

 private:
  struct Placeholder {
    std::size_t begin = 0;  // Index of "{".
    std::size_t end = 0;    // Index after "}".
  };
  std::string_view path(const Placeholder& at) const {
    return std::string_view(text_).substr(at.begin + 1, at.end - at.begin - 2);
  }

  std::string text_;
  std::vector<Placeholder> placeholders_;
};

// The variable of a path: "name" of "name.box.0".
std::string variable_of(std::string_view path);

// A letter or "_", then letters, digits and "_"; at most 60 bytes.
bool is_variable_name(std::string_view name);

}  // namespace da::planner::rules
