// {{secret:NAME}} in a text that is to be typed: the actuator puts the secret in just before it types. Pure; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace da::contract {

// 1 to 64 letters, digits, "_", "-", ".".
bool is_secret_name(std::string_view name);

// Everything that is meant as a placeholder counts, even in a wrong form such as "{{ Secret :".
std::size_t count_secrets(std::string_view text);
inline bool mentions_secret(std::string_view text) { return count_secrets(text) != 0; }

struct TextPiece {
  std::string text;    // Plain text, or the placeholder itself.
  std::string secret;  // The secret's name; empty for plain text.
};

// kInvalidArgument if a placeholder is not exactly {{secret:NAME}}.
Result<std::vector<TextPiece>> split_placeholders(std::string_view text);

}  // namespace da::contract
