// {{secret:name}} in a text that is to be typed: finding it, and putting the value in at the last moment.
// Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/secrets.h"
#include "services/actuator/wiped_text.h"

namespace da::actuator {

// True for what is meant as one, however it is written: "{{ Secret :".
bool mentions_secret(std::string_view text);

struct TextPiece {
  std::string text;    // As it stands in the text.
  std::string secret;  // Its name; empty for plain text.
};

// kInvalidArgument where one is written in another way than {{secret:name}}.
Result<std::vector<TextPiece>> split_placeholders(std::string_view text);

// The text with its secrets, as it is typed; wiped when it goes.
class ResolvedText {
 public:
  // kInvalidArgument (malformed), kNotFound (no such secret).
  static Result<ResolvedText> resolve(std::string_view text, const Secrets& secrets);

  std::u32string_view characters() const { return characters_.view(); }

  // How far the typing got, in characters of the text with its placeholders, and without what an error says of a
  // character: neither the length of a secret nor a part of it is told. A secret counts once it is typed whole.
  Progress conceal(Progress typed) const;

 private:
  struct Span {
    std::size_t shown = 0;  // Characters of the piece as it stands in the text, and as it is typed.
    std::size_t typed = 0;
    bool secret = false;
  };
  explicit ResolvedText(std::size_t capacity) : characters_(capacity) {}

  WipedText<char32_t> characters_;
  std::vector<Span> spans_;
};

}  // namespace da::actuator
