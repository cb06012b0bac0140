#include "services/console/terminal/stream/enum_words.h"

#include <cctype>

namespace da::console {

std::string enum_words(const std::string& name, const std::string& prefix) {
  std::string text = name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  for (char& c : text) c = c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace da::console
