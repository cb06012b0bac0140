#include "services/policy/second_factor/totp.h"

#include <liboath/oath.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "lib/base/text.h"

namespace da::policy {
namespace {

constexpr std::size_t kSecretBytes = 20;
constexpr unsigned kDigits = 6;
constexpr unsigned kStepSeconds = 30;
constexpr std::size_t kDrift = 1;  // Steps.
constexpr std::size_t kShortestSecretBytes = 10;

struct Free {
  void operator()(char* text) const { std::free(text); }
};
using Text = std::unique_ptr<char, Free>;

}  // namespace

TotpSecret TotpSecret::random() {
  std::string bytes(kSecretBytes, '\0');
  randombytes_buf(bytes.data(), bytes.size());
  return TotpSecret(std::move(bytes));
}

Result<TotpSecret> TotpSecret::from_base32(std::string_view text) {
  char* decoded = nullptr;
  std::size_t size = 0;
  const int status = oath_base32_decode(text.data(), text.size(), &decoded, &size);
  const Text owned(decoded);
  if (status != OATH_OK || size < kShortestSecretBytes) {
    return Error{Code::kInvalidArgument, "not a Base32 secret of at least 10 bytes"};
  }
  TotpSecret secret(std::string(decoded, size));
  sodium_memzero(decoded, size);
  return secret;
}

std::string TotpSecret::base32() const {
  char* encoded = nullptr;
  std::size_t size = 0;
  if (oath_base32_encode(bytes_.data(), bytes_.size(), &encoded, &size) != OATH_OK) return {};
  const Text owned(encoded);
  std::string text(encoded, size);
  sodium_memzero(encoded, size);
  return text;
}

std::string TotpSecret::uri(const std::string& account) const {
  return "otpauth://totp/DesktopAssist:" + percent_encoded(account) + "?secret=" + base32() +
         "&issuer=DesktopAssist&algorithm=SHA1&digits=" + std::to_string(kDigits) +
         "&period=" + std::to_string(kStepSeconds);
}

std::optional<std::uint64_t> TotpSecret::step_of(std::string_view typed, WallTime now) const {
  // Authenticators show a code in two groups: "826 406".
  std::string code(typed);
  std::erase_if(code, [](char c) { return c == ' ' || c == '\t'; });
  const bool shaped = code.size() == kDigits && std::ranges::all_of(code, [](char c) { return c >= '0' && c <= '9'; });
  if (!shaped) return std::nullopt;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  const auto step = static_cast<std::uint64_t>(seconds) / kStepSeconds;
  std::optional<std::uint64_t> found;
  for (std::uint64_t at = step - kDrift; at <= step + kDrift; ++at) {
    std::array<char, kDigits + 1> expected{};
    const int status = oath_hotp_generate(bytes_.data(), bytes_.size(), at, kDigits, false,
                                          OATH_HOTP_DYNAMIC_TRUNCATION, expected.data());
    if (status == OATH_OK && sodium_memcmp(expected.data(), code.data(), kDigits) == 0) found = at;
  }
  return found;
}

void TotpSecret::wipe() { sodium_memzero(bytes_.data(), bytes_.size()); }

}  // namespace da::policy
