#include "services/actuator/target/shown_text.h"

#include <algorithm>
#include <iterator>

namespace da::actuator {

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

std::string without_space(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  std::string rest;
  std::ranges::copy_if(text, std::back_inserter(rest), [](char c) { return kSpace.find(c) == std::string_view::npos; });
  return rest;
}

bool is_cut(const Element& element) { return element.text.size() >= kMaxElementText; }

}  // namespace da::actuator
