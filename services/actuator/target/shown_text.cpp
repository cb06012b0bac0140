#include "services/actuator/target/shown_text.h"

namespace da::actuator {

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

std::string without_space(std::string_view text) {
  std::string rest(text);
  // A no-break space, as which browsers show a typed blank.
  for (auto at = rest.find("\u00a0"); at != std::string::npos; at = rest.find("\u00a0", at)) rest.erase(at, 2);
  std::erase_if(
      rest, [](char character) { return std::string_view(" \t\r\n\v\f").find(character) != std::string_view::npos; });
  return rest;
}

bool is_cut(const Element& element) { return element.text.size() >= kMaxElementText; }

}  // namespace da::actuator
