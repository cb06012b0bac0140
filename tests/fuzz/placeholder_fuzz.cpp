// A text to type: refused, or exactly itself with values where placeholders stood, whose progress tells nothing more.
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/base/text.h"
#include "services/actuator/placeholder.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;

// Such as no input holds by chance, and longer than its placeholder.
constexpr std::u32string_view kValue = U"\U0001f511a value that is not in the text\U0001f511";

const da::actuator::Secrets& secrets() {
  static const auto parsed = da::actuator::Secrets::parse(
      "[[secret]]\nname = \"a\"\nvalue = \"\\U0001f511a value that is not in the text\\U0001f511\"\n", "fuzz.toml");
  require(parsed.has_value(), "the fuzzer's own secret");
  return *parsed;
}

std::u32string replaced(std::u32string text) {
  constexpr std::u32string_view kPlaceholder = U"{{secret:a}}";
  for (auto at = text.find(kPlaceholder); at != std::u32string::npos;
       at = text.find(kPlaceholder, at + kValue.size())) {
    text.replace(at, kPlaceholder.size(), kValue);
  }
  return text;
}

void check_progress(const da::actuator::ResolvedText& resolved, std::size_t shown_total) {
  const auto total = static_cast<std::uint32_t>(resolved.characters().size());
  std::uint32_t last = 0;
  for (std::uint32_t done = 0; done <= total; ++done) {
    const auto shown = resolved.conceal({done, total, {}});
    require(shown.total == shown_total, "the total is the text's own");
    require(shown.done >= last && shown.done <= shown.total, "progress only grows");
    last = shown.done;
  }
  require(last == shown_total, "all of it is all of it");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto characters = da::decode_utf8(text);
  const auto resolved = da::actuator::ResolvedText::resolve(text, secrets());
  if (!resolved) {
    require(!characters || da::actuator::mentions_secret(text), "plain text is never refused");
    return 0;
  }
  require(characters.has_value(), "what is typed is valid");
  require(resolved->characters() == replaced(*characters), "the values stand where the placeholders stood");
  check_progress(*resolved, characters->size());
  return 0;
}
