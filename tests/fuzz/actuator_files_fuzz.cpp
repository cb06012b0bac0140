// A secrets or masks file must be refused with an error, or be usable on hostile windows without a crash.
#include <cstdint>
#include <string_view>

#include "lib/base/text.h"
#include "services/actuator/privacy/masks.h"
#include "services/actuator/privacy/secrets.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;

constexpr std::string_view kFile = "fuzz.toml";
// Errors quote patterns, but not whole lines of a file.
constexpr std::size_t kLongestError = 20'000;

void check(const da::Error& error) {
  require(error.message.starts_with(kFile), "a refusal names the file");
  require(error.message.size() < kLongestError, "a refusal is short");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  da::actuator::WindowInfo window;
  window.title = window.executable = "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xff\xc3\x28\n\xe2\x80\xae";
  da::actuator::Element element;
  element.name = element.role = window.title;
  if (const auto secrets = da::actuator::Secrets::parse(text, std::string(kFile))) {
    std::string shown(text);
    secrets->redact(shown);
  } else {
    check(secrets.error());
  }
  const auto masks = da::actuator::Masks::parse(text, std::string(kFile));
  if (!masks) {
    check(masks.error());
    return 0;
  }
  for (const auto& mask : masks->all()) {
    require(mask.rect.has_value() + mask.whole_window() + mask.of_elements() == 1, "a mask is of one kind");
    static_cast<void>(mask.covers(window) && mask.covers_element(element));
  }
  return 0;
}
