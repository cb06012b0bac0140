// A text to type must be refused, or become itself with values for placeholders. Its progress must not reveal more.
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/base/text.h"
#include "services/actuator/privacy/placeholder.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;

// Longer than its placeholder, and no input contains it by chance.
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
  require(last == shown_total, "the last progress is the total");
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
  require(characters.has_value(), "the typed text is valid");
  require(resolved->characters() == replaced(*characters), "the values replace the placeholders");
  check_progress(*resolved, characters->size());
  return 0;
}
