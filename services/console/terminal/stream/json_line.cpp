#include "services/console/terminal/stream/json_line.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"

namespace da::console {

std::string escape_invisible(const std::string& json) {
  const auto scalars = decode_utf8(json);
  if (!scalars) return "{}";
  std::string out;
  for (const char32_t c : *scalars) {
    std::string one;
    append_utf8(one, c);
    if (c < 0x7f || escape_foreign(one) == one) {
      out += one;
    } else {
      char buffer[16];
      for (const char32_t unit :
           c < 0x10000 ? std::u32string{c} : std::u32string{0xd800 + ((c - 0x10000) >> 10), 0xdc00 + (c & 0x3ff)}) {
        std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(unit));
        out += buffer;
      }
    }
  }
  return out;
}

std::string json_line(const nlohmann::json& value) {
  return escape_invisible(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string ordered_json_line(const nlohmann::ordered_json& value) {
  return escape_invisible(value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace da::console
