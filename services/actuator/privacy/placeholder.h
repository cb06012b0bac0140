// Puts the values of secrets into a text that is to be typed. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "da/v1/tools.pb.h"
#include "lib/base/result.h"
#include "lib/contract/secret_placeholder.h"
#include "services/actuator/desktop/roles/input.h"
#include "services/actuator/privacy/secrets.h"
#include "services/actuator/privacy/wiped_text.h"

namespace da::actuator {

using contract::mentions_secret;
using contract::split_placeholders;
using contract::TextPiece;

// The text that the action types, with its placeholders; nullptr: it types none.
const std::string* typed_text(const v1::Action& action);

// The text to type, with the values of its secrets. Wiped on destruction.
class ResolvedText {
 public:
  // kInvalidArgument (malformed), kNotFound (no such secret).
  static Result<ResolvedText> resolve(std::string_view text, const Secrets& secrets);

  std::u32string_view characters() const { return characters_.view(); }

  // The progress in characters of the text with its placeholders, and without errors that name a character, so that it
  // reveals neither the length nor a part of a secret. A secret counts when all of it is typed.
  Progress conceal(Progress typed) const;

 private:
  struct Span {
    std::size_t shown = 0;  // Characters of the piece with its placeholder.
    std::size_t typed = 0;  // Characters of the piece with its value.
    bool secret = false;
  };
  explicit ResolvedText(std::size_t capacity) : characters_(capacity) {}

  WipedText<char32_t> characters_;
  std::vector<Span> spans_;
};

}  // namespace da::actuator
