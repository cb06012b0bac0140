#include "services/console/flags.h"

#include "lib/base/text.h"

namespace da::console {

CLI::Validator utf8_text() {
  const auto check = [](const std::string& text) { return std::string(is_valid_utf8(text) ? "" : "is not UTF-8"); };
  return CLI::Validator(check, "");
}

}  // namespace da::console
